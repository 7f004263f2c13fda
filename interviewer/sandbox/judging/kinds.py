"""Which check is done by whom. Each takes a solved case and a caller, and raises Wrong with the words for a person.

What it returns, if anything, is a comparison that needs the slot no more, and raises Wrong in its turn.
"""

from __future__ import annotations

from collections.abc import Callable

from interviewer.models import CheckKind
from interviewer.sandbox.judging.caller import Caller
from interviewer.sandbox.judging.chance import determinism, property_
from interviewer.sandbox.judging.gradcheck import gradcheck
from interviewer.sandbox.judging.layouts import layout, view
from interviewer.sandbox.judging.modules import modes, state
from interviewer.sandbox.judging.solving import Solved
from interviewer.sandbox.judging.values import Rest, gradient, in_place, values

KINDS: dict[CheckKind, Callable[[Solved, Caller], Rest | None]] = {
    CheckKind.VALUES: values,
    CheckKind.GRADIENT: gradient,
    CheckKind.GRADCHECK: gradcheck,
    CheckKind.IN_PLACE: in_place,
    CheckKind.LAYOUT: layout,
    CheckKind.VIEW: view,
    CheckKind.STATE: state,
    CheckKind.MODES: modes,
    CheckKind.DETERMINISM: determinism,
    CheckKind.PROPERTY: property_,
}
