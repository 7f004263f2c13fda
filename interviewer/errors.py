"""Every error that a person can meet, in one tree.

InterviewerError                 says what happened, what was kept, what to do next
├── UsageError                   exit 2: the call or its input is wrong
│   ├── BankError                question files with mistakes, all of them listed
│   ├── DocumentRefused          a document that cannot be read as questions
│   └── UnknownSession           no such session in this home
├── MissingPart                  exit 3: something needed is not installed or not allowed here
│   ├── ModelFileError           the embedding model is absent or not the one that we know
│   ├── ModelUnavailable         the language model that the settings name can't be set up
│   └── SandboxUnavailable       isolation cannot be had, so code is not run
├── NothingToPractise            no history yet, nothing due, or none that fits what was asked for
├── SessionBusy                  another surface is in the middle of a turn of this session
└── SessionMoved                 the conversation went on elsewhere since this surface last looked
"""

from __future__ import annotations

from dataclasses import dataclass


class InterviewerError(Exception):
    """Base of all: ``str(error)`` is a sentence for a person; ``exit_code`` is for scripts."""

    exit_code = 1


class UsageError(InterviewerError):
    exit_code = 2


@dataclass(frozen=True)
class Mistake:
    """One mistake in a file of the bank; ``line`` counts from 1."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class BankError(UsageError):
    """Raised with every mistake found, not only the first."""

    def __init__(self, mistakes: list[Mistake]):
        self.mistakes = mistakes
        count = f"{len(mistakes)} mistake" + ("s" if len(mistakes) != 1 else "")
        super().__init__(f"{count} in the question bank:\n" + "\n".join(str(m) for m in mistakes))


class DocumentRefused(UsageError):
    """A document was refused whole; nothing that was stored has changed."""

    def __init__(self, path: str, reason: str):
        self.path = path
        self.reason = reason
        super().__init__(f"{path} was not read: {reason} Nothing that was stored has changed.")


class UnknownSession(UsageError):
    def __init__(self, session_id: str):
        super().__init__(
            f"There is no session {session_id!r} here. "
            "`interviewer chat` begins one; INTERVIEWER_HOME says where sessions are kept."
        )


class MissingPart(InterviewerError):
    exit_code = 3


class ModelFileError(MissingPart):
    pass


class ModelUnavailable(MissingPart):
    pass


class SandboxUnavailable(MissingPart):
    pass


class NothingToPractise(InterviewerError):
    pass


class SessionBusy(InterviewerError):
    def __init__(self, session_id: str):
        super().__init__(
            f"Session {session_id} is answering in another window. "
            "Your message was not taken; wait for that answer, then send it again."
        )


class SessionMoved(InterviewerError):
    def __init__(self, session_id: str):
        super().__init__(
            f"Session {session_id} went on in another window since you last saw it. "
            "Your message was not taken, since it answers an older question; look at the newest one first."
        )
