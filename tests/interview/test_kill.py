"""A process killed with SIGKILL at every place of a turn loses no turn and answers none twice."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.session import Interviews
from interviewer.models import Plan, Role, Turn
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from tests.forks import ended
from tests.interview.killed_turn import QUESTIONS, killed_turn

pytestmark = pytest.mark.models

STEPS = ("listen", "retrieve", "run_code", "grade", "decide", "speak")
PLACES = ["before graph", *(f"{when} {step}" for step in STEPS for when in ("before", "after")), "before answer"]
GREETING_PLACES = ["before graph", "before decide", "after speak", "before answer"]


def spoken(turns: list[Turn]) -> list[tuple[int, Role, str, tuple[object, ...]]]:
    """Turns without their times."""
    return [(t.seq, t.role, t.text, t.parts) for t in turns]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder, judge: EmbeddedJudge, reply: str) -> Path:
    """Everything that the turn embeds, embedded once by a run of it that nobody kills."""
    settings = Settings(home=tmp_path_factory.mktemp("rehearsal"))
    interviews = Interviews(settings, bank=Bank(settings, embedder), judge=judge, sandbox=Sandbox(settings))
    interviews.begin(Plan(only=QUESTIONS)).reply(reply)
    path = settings.home / "vectors.pickle"
    path.write_bytes(pickle.dumps(dict(embedder._kept)))
    return path


@pytest.fixture(scope="module")
def reply(said: Callable[[str, str], str]) -> str:
    return said(QUESTIONS[0], "half")


def kill(settings: Settings, vectors: Path, session: str | None, place: str, *reply: str) -> None:
    assert ended(killed_turn, settings, vectors, session, place, *reply, within=120) == -signal.SIGKILL


@pytest.mark.parametrize("place", PLACES)
def test_a_killed_turn_is_answered_once_and_the_same(
    place: str, interviews: Interviews, settings: Settings, vectors: Path, reply: str
) -> None:
    session = interviews.begin(Plan(only=QUESTIONS))
    kill(settings, vectors, session.id, place, reply)
    assert [t.text for t in session.turns() if t.role is Role.CANDIDATE] == [reply]
    after = session.resume()
    assert [t.seq for t in after] == [0, 1, 2]
    unkilled = interviews.begin(Plan(only=QUESTIONS))
    unkilled.reply(reply)
    assert spoken(after) == spoken(unkilled.turns())
    assert spoken(session.resume()) == spoken(after)
    assert session.standing() == unkilled.standing()


@pytest.mark.parametrize("place", GREETING_PLACES)
def test_a_killed_greeting_is_given_once(place: str, interviews: Interviews, settings: Settings, vectors: Path) -> None:
    kill(settings, vectors, None, place)
    [row] = interviews.store.sessions()
    turns = interviews.open(row.id).resume()
    assert [t.seq for t in turns] == [0]
    assert turns == interviews.open(row.id).resume()


def test_a_message_sent_again_after_a_kill_is_not_taken_twice(
    interviews: Interviews, settings: Settings, vectors: Path, reply: str
) -> None:
    session = interviews.begin(Plan(only=QUESTIONS))
    session.reply(reply, key="k")
    kill(settings, vectors, session.id, "after grade", "Buffers are saved too")
    answer = session.reply(reply, key="k")
    assert answer.seq == 2
    assert [t.seq for t in session.turns()] == [0, 1, 2, 3, 4]
