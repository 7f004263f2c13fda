"""Sends one message of an interview with a language model, in a process of its own that is to be killed meanwhile.

python killed_call.py HOME URL SESSION REPLY KEY
"""

from __future__ import annotations

import sys
from pathlib import Path

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.session import Interviews
from interviewer.llm import LazyModel
from interviewer.settings import Settings
from tests.interview.acting import NoSandbox
from tests.interview.tiny import QUESTIONS


def main() -> None:
    home, url, session, reply, key = sys.argv[1:]
    settings = Settings(home=Path(home), model="openai:faulty", model_url=url, model_seconds=60)
    interviews = Interviews(
        settings,
        bank=Bank(settings, Embedder(), QUESTIONS),
        judge=EmbeddedJudge(),
        sandbox=NoSandbox(),
        model=LazyModel(settings),
    )
    interviews.open(session).reply(reply, key=key)


if __name__ == "__main__":
    main()
