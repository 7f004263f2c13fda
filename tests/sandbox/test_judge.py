from __future__ import annotations

import pytest

from interviewer.models import CodeRun, Outcome, Progress
from interviewer.sandbox import Sandbox

from .tasks import ILL_MANNERED, MANNERS, RIGHT, SCALE

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def ill_mannered(sandbox: Sandbox) -> CodeRun:
    return sandbox.judge(MANNERS, ILL_MANNERED)


def detail_of(run: CodeRun, name: str) -> str:
    check = next(check for check in run.checks if check.name == name)
    assert not check.passed
    return check.detail


def test_a_right_submission_passes_every_check_and_its_prints_come_back(sandbox: Sandbox) -> None:
    heard: list[Progress] = []
    run = sandbox.judge(SCALE, RIGHT, heard.append)
    assert (run.outcome, [c.passed for c in run.checks]) == (Outcome.PASSED, [True, True])
    assert run.proves(("values", "gradient"))
    assert run.output == "called\n" * 8
    assert [str(progress) for progress in heard] == [
        "starting",
        "running check 1 of 2: values",
        "running check 2 of 2: gradient",
    ]
    assert 0 < run.seconds < SCALE.seconds


def test_checks_are_judged_one_by_one(ill_mannered: CodeRun) -> None:
    passed = {check.name for check in ill_mannered.checks if check.passed}
    assert ill_mannered.outcome is Outcome.FAILED
    assert passed == {"honest", "transposed", "integer"}


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("mutates", "changed its input x"),
        ("nan", "got nan"),
        ("replays", "values are off"),
        ("half", "expected the dtype float32, got float16"),
        ("wrong shape", "expected the shape [2], got [1, 2]"),
        ("many values", "got [1000000000000, 100000]"),
        ("raises", "(line 31: `raise ValueError"),
        ("exits", "SystemExit: 0"),
        ("number", "it returned a float; a tensor was expected"),
        ("tuple", "expected one tensor, got a tuple of 2"),
        ("always equal", "2 of 2 values are off"),
        ("no gradient", "its gradient cannot be taken"),
        ("wrong gradient", "the gradient of x: expected"),
    ],
)
def test_what_is_wrong_is_named(ill_mannered: CodeRun, way: str, words: str) -> None:
    assert words in detail_of(ill_mannered, way)


def test_the_smallest_failing_input_is_shown_with_its_values(ill_mannered: CodeRun) -> None:
    assert detail_of(ill_mannered, "nan").startswith("With x = float32 [2, 2] [[")


def test_a_submission_cannot_send_control_characters(ill_mannered: CodeRun) -> None:
    shown = detail_of(ill_mannered, "raises") + ill_mannered.output
    assert "no\N{REPLACEMENT CHARACTER}[31m idea" in shown
    assert "\x1b" not in shown


def test_patching_every_comparison_does_not_help(sandbox: Sandbox) -> None:
    code = """
import torch
yes = lambda *args, **kwargs: True
torch.allclose = torch.equal = torch.isclose = torch.testing.assert_close = yes
torch.Tensor.allclose = torch.Tensor.equal = torch.Tensor.__eq__ = yes

def scale(x, factor):
    return x * 0, (x * 0).sum()
"""
    run = sandbox.judge(SCALE, code)
    assert run.outcome is Outcome.FAILED
    assert not any(check.passed for check in run.checks)


def test_printing_passed_and_leaving_does_not_help(sandbox: Sandbox) -> None:
    run = sandbox.judge(SCALE, "import os\nprint('all checks passed')\nos._exit(0)")
    assert (run.outcome, run.output) == (Outcome.FAILED, "all checks passed\n")
    assert not any(check.passed for check in run.checks)
    assert "exit status 0" in run.message


def test_a_submission_that_stops_half_way_keeps_only_finished_checks(sandbox: Sandbox) -> None:
    task = MANNERS.model_copy(update={"seconds": 2.0})
    code = """
def total(x, way):
    while way == "nan":
        pass
    return x.square().sum(dim=0)
"""
    run = sandbox.judge(task, code)
    assert run.outcome is Outcome.TIMEOUT
    assert [check.name for check in run.checks if check.passed] == ["honest", "mutates"]


def test_code_that_cannot_be_compiled_fails_with_its_line(sandbox: Sandbox) -> None:
    run = sandbox.judge(SCALE, "x = 1\ndef scale(x:\n    pass")
    assert run.outcome is Outcome.FAILED
    assert "SyntaxError" in run.message and "line 2" in run.message


def test_code_that_fails_while_loading_says_where(sandbox: Sandbox) -> None:
    run = sandbox.judge(SCALE, "import torch\n\ntorch.no_such_thing")
    assert run.outcome is Outcome.FAILED
    assert "AttributeError" in run.message and "line 3: `torch.no_such_thing`" in run.message


def test_a_missing_entry_is_said_in_a_sentence(sandbox: Sandbox) -> None:
    run = sandbox.judge(SCALE, "def scales(x, factor): return x")
    assert run.outcome is Outcome.FAILED
    assert run.message == "The code does not define a function scale, which the task asks for."


@pytest.mark.parametrize(
    ("judge", "words"),
    [
        ("def cases(g):\n    return 1 / 0\ndef reference(x): return x", "ZeroDivisionError"),
        ("def cases(g):\n    yield 'other', (1,)\ndef reference(x): return x", "not among its checks"),
        (
            "import torch\ndef cases(g):\n    yield 'values', (1,)\ndef reference(x): return torch.ones(1)",
            "no case for",
        ),
        (
            "def cases(g):\n    yield 'values', (1,)\n    yield 'gradient', (1,)\ndef reference(x): return x",
            "other than tensors",
        ),
        ("def cases(g):\n    yield 'values', (g,)\ndef reference(x): return x", "an argument of type Generator"),
        ("def cases(g):\n    yield 'values', 1\ndef reference(x): return x", "where a tuple of arguments was expected"),
        ("def cases(g", "SyntaxError"),
    ],
)
def test_a_fault_of_the_judge_is_never_the_candidates(sandbox: Sandbox, judge: str, words: str) -> None:
    run = sandbox.judge(SCALE.model_copy(update={"judge": judge}), RIGHT)
    assert (run.outcome, run.checks) == (Outcome.INFRASTRUCTURE, ())
    assert words in run.message


def test_a_crash_of_the_interpreter_is_a_failure_with_its_signal(sandbox: Sandbox) -> None:
    run = sandbox.experiment("import ctypes; ctypes.string_at(0)")
    assert run.outcome is Outcome.FAILED
    assert "SIGSEGV" in run.message


def test_experiments_show_what_they_printed_and_where_they_stopped(sandbox: Sandbox) -> None:
    run = sandbox.experiment("import sys\nprint('one')\nprint('two', file=sys.stderr)\nint('x')")
    assert run.outcome is Outcome.FAILED
    assert run.output.startswith("one\ntwo\nTraceback")
    assert "ValueError: invalid literal for int() with base 10: 'x' (line 4: `int('x')`)" in run.message


def test_an_experiment_runs_as_a_program_and_may_leave_early(sandbox: Sandbox) -> None:
    run = sandbox.experiment("import sys\nif __name__ == '__main__':\n    print('done')\n    sys.exit()")
    assert (run.outcome, run.output) == (Outcome.PASSED, "done\n")


def test_nothing_is_kept_between_runs(sandbox: Sandbox) -> None:
    code = "from pathlib import Path\np = Path('/tmp/kept')\nprint(p.exists())\np.write_text('x')"
    assert [sandbox.experiment(code).output for _ in range(2)] == ["False\n", "False\n"]
