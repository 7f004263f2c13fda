"""The attack that kills its own supervisor tells what outlived it."""

from __future__ import annotations

import pytest

from interviewer.sandbox import Sandbox
from interviewer.sandbox.attacks.supervisor import kill_supervisor

pytestmark = pytest.mark.sandbox


def test_a_program_that_ends_at_once_does_not_count_as_held(sandbox: Sandbox) -> None:
    assert kill_supervisor("print('TRIED')") == "the supervisor ended by itself"
