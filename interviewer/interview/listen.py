"""Step 1: what is this message? An answer, or something said around it.

Promises that a long message, or one with code, is always an answer: nobody loses an answer because the
word "skip" stands in it. Understands English only.
"""

from __future__ import annotations

import re

from interviewer.interview.plan import parse_plan
from interviewer.interview.state import Heard, Intent, State
from interviewer.markdown import code_blocks, one_line
from interviewer.models import Plan

_LONGEST_REQUEST = 14  # words
_LONGEST_WISH = 200  # characters; also what bounds the time that the patterns below may take
_NAMED_DISPUTE = re.compile(r"\s{0,9}dispute\b(?! (?:resolution|between))", re.IGNORECASE)
_PLEASE = r"(?:please|pls|ok(?:ay)?|so|sorry|um+|well|hey|hi|thanks)?[\s,]*"
_CAN_I = r"(?:(?:can|could|may|might) (?:i|you|we)(?: please)?|i(?:'d| would) like(?: to)?|i want(?: to)?|let(?:'|’)?s|let me)?\s*"

_REQUESTS: tuple[tuple[Intent, str], ...] = (
    (Intent.HINT, r"(?:(?:have|get|give(?: me)?|see|need|i need)\s+)?(?:an?|the|another|one more|next)?\s*(?:hint|clue|nudge)s?"),
    (Intent.REPEAT, r"(?:repeat|rephrase|restate|say|ask|read)(?: (?:that|it|this|the question))*(?: again| once more)?"),
    (Intent.REPEAT, r"(?:what was the question|what did you ask|come again|pardon|again|what\?)"),
    (Intent.SKIP, r"(?:skip|pass|move on|next(?: question| one)?|go on)(?: (?:this|it|that))?(?: (?:one|question))?(?: to the next(?: one| question)?)?"),
    (Intent.END, r"(?:end|stop|quit|exit|finish|bye|goodbye|that(?:'|’)?s all|i(?:'|’)?m done|we(?:'|’)?re done)(?: (?:it|this|now|here))?(?: ?the interview| interview)?(?: (?:now|here))?"),
)  # fmt: skip
_REQUEST_PATTERNS = tuple(
    (intent, re.compile(rf"{_PLEASE}{_CAN_I}{pattern}[\s,]*{_PLEASE}[.!?]*", re.IGNORECASE))
    for intent, pattern in _REQUESTS
)
_DISPUTE = re.compile(
    r"^\W*(?:i (?:disagree with|dispute|object to|contest|want to appeal)\b.{0,40}(?:grade|grading|score|verdict|result|point|that|this)"
    r"|(?:that(?:'|’)?s|that is|this is) (?:unfair|not fair|wrongly graded)|(?:i want|let) a (?:person|human) (?:to )?(?:look|review|check))",
    re.IGNORECASE | re.DOTALL,
)
_DONT_KNOW = re.compile(
    r"(?:i(?:'|’)?m (?:really )?(?:not sure|afraid i don(?:'|’)?t know)|i (?:really |honestly )?(?:don(?:'|’)?t|do not|dont) (?:really )?(?:know|remember)(?: (?:that|this|it|the answer|sorry))*"
    r"|(?:i have )?no idea|no clue|not a clue|i(?:'|’)?ve no idea|dunno|idk|never (?:heard of|used) (?:it|this|that))",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|how are you(?: (?:doing|today))*|nice to meet you|thanks?(?: you)?(?: (?:so|very) much)?"
    r"|cool|great|nice|okay|ok|sure|ready|i(?:'|’)?m ready|let(?:'|’)?s (?:go|start|begin)|go ahead|who are you|what(?:'|’)?s your name|are you (?:a )?(?:human|real|bot|an ai|ai)"
    r"|(?:how|what) (?:is|about) the weather|tell me (?:a joke|about yourself)|lol|haha|wow|one (?:moment|second)|wait|hmm+)(?:\W+|$)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_FILLER = frozenset(
    "um uh hmm well sorry honestly really sure not exactly i it this that the answer to is a an am im m s t don know maybe "
    "just actually think about what you there today doing too please one and but no question".split()
)


def listen(state: State) -> State:
    """Understands ``state["message"]``."""
    text = state["message"].strip()
    before_first_answer = not state.get("answered") and not (state.get("current") or {}).get("replies")
    fixed = Plan.model_validate(state.get("plan", {})).fixed
    heard = hear(text, may_plan=before_first_answer and not fixed)
    return {
        "heard": heard.model_dump(mode="json"),
        "run": None,
        "graded": None,
        "claim": "",
        "shown": [],
        "calls": [],
        "closed": None,
        "filed": [],
    }


def hear(text: str, *, may_plan: bool = False) -> Heard:
    """``may_plan``: whether wishes about level, topics and time are still taken."""
    code = code_of(text)
    return Heard(intent=Intent.ANSWER if code else _intent(text, may_plan), text=text, code=code)


def code_of(text: str) -> str:
    """The content of all fenced blocks of a Markdown message, joined by a blank line."""
    return "\n".join(code_blocks(text))


def _intent(text: str, may_plan: bool) -> Intent:
    if not _WORD.search(text):
        return Intent.SILENCE
    if _NAMED_DISPUTE.match(text):
        return Intent.DISPUTE
    line = one_line(text)
    if len(line) > _LONGEST_WISH:
        return Intent.ANSWER
    if may_plan and parse_plan(line) is not None:
        return Intent.PLAN
    if len(_WORD.findall(line)) > _LONGEST_REQUEST:
        return Intent.ANSWER
    if _DISPUTE.match(line):
        return Intent.DISPUTE
    for intent, pattern in _REQUEST_PATTERNS:
        if pattern.fullmatch(line):
            return intent
    if _nothing_left(_DONT_KNOW, line):
        return Intent.DONT_KNOW
    if _nothing_left(_CHATTER, line):
        return Intent.SMALL_TALK
    return Intent.ANSWER


def _nothing_left(pattern: re.Pattern[str], text: str) -> bool:
    """Whether ``pattern`` occurs and what remains without it is filler."""
    rest, found = pattern.subn(" ", text)
    return found > 0 and not [w for w in _WORD.findall(rest.lower()) if w not in _FILLER]
