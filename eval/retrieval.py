"""How well a question of the bank is found by words that it doesn't contain.

Drives the door of ``interviewer search``. Three sets of texts were written by readers of the questions who had not seen
what a search returns. ``paraphrases`` ask the same in other words, two for each question; they were written last, and
nothing was changed after them. ``chosen-on`` are like them; by these the signs and weights of the search were chosen.
``riddles`` avoid even the subject's own vocabulary, as somebody does who has forgotten every name.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from interviewer.errors import UsageError
from interviewer.models import Hit, Value

_FOLDER = Path(__file__).parent / "cases" / "retrieval"
PARAPHRASES, CHOSEN_ON, RIDDLES = (_FOLDER / f"{name}.jsonl" for name in ("paraphrases", "chosen-on", "riddles"))
_DEPTH = 10


class Paraphrase(Value):
    question_id: str
    text: str


class Searches(Protocol):
    def search(self, text: str, k: int) -> list[Hit]: ...


def read_paraphrases(path: Path = PARAPHRASES) -> list[Paraphrase]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error}. Nothing was searched.") from error
    return [Paraphrase.model_validate_json(line) for line in lines if line.strip()]


def evaluate(
    bank: Searches, wanted: Sequence[Paraphrase], progress: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Shares of searches whose question comes first, and among the first three; the mean reciprocal rank (0 below the
    tenth); milliseconds of a search in this warm process; and each miss with what came first instead."""
    bank.search("warm up", 1)
    rows, times = [], []
    for paraphrase in wanted:
        began = time.perf_counter()
        hits = bank.search(paraphrase.text, _DEPTH)
        times.append((time.perf_counter() - began) * 1000)
        names = [hit.id for hit in hits]
        rank = names.index(paraphrase.question_id) + 1 if paraphrase.question_id in names else 0
        rows.append((paraphrase, rank, names[0]))
        progress()
    return {
        "searches": len(rows),
        **_shares([rank for _, rank, _ in rows]),
        "median_ms": statistics.median(times),
        "p95_ms": statistics.quantiles(times, n=20)[-1],
        "misses": [
            {"wanted": p.question_id, "rank": rank, "first": first, "text": p.text}
            for p, rank, first in rows
            if rank != 1
        ],
    }


def _shares(ranks: Sequence[int]) -> dict[str, float]:
    count = len(ranks) or 1
    return {
        "first": sum(rank == 1 for rank in ranks) / count,
        "first_three": sum(1 <= rank <= 3 for rank in ranks) / count,
        "mrr": sum(1 / rank for rank in ranks if rank) / count,
    }
