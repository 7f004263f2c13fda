"""What the reader is shown in training: replies, each with claims and how they may be said to stand in it.

Three sources: labelled replies to the bank's train questions; replies composed of labelled statements, so that it is known
which words decide a claim; and answers of public sets, held against their reference. A target is a set of standings that are
right, since not all labels say all: who knows that a wrong claim is not held does not know whether it was denied.

Some of the right statements are turned into their opposite in one place (see ``eval.tampering.flips``), so that the words
alone do not decide. Replies are also shown spoilt in ways that change no label (another order, typing mistakes, case,
sentences from elsewhere, orders to the grader), so that no such thing becomes a sign.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from eval.cases import Case
from eval.tampering.edit import Evidence
from eval.tampering.flips import FINDERS, flipped
from eval.training.statements import ClaimSet, Statement
from interviewer.grading.reader import ORDER
from interviewer.grading.text import sentences
from interviewer.models import Misconception, Point, Question, Standing

_COVERED, _PARTIAL, _MISSING, _CONTRADICTED = (
    Standing.COVERED,
    Standing.PARTIAL,
    Standing.MISSING,
    Standing.CONTRADICTED,
)
_NOT_HELD = frozenset({_PARTIAL, _MISSING, _CONTRADICTED})
_UNMENTIONED = 0.3  # weight of "missing" where nobody looked whether another statement says it too
_TURNED = 0.3  # of the right statements in composed replies, where a flip is found
_HOW_MANY = (1, 1, 2, 2, 3, 3, 4, 5)  # statements of a composed reply
_JOINTS = (" ", " ", "\n\n", "\n- ")
_LETTER = re.compile(r"[a-z]")


@dataclass(frozen=True)
class Held:
    """A claim, the standings that are right for it in a reply, how much that counts, and the words that decide it."""

    claim: str
    right: frozenset[Standing]
    weight: float = 1.0
    evidence: str = ""

    @property
    def target(self) -> list[float]:
        """1 for each right standing, in the reader's order."""
        return [float(standing in self.right) for standing in ORDER]


@dataclass(frozen=True)
class Example:
    reply: str
    held: tuple[Held, ...] = field(default=())


def from_case(case: Case, question: Question, chance: random.Random) -> Example:
    """A labelled reply against the points that words earn and the misconceptions, in a wording drawn by ``chance``."""
    points = [p for p in question.points if not p.proven_by and p.id in case.points]
    held = [Held(wording(_texts(p), chance), frozenset({case.points[p.id]})) for p in points]
    for m in question.misconceptions:
        right = frozenset({_COVERED}) if m.id in case.misconceptions else _NOT_HELD
        held.append(Held(wording(_texts(m), chance), right))
    return Example(case.answer, tuple(held))


def composed(claims: ClaimSet, chance: random.Random, wordings: random.Random) -> Example:
    """A reply of a few statements about different claims of one set, against all claims of the set, in ways to say them
    that ``wordings`` draws."""
    by_claim: dict[str, list[Statement]] = {}
    for statement in claims.statements:
        by_claim.setdefault(statement.about, []).append(statement)
    about = chance.sample(sorted(by_claim), min(len(by_claim), chance.choice(_HOW_MANY)))
    said = {name: _perhaps_turned(chance.choice(by_claim[name]), claims, chance) for name in about}
    return _reply_of(said, claims, chance, wordings)


def _perhaps_turned(statement: Statement, claims: ClaimSet, chance: random.Random) -> Statement:
    """The statement, or its opposite where it is one right sentence: in a longer one a flip may hit an aside."""
    if statement.verdict is not _COVERED or len(sentences(statement.text)) > 1 or chance.random() >= _TURNED:
        return statement
    claim = (claims.claims.get(statement.about) or claims.wrong[statement.about])[0]
    shown = [Evidence(claim=claim, quote=statement.text)]
    found = [other for finder in FINDERS.values() if (other := flipped(finder, statement.text, shown))]
    if not found:
        return statement
    return statement.model_copy(update={"text": chance.choice(found), "verdict": _CONTRADICTED})


def brief(claims: ClaimSet, chance: random.Random, wordings: random.Random) -> Example:
    """As ``composed``, of statements so short that each surely says nothing else: a wrong claim that none of them holds
    is not held."""
    made = composed(claims, chance, wordings)
    held = (replace(h, weight=1.0) if h.right == _NOT_HELD else h for h in made.held)
    return Example(made.reply, tuple(held))


def _reply_of(said: dict[str, Statement], claims: ClaimSet, chance: random.Random, wordings: random.Random) -> Example:
    joint = chance.choice(_JOINTS)
    texts = [statement.text for statement in said.values()]
    reply = ("- " if joint == "\n- " else "") + joint.join(texts)
    used = set(texts)
    held = [_right_claim(claims, name, said, wording(w, wordings, used)) for name, w in claims.claims.items()]
    held += [
        h for name, w in claims.wrong.items() if (h := _wrong_claim(claims, name, said, wording(w, wordings, used)))
    ]
    return Example(reply, tuple(held))


def _right_claim(claims: ClaimSet, name: str, said: dict[str, Statement], text: str) -> Held:
    denied = any(name in claims.denies[w] and _says(said, w, _COVERED) for w in claims.wrong)
    if name in said:
        right = {said[name].verdict} | ({_CONTRADICTED} if denied else set())
        return Held(text, frozenset(right), 1.0, said[name].text)
    return Held(text, frozenset({_MISSING, _CONTRADICTED} if denied else {_MISSING, _PARTIAL}), _UNMENTIONED)


def _wrong_claim(claims: ClaimSet, name: str, said: dict[str, Statement], text: str) -> Held | None:
    """None where a point that it denies was contradicted: perhaps by this very belief."""
    if name in said:
        right = frozenset({_COVERED}) if said[name].verdict is _COVERED else _NOT_HELD
        return Held(text, right, 1.0, said[name].text)
    if any(_says(said, point, _CONTRADICTED) for point in claims.denies[name]):
        return None
    known_better = any(_says(said, point, _COVERED) for point in claims.denies[name])
    return Held(text, _NOT_HELD, 0.7 if known_better else _UNMENTIONED)


def _says(said: dict[str, Statement], name: str, verdict: Standing) -> bool:
    return name in said and said[name].verdict is verdict


def wording(texts: Sequence[str], chance: random.Random, used: Iterable[str] = ()) -> str:
    """One way to say a claim, mostly the first, sometimes two together, and none that the reply uses word for word."""
    free = [text for text in texts if text not in used] or [texts[0]]
    drawn = chance.random()
    if drawn < 0.55 and free[0] == texts[0]:
        return texts[0]
    return " ".join(chance.sample(free, 2)) if drawn < 0.8 and len(free) > 1 else chance.choice(free)


def _texts(claim: Point | Misconception) -> tuple[str, ...]:
    return (claim.claim, *claim.also)


def spoilt(example: Example, chance: random.Random, elsewhere: Sequence[str], orders: Sequence[str]) -> Example:
    """The example with its reply changed in a way that changes no standing; every third is left as it is.
    ``elsewhere``: sentences of replies to other questions; ``orders``: sentences that are addressed to the grader."""
    reply, way = example.reply, chance.randrange(9)
    if way < 3:
        return example
    if way == 3:
        reply = _mistyped(reply, chance)
    elif way == 4:
        reply = reply.lower() if chance.random() < 0.7 else reply.upper()
    elif way == 5 and "```" not in reply:
        parts = sentences(reply)
        chance.shuffle(parts)
        reply = " ".join(parts)
    elif way in (6, 7):
        reply = _among(reply, chance.choices(elsewhere, k=chance.randint(1, 4)), chance)
    elif way == 8:
        reply = _among(reply, [chance.choice(orders)], chance)
    return Example(reply, example.held)


def _mistyped(text: str, chance: random.Random) -> str:
    """Two letters in a hundred dropped, doubled or exchanged with the next."""
    letters = list(text)
    for at in range(len(letters) - 1):
        if _LETTER.match(letters[at]) and chance.random() < 0.02:
            way = chance.randrange(3)
            if way == 0:
                letters[at] = ""
            elif way == 1:
                letters[at] *= 2
            else:
                letters[at], letters[at + 1] = letters[at + 1], letters[at]
    return "".join(letters)


def _among(reply: str, added: Sequence[str], chance: random.Random) -> str:
    """``added`` before or behind the reply, which stays in one piece."""
    cut = chance.randint(0, len(added))
    return "\n".join([*added[:cut], reply, *added[cut:]])
