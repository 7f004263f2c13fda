"""What an event shows step by step, less what it has shown already: Gradio makes every box anew that it is told of, changed or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

Updates = dict[Any, Any]


def only_changed(steps: Iterable[Updates]) -> Iterator[Updates]:
    """Each step without the boxes that the steps before left as it would have them. Steps that change nothing are left out."""
    shown: Updates = {}
    for step in steps:
        new = {box: update for box, update in step.items() if box not in shown or _plain(shown[box]) != _plain(update)}
        shown |= new
        if new:
            yield new


def _plain(update: Any) -> Any:
    """An update that is made by calling a component is compared by what was said of it."""
    return getattr(update, "constructor_args", update)
