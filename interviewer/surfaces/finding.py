"""What `interviewer doctor` finds of one part."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """``needed``: the interviewer doesn't work without it."""

    name: str
    ok: bool
    needed: bool
    detail: str
    mend: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
