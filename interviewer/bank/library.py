"""The imported documents, kept: their questions, what was retired, and what was decided on clusters.

Promises: one call of ``ingest`` is stored whole or not at all; reading a document again changes only what changed in
it; a question that vanished is retired, never deleted, and can still be had by its id; ids don't change. A document is
its file's resolved path. Does not search, and makes no file before the first document is ingested.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock
from sqlalchemy import Engine, delete, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Connection

from interviewer.bank import tables as t
from interviewer.bank.clusters import Decided, Decision, Entry, compared_texts, propose
from interviewer.bank.corpus import bundled_corpus
from interviewer.bank.documents import Document, read_document
from interviewer.bank.documents_kept import KeptDocument, kept_documents, retire_all
from interviewer.bank.results import IngestResult
from interviewer.bank.shelf import Shelf, fact, load_decisions, load_shelf
from interviewer.bank.storing import store_document
from interviewer.bank.topics import topic_texts
from interviewer.bank.vectors import SHIPPED, Vectors
from interviewer.bank.view import make_view
from interviewer.embedding import Embedder
from interviewer.errors import DocumentRefused, UsageError
from interviewer.models import Question
from interviewer.settings import Settings


class Library:
    """The imported documents in ``settings.library``, beside the bank's own questions (``corpus``)."""

    def __init__(self, settings: Settings, corpus: tuple[Question, ...], embedder: Embedder):
        self._path = settings.library
        self._corpus = corpus
        self._stamp = corpus_stamp(corpus)
        self._vectors = kept_vectors(settings, embedder)
        self._file_lock_path = settings.locks / "library.lock"
        self._lock = threading.RLock()
        self._engine: Engine | None = None
        self._shelf = Shelf(generation=0)

    @property
    def vectors(self) -> Vectors:
        return self._vectors

    def ingest(self, paths: Sequence[Path]) -> list[IngestResult]:
        """Reads all documents, then stores them all. Raises DocumentRefused where one can't be read."""
        read = _read_all(paths)
        with self._writing() as engine, engine.begin() as db:
            results = [
                store_document(db, path, document, corpus=self._corpus, vectors=self._vectors)
                for path, document in read
            ]
            if any(r.added or r.changed or r.retired for r in results):
                self._recluster(db)
        return results

    def shelf(self) -> Shelf:
        """Everything, as it stands now; what another process changed is seen."""
        with self._lock:
            if self._engine is None and not self._path.exists():
                return self._shelf
            with self._open().connect() as db:
                generation = int(fact(db, "generation") or 0)
                if generation != self._shelf.generation:
                    self._shelf = load_shelf(db, generation)
            return self._shelf

    def documents(self) -> tuple[KeptDocument, ...]:
        """The one that was read last comes first."""
        if not self._path.exists():
            return ()
        with self._open().connect() as db:
            return kept_documents(db)

    def retire(self, slug: str) -> int:
        """Takes all questions of a document out of use; how many those were. Raises UsageError where there is no such
        document. Reading it again brings them back."""
        if slug not in {document.slug for document in self.documents()}:
            raise UsageError(f"There is no document {slug!r} here. Nothing was changed.")
        with self._writing() as engine, engine.begin() as db:
            retired = retire_all(db, slug)
            if retired:
                self._recluster(db)
        return retired

    def bring_clusters_up_to_date(self) -> None:
        """Proposes clusters anew where the bank's own questions are others than when it was done last."""
        shelf = self.shelf()
        if shelf.live and shelf.corpus != self._stamp:
            with self._writing() as engine, engine.begin() as db:
                self._recluster(db)

    def split(self, cluster: str, member: str) -> None:
        """Takes ``member`` out of its cluster for good."""
        members = self._members(cluster)
        if member not in members or len(members) == 1:
            raise UsageError(
                f"{member!r} is not one of several questions of the cluster {cluster!r}, so nothing was split. "
                "`interviewer bank clusters` shows which questions are together."
            )
        self._decide("split", (member,), tuple(m for m in members if m != member))

    def merge(self, one: str, other: str) -> None:
        """Makes the clusters in which ``one`` and ``other`` stand a single one, for good."""
        left, right = self._members(one), self._members(other)
        if left == right:
            raise UsageError(f"{one!r} and {other!r} are in one cluster already, so nothing was merged.")
        self._decide("merge", left, right)

    def undo(self) -> Decision:
        """Takes the last decision back, and returns it."""
        with self._writing() as engine, engine.begin() as db:
            decided = load_decisions(db)
            if not decided:
                raise UsageError("No clusters were split or merged by hand, so there is nothing to undo.")
            db.execute(
                delete(t.decisions).where(t.decisions.c.seq == select(func.max(t.decisions.c.seq)).scalar_subquery())
            )
            self._recluster(db)
        return decided[-1]

    def close(self) -> None:
        with self._lock:
            if self._engine is not None:
                self._engine.dispose()
                self._engine = None

    def _members(self, question_id: str) -> tuple[str, ...]:
        """All in the cluster of ``question_id``."""
        self.bring_clusters_up_to_date()
        clusters = make_view(self._corpus, self.shelf()).cluster_of
        if question_id not in clusters:
            raise UsageError(f"There is no question {question_id!r} in use here, so no cluster was changed.")
        return tuple(m.id for m in clusters[question_id].members)

    def _decide(self, kind: Decided, left: tuple[str, ...], right: tuple[str, ...]) -> None:
        with self._writing() as engine, engine.begin() as db:
            row = {"kind": kind, "left": json.dumps(left), "right": json.dumps(right), "decided_at": _now()}
            db.execute(insert(t.decisions).values(row))
            self._recluster(db)

    def _recluster(self, db: Connection) -> None:
        """Proposes all clusters anew and steps the generation, so that everyone loads what changed."""
        generation = int(fact(db, "generation") or 0) + 1
        shelf = load_shelf(db, generation)
        entries = [_entry(q) for q in (*self._corpus, *shelf.live.values())]
        decided = load_decisions(db)
        db.execute(delete(t.clusters))
        rows = [
            {"member": m.id, "cluster": cluster.id, "similarity": m.similarity}
            for cluster in propose(entries, self._vectors.encode, decided)
            for m in cluster.members
        ]
        if rows:
            db.execute(insert(t.clusters), rows)
        for name, value in (("generation", str(generation)), ("corpus", self._stamp)):
            statement = insert(t.facts).values(name=name, value=value)
            db.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))

    def _open(self) -> Engine:
        with self._lock:
            if self._engine is None:
                self._engine = t.open_library(self._path)
            return self._engine

    @contextmanager
    def _writing(self) -> Iterator[Engine]:
        """One writer at a time, among threads and among processes."""
        self._file_lock_path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self._file_lock_path):
            yield self._open()


def kept_vectors(settings: Settings, embedder: Embedder) -> Vectors:
    """With the file in ``settings.index`` before the embedder, and the one of the bundled bank before both."""
    return Vectors(settings.index / "vectors.sqlite3", embedder, bundled_corpus() / SHIPPED)


def own_texts(corpus: Sequence[Question]) -> list[str]:
    """All that is embedded of the bank's own questions: to find them, to tell topics, and to join what is the same."""
    view = make_view(corpus, Shelf(generation=0))
    return [*view.embedded_texts, *topic_texts(corpus), *compared_texts([_entry(q) for q in corpus])]


def corpus_stamp(corpus: Sequence[Question]) -> str:
    """Changes when a question of the bank, or its answer, does."""
    told = "\0".join(f"{q.id}\0{q.question}\0{q.references[0].text}" for q in corpus)
    return hashlib.sha256(told.encode()).hexdigest()


def _read_all(paths: Sequence[Path]) -> list[tuple[Path, Document]]:
    """Each document once, under the path by which it was named first."""
    read: dict[Path, tuple[Path, Document]] = {}
    refused: list[DocumentRefused] = []
    for path in paths:
        try:
            document = read_document(path)
        except DocumentRefused as error:
            refused.append(error)
        else:
            read.setdefault(path.resolve(), (path, document))
    if refused:
        first, *more = refused
        raise DocumentRefused(
            first.path, " ".join([first.reason, *(f"Refused as well: {r.path}: {r.reason}" for r in more)])
        )
    return list(read.values())


def _entry(question: Question) -> Entry:
    reference = question.references[0]
    return Entry(id=question.id, question=question.question, answer=reference.text, place=reference.source)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
