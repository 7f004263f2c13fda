"""The language model, opened at its first use: providers' libraries take seconds to load, and the first question doesn't
wait for them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from interviewer.embedding import IMPORTING
from interviewer.errors import ModelUnavailable
from interviewer.llm.model import LanguageModel, open_language_model
from interviewer.settings import Settings

_log = logging.getLogger(__name__)


class LazyModel:
    """Opens once a process. ``problem`` says why a model that the settings name can't be had, once that is known."""

    def __init__(
        self, settings: Settings, open_model: Callable[[Settings], LanguageModel | None] = open_language_model
    ):
        self._settings = settings
        self._open = open_model
        self._lock = threading.Lock()
        self._opened = False
        self._model: LanguageModel | None = None
        self.problem = ""

    def __call__(self) -> LanguageModel | None:
        """None where none is named, or it can't be set up: the interview goes on without."""
        with self._lock:
            if not self._opened:
                self._opened = True
                try:
                    with IMPORTING:
                        self._model = self._open(self._settings)
                except ModelUnavailable as error:
                    self.problem = str(error)
                    _log.error("%s", error)
            return self._model
