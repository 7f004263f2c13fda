"""A GGUF file served from inside this process, by xllamacpp (llama.cpp) over its OpenAI-compatible HTTP interface.

Promises one server for each file, which lives as long as the process, listens on the loopback address alone and answers one
request at a time. Does not download anything, and does not say how good a model is.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from interviewer.errors import ModelUnavailable

_MAGIC = b"GGUF"
_CONTEXT = 8192  # tokens; the server lowers it to what the model was made for
_WITHOUT = "Without it, unset INTERVIEWER_MODEL (and INTERVIEWER_VOICE_MODEL): the interview needs no language model."

_lock = threading.Lock()
_serving: dict[Path, Any] = {}


def serve(path: Path) -> str:
    """The address, ending in /v1, of the server for ``path``; the first call loads the file, which takes seconds where it
    is large. Raises ModelUnavailable with what to do where it can't be served."""
    file = path.expanduser().resolve()
    with _lock:
        if file not in _serving:
            _check(file)
            _serving[file] = _started(file)
        return f"{_serving[file].listening_address}/v1"


def _check(file: Path) -> None:
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(_MAGIC))
    except OSError as error:
        raise ModelUnavailable(
            f"The language model's file {file} can't be read: {error.strerror}. Nothing was started. Name a GGUF file that is "
            f"there as gguf:PATH. {_WITHOUT}"
        ) from error
    if begins != _MAGIC:
        raise ModelUnavailable(
            f"{file} is no GGUF file. Nothing was started. Models in other formats need a server of their own, at "
            f"INTERVIEWER_MODEL_URL. {_WITHOUT}"
        )


def _started(file: Path) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise ModelUnavailable(
            "GGUF files need a package that is not installed: `pip install 'pytorch-interviewer[gguf]'`. " + _WITHOUT
        ) from error
    asked = xllamacpp.CommonParams()
    asked.model.path = str(file)
    asked.n_ctx = _CONTEXT
    asked.n_parallel = 1
    asked.use_jinja = True  # the file's own chat template, with tools
    asked.verbosity = -1
    # All cores but one: where the page and the judge want them too, as many threads as cores slow each other down.
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 1) - 1)
    # Whatever else runs here, pages in a browser included, is not to read along; and the prompts of a finished interview are
    # not to be kept in up to 8 GiB of memory.
    asked.hostnames = ["127.0.0.1"]
    asked.cors_origins = "http://127.0.0.1"
    asked.endpoint_slots = asked.ui = False
    asked.cache_ram_mib = 0
    try:
        return xllamacpp.Server(asked)
    except RuntimeError as error:
        raise ModelUnavailable(
            f"llama.cpp can't load {file}: the file is damaged, of a kind that it doesn't know, or larger than the free "
            f"memory. Nothing was started. Download it again, or name a smaller one. {_WITHOUT}"
        ) from error
