from __future__ import annotations

from interviewer.errors import SandboxUnavailable
from interviewer.interview.tools import call, experiment_tool, verify_tool
from interviewer.models import Check, CodeRun, OnProgress, Outcome, Progress, Task

TASK = Task(entry="f", starter="", judge="", solution="", checks=("values",))


class Recorded:
    """Answers as a sandbox would, without one: the sandbox has tests of its own."""

    def judge(self, task: Task, code: str, on_progress: OnProgress = lambda _: None) -> CodeRun:
        on_progress(Progress(step="check", check="values", number=1, of=1))
        return CodeRun(
            outcome=Outcome.FAILED,
            message="1 of 1 checks failed.",
            checks=(Check(name="values", passed=False, detail=code),),
        )

    def experiment(self, code: str, seconds: float = 10, on_progress: OnProgress = lambda _: None) -> CodeRun:
        raise SandboxUnavailable("no bubblewrap")


def test_a_tool_has_a_name_a_description_and_a_typed_argument() -> None:
    tool = verify_tool(Recorded(), TASK, lambda _: None)
    assert (tool.name, list(tool.args)) == ("verify_code", ["code"])
    assert "against the task" in tool.description and tool.args["code"]["type"] == "string"


def test_the_run_itself_comes_back_beside_a_text_for_a_reader() -> None:
    said: list[str] = []
    tool = verify_tool(Recorded(), TASK, said.append)
    message = tool.invoke({"type": "tool_call", "id": "1", "name": tool.name, "args": {"code": "the code"}})
    assert message.content == "failed. 1 of 1 checks failed.\nvalues: the code"
    assert call(tool, "the code").checks[0].detail == "the code"
    assert said[0] == "The code: running check 1 of 1: values"


def test_a_sandbox_that_cannot_be_had_is_an_infrastructure_outcome() -> None:
    run = call(experiment_tool(Recorded(), lambda _: None), "print()")
    assert (run.outcome, run.message) == (Outcome.INFRASTRUCTURE, "no bubblewrap")
