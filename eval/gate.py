"""Bounds that a run's figures must keep, from ``gate.json`` in this folder: what was reached is not lost unnoticed.

By name of the run, by dotted path of the figure, the ``least`` or the ``most`` that it may be:
``{"dev": {"overall.pearson": {"least": 0.85}}}``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import RootModel, ValidationError, model_validator

from interviewer.errors import UsageError
from interviewer.models import Value

BOUNDS = Path(__file__).with_name("gate.json")


class Bound(Value):
    least: float | None = None
    most: float | None = None

    @model_validator(mode="after")
    def _bounds_something(self) -> Self:
        if self.least is None and self.most is None:
            raise ValueError("a bound needs least or most")
        return self


class _Bounds(RootModel[dict[str, dict[str, Bound]]]):
    pass


def run_name(paths: Sequence[Path]) -> str:
    """The name of a run over these cases: the folder's or the file's, without its ending; of several, joined by ``+``."""
    return "+".join(sorted(path.resolve().name if path.is_dir() else path.stem for path in paths))


def bounds_of(run: str, path: Path = BOUNDS) -> dict[str, Bound]:
    """Raises UsageError where none are stored for ``run``, or where the file can't be understood."""
    try:
        stored = _Bounds.model_validate_json(path.read_bytes()).root
    except (OSError, ValidationError) as error:
        raise UsageError(f"The bounds in {path} can't be read; nothing was graded: {error}") from error
    if not stored.get(run):
        known = ", ".join(sorted(name for name in stored if stored[name])) or "no run"
        raise UsageError(
            f"There are no bounds for a run called {run!r}, so there is no gate to pass; nothing was graded. "
            f"{path.name} knows {known}."
        )
    return stored[run]


def broken(figures: Mapping[str, Any], bounds: Mapping[str, Bound], run: str) -> list[str]:
    """A sentence for each figure beyond its bound, or that this run does not have."""
    said = []
    for name, bound in bounds.items():
        value = _figure(figures, name)
        if value is None:
            said.append(f"{run}: {name} is bounded, but this run has no such figure.")
        elif bound.least is not None and value < bound.least:
            said.append(f"{run}: {name} is {value:g}; it must be at least {bound.least:g}.")
        elif bound.most is not None and value > bound.most:
            said.append(f"{run}: {name} is {value:g}; it may be at most {bound.most:g}.")
    return said


def _figure(figures: Mapping[str, Any], path: str) -> float | None:
    value: Any = figures
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return float(value) if isinstance(value, int | float) else None
