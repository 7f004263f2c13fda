"""Edits of replies with a known right effect on the score: what a fair grader sees through, and what it must notice.

``all_edits`` is the list; each family is a file. The edits are pure functions on text and know nothing of any grader.
"""

from __future__ import annotations

from functools import cache

from eval.tampering.announced import announced_edits
from eval.tampering.edit import Edit, Evidence, Expects, Material
from eval.tampering.flips import flip_edits
from eval.tampering.floods import flood_edits
from eval.tampering.forged import forged_edits
from eval.tampering.injections import injection_edits
from eval.tampering.layout import layout_edits
from eval.tampering.lookalikes import lookalike_edits
from eval.tampering.nothing import nothing_edits
from eval.tampering.padding import padding_edits
from eval.tampering.rewording import rewording_edits
from eval.tampering.typos import typo_edits

__all__ = ["Edit", "Evidence", "Expects", "Material", "all_edits"]


@cache
def all_edits() -> tuple[Edit, ...]:
    """Every edit of every family; their names are all different."""
    return (
        *injection_edits(),
        *forged_edits(),
        *announced_edits(),
        *padding_edits(),
        *rewording_edits(),
        *typo_edits(),
        *layout_edits(),
        *lookalike_edits(),
        *flip_edits(),
        *nothing_edits(),
        *flood_edits(),
    )
