"""A submission that speaks on the channel between the runner and the judge."""

from __future__ import annotations

import pytest

from interviewer.models import Outcome
from interviewer.sandbox import Sandbox
from interviewer.sandbox.inside.wire import PREFIX, pack

from .tasks import SCALE

pytestmark = pytest.mark.sandbox

TO_EVERY_FILE = """
import os

def to_every_file(data):
    for file in range(3, 256):
        try:
            os.write(file, data)
        except OSError:
            pass
"""


@pytest.mark.parametrize(
    "forged",
    [
        b"passed\n" * 4,
        pack({"id": 3}),
        pack({"id": 4}) * 2,
        pack({"id": 4, "passed": True}),
        pack({"id": "4"}),
        pack({"id": 4, "failure": {"type": "x" * 2000, "message": "", "line": 1, "source": ""}}),
        pack({"id": 4, "results": [{"dtype": "float32", "shape": [-1]}]}),
        pack({"id": 4}, b"unasked"),
        PREFIX.pack(2, 1 << 60) + b"{}",
        PREFIX.pack(1 << 31, 0),
        PREFIX.pack(60_000, 0) + b"[" * 60_000,
        PREFIX.pack(6_000, 0) + b"9" * 6_000,
        PREFIX.pack(4, 0) + b"\xff\xfe\xfd\xfc",
        PREFIX.pack(2, 0) + b"[]",
    ],
    ids=range(14),
)
def test_forged_frames_are_a_violation(sandbox: Sandbox, forged: bytes) -> None:
    run = sandbox.experiment(f"{TO_EVERY_FILE}\nto_every_file({forged!r})")
    assert run.outcome is Outcome.VIOLATION, run


def test_frames_on_standard_output_are_only_text(sandbox: Sandbox) -> None:
    forged = pack({"id": 4})
    run = sandbox.experiment(f"import os\nos.write(1, {forged!r})\nos.write(2, b'!')")
    assert run.outcome is Outcome.PASSED
    assert '{"id": 4}!' in run.output


def test_answering_in_the_runners_place_earns_nothing(sandbox: Sandbox) -> None:
    forged = pack({"id": 4, "callable": True}) + b"".join(
        pack(
            {
                "id": at,
                "several": True,
                "results": [{"dtype": "float32", "shape": [3]}, {"dtype": "float32", "shape": []}],
            }
        )
        + pack({"id": at + 1}, bytes(28))
        for at in range(5, 21, 2)
    )
    run = sandbox.judge(SCALE, f"{TO_EVERY_FILE}\nto_every_file({forged!r})\ndef scale(x, factor): return x, x.sum()")
    assert run.outcome is Outcome.VIOLATION
    assert not any(check.passed for check in run.checks)


def test_a_program_that_closes_its_channel_is_stopped(sandbox: Sandbox) -> None:
    run = sandbox.experiment("import os, time\nos.closerange(3, 256)\ntime.sleep(60)", seconds=1)
    assert (run.outcome, "closed the channel" in run.message) == (Outcome.VIOLATION, True)


def test_a_child_that_comes_back_from_a_fork_does_not_answer(sandbox: Sandbox) -> None:
    run = sandbox.experiment("import os\nif os.fork():\n    os.wait()\n    print('parent')")
    assert (run.outcome, run.output) == (Outcome.PASSED, "parent\n")
