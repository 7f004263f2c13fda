"""Step 2: this question's references, and the bank's neighbours of it."""

from __future__ import annotations

from interviewer.errors import UsageError
from interviewer.interview.state import Rooms, State, current

_NEIGHBOURS = 3


def retrieve(state: State, rooms: Rooms) -> State:
    now = current(state)
    if now is None:
        return {"retrieved": {"references": [], "neighbours": []}}
    try:
        references = rooms.bank.references(now.question.id)
        neighbours = rooms.bank.neighbours(now.question.id, _NEIGHBOURS)
    except UsageError:  # it left the bank since it was asked
        references, neighbours = now.question.references, []
    return {
        "retrieved": {
            "references": [r.model_dump(mode="json") for r in references],
            "neighbours": [hit.id for hit in neighbours],
        }
    }
