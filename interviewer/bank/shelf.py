"""The library's content as values, read from its tables."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.engine import Connection, Row

from interviewer.bank import tables as t
from interviewer.bank.clusters import Cluster, Decision, Member
from interviewer.bank.documents import DocumentQuestion
from interviewer.bank.rubric import QUICK_CHECK, to_question, to_quick_check
from interviewer.models import Question, Topic


@dataclass(frozen=True)
class Shelf:
    """What the library holds at one generation. ``corpus`` is the stamp of the bank that ``clusters`` were made with."""

    generation: int
    corpus: str = ""
    live: dict[str, Question] = field(default_factory=dict)
    retired: dict[str, Question] = field(default_factory=dict)
    clusters: tuple[Cluster, ...] = ()


def load_shelf(db: Connection, generation: int) -> Shelf:
    """All questions in the order of their import; a quick check follows the question that it stands with."""
    live: dict[str, Question] = {}
    retired: dict[str, Question] = {}
    query = select(t.questions, t.documents.c.source).join(t.documents).order_by(t.questions.c.seq)
    for row in db.execute(query):
        for question in _questions(row):
            (live if row.live else retired)[question.id] = question
    return Shelf(
        generation=generation,
        corpus=fact(db, "corpus") or "",
        live=live,
        retired=retired,
        clusters=_clusters(db),
    )


def load_decisions(db: Connection) -> list[Decision]:
    """In the order in which they were taken."""
    rows = db.execute(select(t.decisions).order_by(t.decisions.c.seq))
    return [Decision(row.kind, tuple(json.loads(row.left)), tuple(json.loads(row.right))) for row in rows]


def fact(db: Connection, name: str) -> str | None:
    return db.execute(select(t.facts.c.value).where(t.facts.c.name == name)).scalar()


def _questions(row: Row[tuple[object, ...]]) -> list[Question]:
    read = DocumentQuestion.model_validate_json(row.body)
    topic = Topic(row.topic)
    asked = to_question(read, id=row.id, topic=topic, source=row.source)
    check = to_quick_check(read, id=f"{row.id}-{QUICK_CHECK}", topic=topic, source=row.source)
    return [asked, check] if check else [asked]


def _clusters(db: Connection) -> tuple[Cluster, ...]:
    """The representative stands first in each, the others by their similarity to it."""
    members: dict[str, list[Member]] = {}
    for row in db.execute(select(t.clusters).order_by(t.clusters.c.cluster)):
        members.setdefault(row.cluster, []).append(Member(id=row.member, similarity=row.similarity))
    return tuple(
        Cluster(id=name, members=tuple(sorted(found, key=lambda m: (m.id != name, -m.similarity, m.id))))
        for name, found in members.items()
    )
