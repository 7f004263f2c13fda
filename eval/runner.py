"""Grades many cases: in parallel over processes or a Ray cluster, each result kept, so that a run that was cut off goes on.

Promises the same results whatever the number of processes and wherever they run, in the order of the cases. A result is
kept under what it depends on, the case, the bank and the grader's version, and is used again only where all three are the
same; one that a machine's or a language model's fault left its mark on is not kept. Does not decide what the figures mean: see grading.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from joblib import Parallel, delayed, parallel_config

from eval.cases import Case
from interviewer.database import Kept
from interviewer.errors import MissingPart
from interviewer.grading.opinion import JUDGING_PROMPTS
from interviewer.grading.version import grader_version
from interviewer.house import House, assemble
from interviewer.interview.single import Graded, Item, grade_item
from interviewer.prompts import load
from interviewer.settings import Settings, load_settings

_CHUNK = 16  # cases that a process takes at a time

Advance = Callable[[int], None]


class Results:
    """What was graded before, in the database file at ``path``."""

    def __init__(self, path: Path):
        self._kept = Kept(path, "Move it away to grade everything anew.")

    def get(self, keys: Sequence[str]) -> dict[str, Graded]:
        return {key: Graded.model_validate_json(body) for key, body in self._kept.get(keys).items()}

    def put(self, graded: dict[str, Graded]) -> None:
        self._kept.put({key: value.model_dump_json() for key, value in graded.items() if _whole(value)})


def grade_all(
    cases: Sequence[Case],
    settings: Settings,
    *,
    jobs: int = 1,
    over_ray: bool = False,
    again: bool = False,
    advance: Advance = lambda _: None,
) -> list[Graded]:
    """One Graded for each case, in their order. ``jobs``: processes; ``over_ray``: they are spread over the cluster that
    ``settings.ray_address`` names, or a local one; ``again``: without what was kept. ``advance`` is told how many more
    are done. Raises MissingPart where Ray is wanted and not installed."""
    version = f"{grader_version()} {_bank_version(settings)} {_model_version(settings)}"
    keys = [_key(case, version) for case in cases]
    results = Results(settings.home / "eval" / "results.sqlite3")
    done = {} if again else results.get(keys)
    advance(sum(key in done for key in keys))
    left = {key: case for key, case in zip(keys, cases, strict=True) if key not in done}
    chunks = [list(left.items())[i : i + _CHUNK] for i in range(0, len(left), _CHUNK)]
    for graded in _spread(chunks, jobs, over_ray):
        results.put(graded)
        done |= graded
        advance(sum(key in graded for key in keys))
    return [done[key].model_copy(update={"id": case.id}) for key, case in zip(keys, cases, strict=True)]


def _spread(chunks: list[list[tuple[str, Case]]], jobs: int, over_ray: bool) -> Iterator[dict[str, Graded]]:
    if not chunks:
        return
    if jobs == 1 and not over_ray:
        yield from map(_grade_chunk, chunks)
        return
    with _backend(over_ray, jobs):
        yield from Parallel(return_as="generator_unordered")(delayed(_grade_chunk)(chunk) for chunk in chunks)


@contextlib.contextmanager
def _backend(over_ray: bool, jobs: int) -> Iterator[None]:
    if over_ray:
        if importlib.util.find_spec("ray") is None:
            raise MissingPart(
                "Ray is not installed; nothing was graded. `pip install 'pytorch-interviewer[ray]'` brings it."
            )
        from ray.util.joblib import register_ray

        register_ray()  # type: ignore[no-untyped-call]
    with parallel_config(backend="ray" if over_ray else "loky", n_jobs=jobs):
        yield


def _grade_chunk(chunk: Sequence[tuple[str, Case]]) -> dict[str, Graded]:
    house = _house()
    graded = {}
    for key, case in chunk:
        began = time.perf_counter()
        item = Item(id=case.id, question=case.question, answer=case.answer, reference=case.reference)
        result = grade_item(item, house.bank, house.grader(), house.sandbox)
        graded[key] = result.model_copy(update={"seconds": time.perf_counter() - began})
    return graded


@lru_cache(maxsize=1)
def _house() -> House:
    """One for each process, warm; the settings come from the environment, as everywhere."""
    house = assemble(load_settings())
    house.judge.warm()
    return house


def _whole(graded: Graded) -> bool:
    return not graded.unscored and not (graded.verdict and graded.verdict.notes)


def _key(case: Case, version: str) -> str:
    parts = (version, case.question, case.reference, case.answer)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _model_version(settings: Settings) -> str:
    """Of the language model that has a part in the grading, and of the prompts that it is asked with."""
    if settings.model is None:
        return ""
    digests = " ".join(load(name).digest for name in JUDGING_PROMPTS)
    return f"{settings.model} {settings.model_url or ''} {digests}"


def _bank_version(settings: Settings) -> str:
    """Of all questions, since any may be the one that a case's words name."""
    digest = hashlib.sha256()
    for question in sorted(assemble(settings).bank.questions(), key=lambda q: q.id):
        digest.update(question.model_dump_json().encode())
    return digest.hexdigest()
