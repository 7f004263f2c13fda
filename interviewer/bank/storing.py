"""One read document into the library's tables, within the caller's transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from interviewer.bank import tables as t
from interviewer.bank.corpus import BANK_SOURCE
from interviewer.bank.documents import Document, DocumentQuestion
from interviewer.bank.doubts import Contradictions, doubted_claims
from interviewer.bank.matching import Stored, match
from interviewer.bank.results import IngestedQuestion, IngestResult, quick_check
from interviewer.bank.rubric import QUICK_CHECK, to_question
from interviewer.bank.slugs import slug, unique
from interviewer.bank.topics import topics_of
from interviewer.bank.vectors import Vectors
from interviewer.models import Question, Topic

_ID_LENGTH = 80 - len(f"-{QUICK_CHECK}")  # so that its quick check's id has room
_DOCUMENT_LENGTH = 24


@dataclass(frozen=True)
class _Place:
    """A document's row: ``slug`` begins its questions' ids, ``source`` is what references call it."""

    id: int
    slug: str
    source: str


def store_document(
    db: Connection, path: Path, document: Document, *, corpus: Sequence[Question], vectors: Vectors
) -> IngestResult:
    """Stores what changed in ``document`` since it was last read and says what that was."""
    place = _place(db, path.resolve(), document)
    stored = _stored(db, place)
    contradictions = Contradictions(corpus, vectors.encode)
    document = document.model_copy(update={"questions": tuple(_doubted(q, contradictions) for q in document.questions)})
    found = match(stored, document.questions)
    digests = [_digest(q) for q in document.questions]
    new = [i for i, old in enumerate(found) if old is None or old.digest != digests[i]]
    topics = topics_of([document.questions[i].question for i in new], corpus, vectors.encode)
    ids = _ids(db, place, document, found)
    _write(db, place, document, ids, digests, dict(zip(new, topics, strict=True)), found)
    gone = [old.id for old in stored if old.live and old.id not in ids]
    db.execute(update(t.questions).where(t.questions.c.id.in_(gone)).values(live=False))
    was_live = [old is not None and old.live for old in found]
    changed = sum(was_live[i] for i in new)
    return IngestResult(
        path=str(path),
        added=was_live.count(False),
        changed=changed,
        unchanged=was_live.count(True) - changed,
        retired=len(gone),
        questions=tuple(_told(name, read, place) for name, read in zip(ids, document.questions, strict=True)),
    )


def _doubted(read: DocumentQuestion, contradictions: Contradictions) -> DocumentQuestion:
    return read.model_copy(update={"doubted": doubted_claims(read.question, read.answer, contradictions)})


def _place(db: Connection, path: Path, document: Document) -> _Place:
    """The document's row, updated or made."""
    seen = {
        "title": document.title,
        "sha256": document.sha256,
        "read_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    row = db.execute(select(t.documents).where(t.documents.c.path == str(path))).first()
    if row:
        db.execute(update(t.documents).where(t.documents.c.id == row.id).values(seen))
        return _Place(row.id, row.slug, row.source)
    rows = db.execute(select(t.documents.c.slug, t.documents.c.source)).all()
    name = unique(slug(path.stem, _DOCUMENT_LENGTH, empty="document"), {r.slug for r in rows}, _DOCUMENT_LENGTH)
    source = _shortest_new(path, {r.source for r in rows})
    made = insert(t.documents).values(path=str(path), slug=name, source=source, **seen).returning(t.documents.c.id)
    return _Place(db.execute(made).scalar_one(), name, source)


def _shortest_new(path: Path, taken: set[str]) -> str:
    """The file's name, led by as many folders as it takes to tell it from others."""
    parts = path.parts
    names = ("/".join(parts[-count:]) for count in range(1, len(parts) + 1))
    return next((name for name in names if name not in taken and name != BANK_SOURCE), str(path))


def _stored(db: Connection, place: _Place) -> list[Stored]:
    rows = db.execute(select(t.questions).where(t.questions.c.document == place.id).order_by(t.questions.c.seq))
    return [
        Stored(r.id, r.position, r.live, r.digest, r.topic, DocumentQuestion.model_validate_json(r.body)) for r in rows
    ]


def _digest(read: DocumentQuestion) -> str:
    """Changes with whatever is asked or graded by; not with the question's number, which moves when others come."""
    return hashlib.sha256(read.model_dump_json(exclude={"number", "doubted"}).encode()).hexdigest()


def _ids(db: Connection, place: _Place, document: Document, found: Sequence[Stored | None]) -> list[str]:
    taken = set(db.execute(select(t.questions.c.id)).scalars())
    ids: list[str] = []
    for read, old in zip(document.questions, found, strict=True):
        prefix = f"doc-{place.slug}-"
        wanted = prefix + slug(read.question, _ID_LENGTH - len(prefix), empty="question")
        ids.append(old.id if old else unique(wanted, taken, _ID_LENGTH))
        taken.add(ids[-1])
    return ids


def _write(
    db: Connection,
    place: _Place,
    document: Document,
    ids: Sequence[str],
    digests: Sequence[str],
    topics: Mapping[int, Topic],
    found: Sequence[Stored | None],
) -> None:
    for i, (read, old) in enumerate(zip(document.questions, found, strict=True)):
        row: dict[str, Any] = {"position": i, "live": True, "digest": digests[i], "body": read.model_dump_json()}
        if i in topics:
            row["topic"] = topics[i].value
        if old:
            db.execute(update(t.questions).where(t.questions.c.id == ids[i]).values(row))
        else:
            db.execute(insert(t.questions).values(id=ids[i], document=place.id, **row))


def _told(name: str, read: DocumentQuestion, place: _Place) -> IngestedQuestion:
    kind = to_question(read, id=name, topic=Topic.FUNDAMENTALS, source=place.source).kind
    return IngestedQuestion(id=name, question=read.question, kind=kind, quick_check=quick_check(read.choice))
