"""The texts that edits put in, as YAML files beside this one; data only."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml


@cache
def read(name: str) -> Any:
    """What stands in ``name``.yaml."""
    return yaml.safe_load(resources.files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8"))
