"""The imported documents as the library keeps them: what each is called, when it was read, and how many questions it has."""

from __future__ import annotations

from sqlalchemy import Integer, cast, func, select, update
from sqlalchemy.engine import Connection

from interviewer.bank import tables as t
from interviewer.models import Value


class KeptDocument(Value):
    """``slug`` names it, and begins its questions' ids; ``source`` is what references call it, ``path`` where it was read
    from, ``sha256`` of the bytes that were. ``live`` of its questions are in use, ``retired`` no longer."""

    slug: str
    source: str
    path: str
    title: str
    sha256: str
    read_at: str
    live: int
    retired: int


def kept_documents(db: Connection) -> tuple[KeptDocument, ...]:
    """The one that was read last comes first."""
    live = func.coalesce(func.sum(cast(t.questions.c.live, Integer)), 0)
    query = (
        select(t.documents, live.label("live"), func.count(t.questions.c.seq).label("all"))
        .join_from(t.documents, t.questions, isouter=True)
        .group_by(t.documents.c.id)
        .order_by(t.documents.c.read_at.desc(), t.documents.c.id.desc())
    )
    return tuple(
        KeptDocument(
            slug=row.slug,
            source=row.source,
            path=row.path,
            title=row.title or row.source,
            sha256=row.sha256,
            read_at=row.read_at,
            live=row.live,
            retired=row.all - row.live,
        )
        for row in db.execute(query)
    )


def retire_all(db: Connection, slug: str) -> int:
    """Takes every question of the document out of use, and says how many those were."""
    document = select(t.documents.c.id).where(t.documents.c.slug == slug).scalar_subquery()
    of_it = (t.questions.c.document == document) & t.questions.c.live
    return db.execute(update(t.questions).where(of_it).values(live=False)).rowcount
