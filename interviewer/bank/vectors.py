"""Embeddings kept on disk by their text's hash, so that a text is embedded once and not once a process.

Promises: the same vectors as the embedder's; a lost, damaged or foreign file costs time and nothing else. The file is
a cache: it may be deleted at any time. Texts that are gone stay in it until then. Those of the bundled bank come with it
(``.ci/vectors`` writes them), so that the first search and the first document on a machine don't wait for a thousand texts.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from interviewer.embedding import DIMENSIONS, MODEL_SHA256, Embedder, Matrix

_log = logging.getLogger(__name__)
SHIPPED = "vectors.sqlite3"  # beside the bundled questions
_BATCH = 500  # keys in one query


class Vectors:
    """The embedder's vectors, with the file at ``path`` before it. ``shipped``: another such file, never written."""

    def __init__(self, path: Path, embedder: Embedder, shipped: Path | None = None):
        self._path = path
        self._shipped = shipped
        self._embedder = embedder
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Embeddings of ``texts``: float32 [len(texts), 384], each row of length 1."""
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        keys = [_key(text) for text in texts]
        with self._lock:
            known = self._read(keys)
            known.update(self._read_shipped([key for key in keys if key not in known]))
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            if new:
                known.update(zip(new, self._embedder.encode(list(new.values())), strict=True))
                self._write({key: known[key] for key in new})
        return np.stack([known[key] for key in keys])

    def _read(self, keys: Sequence[str]) -> dict[str, Matrix]:
        found: dict[str, Matrix] = {}
        if not self._path.exists():
            return found
        try:
            with closing(sqlite3.connect(self._path, timeout=30)) as db:
                found = _select(db, keys)
        except sqlite3.OperationalError:  # busy for long, or made by another process this moment
            return found
        except sqlite3.DatabaseError as error:
            _log.warning("The kept embeddings in %s can't be read (%s); they are made anew.", self._path, error)
            self._path.unlink(missing_ok=True)
        return {key: vector for key, vector in found.items() if vector.shape == (DIMENSIONS,)}

    def _read_shipped(self, keys: Sequence[str]) -> dict[str, Matrix]:
        if not keys or self._shipped is None or not self._shipped.exists():
            return {}
        address = f"{self._shipped.resolve().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as db:
            return _select(db, keys)

    def _write(self, rows: dict[str, Matrix]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(sqlite3.connect(self._path, timeout=30)) as db, db:
                db.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL)")
                db.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?)", [(key, row.tobytes()) for key, row in rows.items()]
                )
        except sqlite3.OperationalError as error:
            _log.warning(
                "%d embeddings could not be kept in %s (%s); they will be made again.", len(rows), self._path, error
            )


def _select(db: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Matrix]:
    found: dict[str, Matrix] = {}
    for start in range(0, len(keys), _BATCH):
        part = keys[start : start + _BATCH]
        marks = ",".join("?" * len(part))
        rows = db.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part)
        found.update((key, np.frombuffer(blob, dtype=np.float32)) for key, blob in rows)
    return found


def _key(text: str) -> str:
    return hashlib.sha256(f"{MODEL_SHA256}\0{text}".encode()).hexdigest()
