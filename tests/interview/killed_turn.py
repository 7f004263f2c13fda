"""Runs one turn in a process of its own and kills it, with no warning, at a named place.

    python killed_turn.py HOME VECTORS SESSION PLACE [REPLY]

PLACE is ``before STEP``, ``after STEP`` (its result not yet on disk), ``before graph`` or ``before answer``.
SESSION ``-`` begins one. VECTORS holds embeddings of all texts that will be asked for, so that no model is loaded.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from pathlib import Path
from typing import Any

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.graph import STEPS, Step
from interviewer.interview.session import Interviews
from interviewer.interview.state import Rooms, State
from interviewer.models import Plan
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings

QUESTIONS = ("parameter-vs-buffer", "training-loop-steps")


def die(*_: object, **__: object) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def deadly(steps: dict[str, Step], when: str, where: str) -> dict[str, Step]:
    def wrap(step: Step) -> Step:
        def run(state: State, rooms: Rooms) -> State:
            if when == "before":
                die()
            step(state, rooms)
            return die()  # type: ignore[no-any-return]

        return run

    return {name: wrap(step) if name == where else step for name, step in steps.items()}


def main() -> None:
    home, vectors, session_id, place, *reply = sys.argv[1:]
    when, where = place.split()
    embedder = Embedder()
    embedder._kept.update(pickle.loads(Path(vectors).read_bytes()))
    settings = Settings(home=Path(home))
    interviews = Interviews(
        settings,
        bank=Bank(settings, embedder),
        judge=EmbeddedJudge(),
        sandbox=Sandbox(settings),
        steps=deadly(STEPS, when, where),
    )
    if where == "graph":
        interviews.graph.invoke = die  # type: ignore[method-assign]
    if where == "answer":
        interviews.store.answer = die  # type: ignore[method-assign]
    if session_id == "-":
        interviews.begin(Plan(only=QUESTIONS))
    else:
        interviews.open(session_id).reply(reply[0])


if __name__ == "__main__":
    main()
