"""The question bank for those who keep it: to search, and to read a question with all that belongs to it."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

from interviewer.errors import UsageError
from interviewer.house import House
from interviewer.models import Kind, Level, Question, Topic, Value
from interviewer.surfaces.web.guard import Admin
from interviewer.surfaces.web.html import page

_ON_A_PAGE = 30
_HITS = 100  # of a search, before they are filtered


class Filter(Value):
    """What the list is narrowed to; empty for what it isn't."""

    text: str
    topic: str
    level: str
    kind: str

    def holds(self, question: Question) -> bool:
        pairs = ((self.topic, question.topic), (self.level, question.level), (self.kind, question.kind))
        return all(wanted in ("", value.value) for wanted, value in pairs)


def bank_pages(house: House) -> APIRouter:
    pages = APIRouter(prefix="/bank")
    bank = house.bank

    @pages.get("")
    def browse(
        person: Admin, q: str = "", topic: str = "", level: str = "", kind: str = "", part: str = "1"
    ) -> Response:
        narrowed = Filter(text=q.strip(), topic=topic, level=level, kind=kind)
        found = [question for question in _found(narrowed) if narrowed.holds(question)]
        number = int(part) if part.isdecimal() and len(part) < 6 else 1
        last = max(1, -(-len(found) // _ON_A_PAGE))
        number = min(max(1, number), last)
        return page(
            "bank.html",
            person,
            filter=narrowed,
            topics=Topic,
            levels=Level,
            kinds=Kind,
            count=len(found),
            questions=found[(number - 1) * _ON_A_PAGE : number * _ON_A_PAGE],
            part=number,
            last=last,
            documents=len(bank.documents()),
        )

    @pages.get("/{question_id}")
    def question(person: Admin, question_id: str) -> Response:
        try:
            found = bank.get(question_id)
        except UsageError:
            raise HTTPException(404) from None
        return page(
            "question.html",
            person,
            question=found,
            references=bank.references(question_id),
            in_use=bank.in_use(question_id),
        )

    def _found(narrowed: Filter) -> Sequence[Question]:
        """What fits the words best comes first; without words all there is."""
        if not narrowed.text:
            return bank.questions()
        return [bank.get(hit.id) for hit in bank.search(narrowed.text, _HITS)]

    return pages
