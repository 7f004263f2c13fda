"""Plays whole interviews with simulated candidates, through the door that every surface uses.

Promises: the same seed gives the same interviews, whatever the number of processes (times apart). Each candidate asks for
a mid-level interview of eight questions, code included, so that their level has to be found. What the interviews are worth
is for ``feel`` to say.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from sqlalchemy.dialects.sqlite import insert

from eval.candidates import Candidate, people
from eval.conversation import Conversation, Played
from eval.voices import Material
from interviewer.house import House, assemble
from interviewer.interview.session import Interviews, utc_now
from interviewer.models import Level, Plan, Question
from interviewer.settings import Settings
from interviewer.store import Store
from interviewer.store.tables import sessions

PLAN = Plan(level=Level.MID, questions=8, minutes=180)
_MOST_TURNS = 20  # for each question; more means that the conversation goes in circles


class NamedSessions(Store):
    """Sessions under names that the harness gives: which question comes next depends on the session's name."""

    def begin_as(self, name: str, plan: Plan) -> None:
        row = {"id": name, "user": "simulated", "plan": plan.model_dump_json(), "begun": utc_now().isoformat()}
        with self._engine.begin() as db:
            db.execute(insert(sessions).values(row))


def play_all(
    count: int, seed: int, settings: Settings, *, jobs: int = 1, advance: Callable[[], None] = lambda: None
) -> list[Played]:
    """``count`` interviews, in the order of the candidates, in a home of their own that is deleted afterwards. Imported
    documents are left out. ``jobs``: processes."""
    with tempfile.TemporaryDirectory(prefix="interviews-", ignore_cleanup_errors=True) as home:
        own = settings.model_copy(update={"home": Path(home)})
        played = {}
        tasks = (delayed(_play_in)(own, candidate) for candidate in people(count, seed))
        for each in Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks):
            played[each.name] = each
            advance()
        if jobs > 1:
            get_reusable_executor().shutdown()  # its processes have the home's files open
    return [played[name] for name in sorted(played)]


@lru_cache(maxsize=1)
def _room(settings: Settings) -> tuple[House, Material]:
    """One for each process."""
    house = assemble(settings)
    house.warm()
    return house, Material()


def _play_in(settings: Settings, candidate: Candidate) -> Played:
    house, material = _room(settings)
    return play(house.interviews, settings, house.bank.questions(), candidate, material)


def play(
    interviews: Interviews,
    settings: Settings,
    questions: Sequence[Question],
    candidate: Candidate,
    material: Material,
    plan: Plan = PLAN,
) -> Played:
    """One interview from greeting to report. ``settings``: those of ``interviews``; ``questions``: all that may be asked. A
    candidate can be played once in a home."""
    NamedSessions(settings.database).begin_as(candidate.name, plan)
    session = interviews.open(candidate.name)
    conversation = Conversation(candidate, session, questions, material)
    began = time.perf_counter()
    conversation.hear(session.resume()[-1], _since(began))
    while not session.ended and len(conversation.transcript) < _MOST_TURNS * (plan.questions or len(plan.only) or 1):
        reply = conversation.reply()
        began = time.perf_counter()
        conversation.hear(session.reply(reply), _since(began))
    return conversation.played(plan)


def _since(began: float) -> float:
    return 1000 * (time.perf_counter() - began)
