"""The vector index: Chroma, embedded, as a cache of what the library and the bank hold.

Promises: vectors come from our embedder alone; an index that is missing, damaged, of another state or half-built is
built anew from the texts. Each state of the texts has a folder of its own, which is never changed once complete: a
process that still searches an older state is not disturbed, and Chroma's one-process rule holds.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import shutil
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from interviewer.embedding import Matrix

_log = logging.getLogger(__name__)
_COMPLETE = "complete"
_KEPT = 2  # folders of a name: the newest, and one that another process may still search


@dataclass(frozen=True)
class Text:
    """A text to be found. ``question`` is the id of the question that it belongs to."""

    id: str
    text: str
    question: str


@dataclass(frozen=True)
class Found:
    question: str
    text: str
    score: float


class Index:
    """The texts of one name ("questions", "passages") below ``folder``, searchable by cosine similarity."""

    def __init__(self, folder: Path, lock_file: Path, name: str, encode: Callable[[Sequence[str]], Matrix]):
        self._folder = folder
        self._lock_file = lock_file
        self._name = name
        self._encode = encode
        self._lock = threading.RLock()
        self._state = ""
        self._opened = folder
        self._client: Any = None
        self._collection: Any = None

    def search(self, text: str, k: int, texts: Sequence[Text]) -> list[Found]:
        """The ``k`` of ``texts`` nearest to ``text``, best first."""
        if not texts:
            return []
        vector = self._encode([text])
        with self._lock:
            self._be_at(texts)
            try:
                return self._query(vector, min(k, len(texts)))
            except Exception as error:  # Chroma has no error of its own for a damaged file
                self._rebuild(texts, str(error))
                return self._query(vector, min(k, len(texts)))

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = self._collection = None
            self._state = ""

    def _query(self, vector: Matrix, k: int) -> list[Found]:
        rows = self._collection.query(
            query_embeddings=vector, n_results=k, include=["distances", "documents", "metadatas"]
        )
        return [
            Found(question=str(metadata["question"]), text=str(text), score=max(-1.0, min(1.0, 1.0 - float(distance))))
            for metadata, text, distance in zip(
                rows["metadatas"][0], rows["documents"][0], rows["distances"][0], strict=True
            )
        ]

    def _be_at(self, texts: Sequence[Text]) -> None:
        """Opens the index of exactly these texts, building it where there is none."""
        state = _state(texts)
        if state == self._state:
            return
        self.close()
        self._lock_file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self._lock_file):
            folder = self._complete(state) or self._build(state, texts)
            try:
                self._open(folder, len(texts))
            except Exception as error:  # see search
                folder = self._replace(folder, state, texts, str(error))
                self._open(folder, len(texts))
            self._forget_old(folder)
        self._state, self._opened = state, folder

    def _rebuild(self, texts: Sequence[Text], reason: str) -> None:
        state, folder = self._state, self._opened
        self.close()
        with FileLock(self._lock_file):
            self._replace(folder, state, texts, reason)
        self._be_at(texts)

    def _replace(self, folder: Path, state: str, texts: Sequence[Text], reason: str) -> Path:
        _log.warning("The search index in %s is damaged (%s); it is built anew.", folder, reason)
        shutil.rmtree(folder, ignore_errors=True)
        return self._build(state, texts)

    def _complete(self, state: str) -> Path | None:
        return next((f for f in self._folder.glob(f"{self._name}-{state}-*") if (f / _COMPLETE).is_file()), None)

    def _build(self, state: str, texts: Sequence[Text]) -> Path:
        """A new folder each time: Chroma remembers a path for the life of the process, a broken one too."""
        _log.info("Building the search index of %d %s.", len(texts), self._name)
        folder = self._folder / f"{self._name}-{state}-{secrets.token_hex(4)}"
        folder.mkdir(parents=True)
        client = _client(folder)
        collection = client.create_collection(
            self._name, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )
        step = client.get_max_batch_size()
        for part in (texts[i : i + step] for i in range(0, len(texts), step)):
            collection.add(
                ids=[t.id for t in part],
                embeddings=self._encode([t.text for t in part]),
                documents=[t.text for t in part],
                metadatas=[{"question": t.question} for t in part],
            )
        client.close()
        (folder / _COMPLETE).touch()
        return folder

    def _open(self, folder: Path, count: int) -> None:
        self._client = _client(folder)
        self._collection = self._client.get_collection(self._name, embedding_function=None)
        if self._collection.count() != count:
            raise ValueError("texts are missing from it")

    def _forget_old(self, current: Path) -> None:
        folders = sorted(self._folder.glob(f"{self._name}-*"), key=lambda f: f.stat().st_mtime, reverse=True)
        for old in [f for f in folders if f != current][_KEPT - 1 :]:
            shutil.rmtree(old, ignore_errors=True)


def _client(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


def _state(texts: Iterable[Text]) -> str:
    told = "\0".join(f"{t.id}\0{t.question}\0{t.text}" for t in texts)
    return hashlib.sha256(told.encode()).hexdigest()[:16]
