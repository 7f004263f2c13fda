"""What people ask of ``/interview``, and what they are told of it."""

from __future__ import annotations

import re
from enum import StrEnum

from interviewer.interview.plan import parse_plan
from interviewer.models import Level, Plan, Topic

COMMAND = "/interview"
_LONGEST_WISH = 200  # characters, which bounds the time that reading it may take
_BARE_MINUTES = re.compile(r"(?<![\w.])(\d{1,3})(?![\w.])(?!\s*-?\s*(?:min|m\b|questions?\b))", re.IGNORECASE)

PROMPTS = (
    ("A first interview", "Interview me at junior level, 15 minutes"),
    ("Autograd and training", "Interview me at mid level on autograd and training, 20 minutes"),
    ("Senior, without code", "Interview me at senior level without code, 30 minutes"),
    ("What I'm worst at", "Interview me on what I'm worst at"),
)
"""Suggestions for an empty conversation: what they are called and what they say."""

HELP = (
    f"`{COMMAND} LEVEL TOPICS MINUTES` begins an interview in our direct messages, for example "
    f"`{COMMAND} senior autograd data 20`. All three may be left out.\n\n"
    f"- Levels: {', '.join(Level)}\n"
    f"- Topics: {', '.join(Topic)}\n"
    f"- `{COMMAND} exam senior 30`: feedback only at the end; `{COMMAND} without code`\n"
    f"- `{COMMAND} what I'm worst at`, `{COMMAND} what is due`: from your own history\n"
    f"- `{COMMAND} page`: a link with which you go on on the page\n"
    f"- `{COMMAND} standings` shows who practised; `{COMMAND} standings join` and `leave`\n"
    f"- `{COMMAND} forget me` deletes everything that you wrote"
)


class Request(StrEnum):
    """What a command asks for."""

    BEGIN = "begin"
    PAGE = "page"
    STANDINGS = "standings"
    JOIN = "join"
    LEAVE = "leave"
    FORGET = "forget"
    HELP = "help"


_REQUESTS = {
    "page": Request.PAGE,
    "standings": Request.STANDINGS,
    "standings join": Request.JOIN,
    "standings leave": Request.LEAVE,
    "forget me": Request.FORGET,
    "forget": Request.FORGET,
    "help": Request.HELP,
}


def request_in(text: str) -> Request:
    """``HELP`` also where the words are none that a plan is made of."""
    words = " ".join(text.lower().split())
    if words in _REQUESTS:
        return _REQUESTS[words]
    return Request.BEGIN if plan_of_command(text) is not None else Request.HELP


def plan_in(text: str) -> Plan | None:
    """The plan that a message wishes for; None where it says anything else."""
    return parse_plan(text) if len(text) <= _LONGEST_WISH else None


def plan_of_command(text: str) -> Plan | None:
    """The plan that the words after the command describe; a number by itself is minutes. None where they describe none."""
    if not text.strip():
        return Plan()
    return plan_in("interview " + _BARE_MINUTES.sub(r"\1 minutes", text))
