"""Search by words: BM25 over all that a question and its answers say.

Promises: deterministic, in memory, built in well under a second for a thousand questions. Reads English: words are
stemmed, and the commonest are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np


class Words:
    """``texts`` by the id of the question that they belong to."""

    def __init__(self, texts: Mapping[str, str]):
        self._texts = dict(texts)

    def scores(self, text: str) -> dict[str, float]:
        """Each question that shares a word with ``text``: its BM25 score (Robertson and Zaragoza, 2009) as a part of the
        best one's, so that the best has 1."""
        if not self._texts:
            return {}
        import bm25s

        [words] = bm25s.tokenize(text, stopwords="en", stemmer=self._stemmer, show_progress=False, return_ids=False)
        found = self._index.get_scores(words) if words else np.zeros(len(self._texts))
        best = float(found.max())
        return {
            name: float(score) / best for name, score in zip(self._texts, found, strict=True) if best > 0 and score > 0
        }

    @cached_property
    def _stemmer(self) -> Any:
        import Stemmer

        return Stemmer.Stemmer("english")

    @cached_property
    def _index(self) -> Any:
        import bm25s

        tokens = bm25s.tokenize(list(self._texts.values()), stopwords="en", stemmer=self._stemmer, show_progress=False)
        index = bm25s.BM25(method="lucene")
        index.index(tokens, show_progress=False)
        return index
