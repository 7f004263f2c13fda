"""Puts the rooms together for a process: the one place where surfaces and the harness get their parts from.

Nothing heavy is loaded here; ``House.warm`` does that, in the background where somebody waits.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.judges import judge_with
from interviewer.interview.session import Interviews
from interviewer.interview.state import Judge
from interviewer.llm import LazyModel
from interviewer.sandbox.door import Door, open_door
from interviewer.settings import Settings


@dataclass(frozen=True)
class House:
    settings: Settings
    embedder: Embedder
    bank: Bank
    judge: EmbeddedJudge
    sandbox: Door
    interviews: Interviews
    model: LazyModel

    def grader(self) -> Judge:
        """For one reply: the embedded judge, with the language model beside it where there is one."""
        model = self.model()
        return judge_with(self.judge, model.turn() if model else None)

    def warm(self) -> None:
        """Loads the models and the index and prepares sandboxes, so that the first answer doesn't wait for them."""
        self.sandbox.warm()
        _one_thread_each()
        self.embedder.warm()
        self.judge.warm()
        self.bank.warm()
        self.model()

    def warm_in_background(self) -> threading.Thread:
        thread = threading.Thread(target=self.warm, name="warm-up", daemon=True)
        thread.start()
        return thread

    def test_sandbox(self) -> list[str]:
        """Runs the short form of the attack list against this machine's sandbox, and says what was not held: where
        that is anything, no candidate's code is run by this process. Takes seconds."""
        from interviewer.sandbox import Sandbox
        from interviewer.sandbox.attacks import quick, run_attacks

        if not isinstance(self.sandbox, Sandbox) or not self.sandbox.isolation().available:
            return []
        broken = [f"{r.name}: {r.detail}" for r in run_attacks(self.sandbox, quick()) if r.held is False]
        if broken:
            self.sandbox.distrust(f"its self-test did not hold ({'; '.join(broken)}). See `interviewer sandbox check`.")
        return broken


def _one_thread_each() -> None:
    """Threads that compute one reply together wait for each other at every step. Where the processors are busy with other people's
    turns, that takes several times as long as one thread alone."""
    import torch

    torch.set_num_threads(1)


def assemble(settings: Settings) -> House:
    embedder = Embedder()
    bank = Bank(settings, embedder)
    judge = EmbeddedJudge()
    sandbox = open_door(settings)
    model = LazyModel(settings)
    interviews = Interviews(settings, bank=bank, judge=judge, sandbox=sandbox, model=model)
    return House(settings, embedder, bank, judge, sandbox, interviews, model)
