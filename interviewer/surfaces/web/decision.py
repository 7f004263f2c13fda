"""What a reviewer is shown of each point, and what they typed on it, as plain values."""

from __future__ import annotations

import hashlib

from starlette.datastructures import FormData

from interviewer.grading.text import sentences
from interviewer.interview.review import Correction
from interviewer.models import Answered, Evidence, Judgement, PointVerdict, Standing, Value, Verdict
from interviewer.surfaces.quoted import words_and_code

_MOST_QUOTES = 60  # that are offered; any other words can be typed
_MARK, _QUOTE = "point:", "quote:"  # before a point's id, in the names of the form's fields


class Typed(Value):
    """A filled form. ``marks`` and ``quotes`` are by point; ``version``: of the verdict that the reviewer saw."""

    judgement: Judgement
    comment: str
    marks: dict[str, str]
    quotes: dict[str, str]
    version: str

    def corrections(self, evidence: Evidence, standing: Verdict) -> list[Correction]:
        """The points that are marked otherwise than they stand, or with other words."""
        stands = {p.point: p for p in standing.points}
        found = []
        for point in evidence.question.points:
            before, mark, quote = stands.get(point.id), self.marks.get(point.id, ""), self.quotes.get(point.id, "")
            if mark not in set(Standing) or (before and before.verdict == mark and quote in ("", before.quote)):
                continue
            found.append(Correction(point=point.id, verdict=Standing(mark), quote=quote))
        return found


class Row(Value):
    """A point as the form shows it. ``given`` is None where it was left out of the grading; ``mark`` and ``quote`` are what
    its fields hold."""

    point: str
    claim: str
    weight: int
    given: PointVerdict | None
    mark: str
    quote: str


def typed_in(form: FormData) -> Typed:
    """Fields that aren't there are empty; whatever isn't upheld is meant to be changed, which a decision without corrections
    is refused for."""
    fields = {name: value.strip() for name, value in form.items() if isinstance(value, str)}
    upheld = fields.get("judgement") == Judgement.UPHELD.value
    return Typed(
        judgement=Judgement.UPHELD if upheld else Judgement.CHANGED,
        comment=fields.get("comment", ""),
        marks={name.removeprefix(_MARK): value for name, value in fields.items() if name.startswith(_MARK)},
        quotes={name.removeprefix(_QUOTE): value for name, value in fields.items() if name.startswith(_QUOTE)},
        version=fields.get("version", ""),
    )


def rows_of(evidence: Evidence, standing: Verdict, typed: Typed | None) -> list[Row]:
    """Every point of the question, as it stands or as it was marked in a form that came back. Marks that were set beside
    another verdict are let go: sent again, they would undo what was decided meanwhile."""
    stands = {p.point: p for p in standing.points}
    marks = typed.marks if typed and typed.version == version_of(standing) else {}
    return [
        Row(
            point=point.id,
            claim=point.claim,
            weight=point.weight,
            given=(given := stands.get(point.id)),
            mark=marks.get(point.id) or (given.verdict.value if given else ""),
            quote=typed.quotes.get(point.id, "") if typed else "",
        )
        for point in evidence.question.points
    ]


def version_of(verdict: Verdict) -> str:
    """Another one where a point stands otherwise or by other words."""
    return hashlib.sha256(verdict.model_dump_json(include={"points"}).encode()).hexdigest()[:16]


def quotable(answered: Answered) -> list[str]:
    """The sentences and the lines of code of the replies, each once, in order."""
    found: dict[str, None] = {}
    for reply in answered.replies:
        for is_code, text in words_and_code(reply):
            lines = text.splitlines() if is_code else sentences(text)
            found |= dict.fromkeys(line.strip() for line in lines if line.strip())
    return list(found)[:_MOST_QUOTES]
