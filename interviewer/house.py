"""Puts the rooms together for a process: the one place where surfaces and the harness get their parts from.

Nothing heavy is loaded here; ``House.warm`` does that, in the background where somebody waits.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.session import Interviews
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings


@dataclass(frozen=True)
class House:
    settings: Settings
    embedder: Embedder
    bank: Bank
    judge: EmbeddedJudge
    sandbox: Sandbox
    interviews: Interviews

    def warm(self) -> None:
        """Loads the models and the index, so that the first answer doesn't wait for them."""
        self.embedder.warm()
        self.bank.warm()

    def warm_in_background(self) -> threading.Thread:
        thread = threading.Thread(target=self.warm, name="warm-up", daemon=True)
        thread.start()
        return thread


def assemble(settings: Settings) -> House:
    embedder = Embedder()
    bank = Bank(settings, embedder)
    judge = EmbeddedJudge(embedder)
    sandbox = Sandbox(settings)
    interviews = Interviews(settings, bank=bank, judge=judge, sandbox=sandbox)
    return House(settings, embedder, bank, judge, sandbox, interviews)
