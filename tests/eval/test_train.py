"""The command's frame: both networks, each in a process of its own, in one file. What they learn is tested in ``training``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.train import train_reader
from interviewer.grading.reader import ALONE, CARD, TOGETHER, WEIGHTS, ClaimReader
from interviewer.grading.text import sentence_units

pytestmark = pytest.mark.models


def test_both_networks_are_written_so_that_the_reader_takes_them(tmp_path: Path) -> None:
    train_reader(tmp_path, passes=0, seed=3)
    reader = ClaimReader(tmp_path / WEIGHTS)
    [reading] = reader.read(sentence_units("Gradients add up."), ["Gradients accumulate."])
    assert reading.unit.text == "Gradients add up."
    assert set(reader._networks) == {ALONE, TOGETHER}
    assert json.loads((tmp_path / CARD).read_text())["trained_on"]["seed"] == 3
