"""The sandbox as tools, in LangChain's form: what a step calls today, a model that is given them may call as well.

A tool's content is text for a reader; its artifact is the run as it happened, and only that counts as evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import Field

from interviewer.errors import SandboxUnavailable
from interviewer.interview.state import Sandbox
from interviewer.models import CodeRun, Outcome, Progress, Task

Code = Annotated[str, Field(description="Python source, whole, as the candidate wrote it")]
Answer = tuple[str, CodeRun]


def verify_tool(sandbox: Sandbox, task: Task, progress: Callable[[str], None]) -> BaseTool:
    """``verify_code``: the candidate's code against the task of the question that is being asked."""

    def verify_code(code: Code) -> Answer:
        """Run the candidate's code in the sandbox and check it against the task of the current question."""
        return _answer(lambda: sandbox.judge(task, code, _saying(progress)))

    return _tool(verify_code)


def experiment_tool(sandbox: Sandbox, progress: Callable[[str], None]) -> BaseTool:
    """``run_experiment``: free code, to see what it prints."""

    def run_experiment(code: Code) -> Answer:
        """Run a few lines of PyTorch in the sandbox and see what they print. Use it to settle a claim."""
        return _answer(lambda: sandbox.experiment(code, on_progress=_saying(progress)))

    return _tool(run_experiment)


def call(tool: BaseTool, code: str) -> CodeRun:
    """The run that a tool's call led to."""
    message = tool.invoke({"type": "tool_call", "id": tool.name, "name": tool.name, "args": {"code": code}})
    run: CodeRun = message.artifact
    return run


def _tool(function: Callable[[str], Answer]) -> BaseTool:
    return StructuredTool.from_function(function, response_format="content_and_artifact")


def _answer(work: Callable[[], CodeRun]) -> Answer:
    try:
        run = work()
    except SandboxUnavailable as error:
        run = CodeRun(outcome=Outcome.INFRASTRUCTURE, message=str(error))
    checks = [f"{check.name}: {'passed' if check.passed else check.detail or 'failed'}" for check in run.checks]
    return "\n".join([f"{run.outcome.value}. {run.message}", *checks, run.output]).strip(), run


def _saying(progress: Callable[[str], None]) -> Callable[[Progress], None]:
    return lambda step: progress(f"The code: {step}")
