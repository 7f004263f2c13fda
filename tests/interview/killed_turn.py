"""Runs one turn and kills its process, with no warning, at a named place."""

from __future__ import annotations

import os
import pickle
import signal
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


def killed_turn(settings: Settings, vectors: Path, session_id: str | None, place: str, reply: str = "") -> None:
    """``place`` is "before" or "after" a step (its result not yet on disk), "before graph" or "before answer"; without a
    session one begins. ``vectors`` holds embeddings of all texts that will be asked for, so that no model is loaded."""
    when, where = place.split()
    embedder = Embedder()
    embedder._kept.update(pickle.loads(vectors.read_bytes()))
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
    if session_id is None:
        interviews.begin(Plan(only=QUESTIONS))
    else:
        interviews.open(session_id).reply(reply)
