"""The sandbox and the bank as tools, in LangChain's form, for steps and for a model that is given them.

A tool's content is text for a reader, never over MOST_TOLD characters, with a program's and a document's words fenced; its
artifact is the run as it happened, and only that counts as evidence. Whatever goes wrong in ``answer`` ends as text.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import Field

from interviewer.errors import InterviewerError, SandboxUnavailable
from interviewer.grading.guard import earning
from interviewer.grading.quotes import locate
from interviewer.interview import snippet
from interviewer.interview.snippet import Unfit
from interviewer.interview.state import Bank, Sandbox
from interviewer.models import CodeRun, Outcome, Progress, Question, Task, Value
from interviewer.prompts import fenced

MOST_TOLD = 3_000  # characters
_OUTPUT_TOLD = 1_500
_REFERENCE_TOLD = 400
_HITS = 3
_SECONDS = 5  # that a test of a claim may run

Code = Annotated[str, Field(description="Python source, whole, as the candidate wrote it")]
Claim = Annotated[str, Field(description="words of the candidate's message, letter for letter")]
Test = Annotated[str, Field(description="a Python program of at most 25 lines that prints the values which settle it")]
Answer = tuple[str, CodeRun]
_log = logging.getLogger(__name__)


class Trial(Value):
    """A claim that was tested. ``code``: as it ran; ``unfit``: why the run is no evidence, empty where it is."""

    claim: str
    code: str
    run: CodeRun
    unfit: str = ""


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


def claim_tool(sandbox: Sandbox, question: Question, reply: str, progress: Callable[[str], None]) -> BaseTool:
    """``test_claim``: a snippet that tests words of ``reply``. Its artifact is a Trial, or None where nothing was run."""

    def test_claim(claim: Claim, code: Test) -> tuple[str, Trial | None]:
        """Test words of the candidate's message by running a small program, and see what it prints."""
        said = locate(claim, reply, earning(reply, question.question))
        if said is None:
            return (
                "Nothing was run: those words don't stand in the candidate's message as a claim. Copy them exactly.",
                None,
            )
        try:
            read = snippet.read(code)
            snippet.check_code(read, f"{question.question} {reply}", _secrets(question))
        except Unfit as why:
            return f"Nothing was run. {why}", None
        told, run = _answer(lambda: sandbox.experiment(read.code, _SECONDS, _saying(progress)))
        trial = Trial(claim=said.text, code=read.code, run=run)
        try:
            snippet.check_run(read, run)
        except Unfit as why:
            trial = trial.model_copy(update={"unfit": str(why)})
        verdict = f"This run can't be shown. {trial.unfit}" if trial.unfit else "This run can be shown."
        return f"{verdict}\n{fenced(told[:_OUTPUT_TOLD], 'output')}", trial

    return _tool(test_claim)


def settle_tool() -> BaseTool:
    """``settle``: the end of testing. Its artifact is the number of the run."""

    def settle(
        run: Annotated[int, Field(ge=0, description="the number of the run that settles the claim, or 0 for none")],
    ) -> tuple[str, int]:
        """Say which run settles the claim. Ends the testing."""
        return "Noted.", run

    return _tool(settle)


def search_bank_tool(bank: Bank, question: Question) -> BaseTool:
    """``search_bank``: other questions than the one on the table, with the start of their answers."""

    def search_bank(query: Annotated[str, Field(description="a few words")]) -> tuple[str, None]:
        """Look up what the question bank knows about a subject."""
        own = {reference.text for reference in bank.references(question.id)}
        found = []
        for hit in bank.search(query, _HITS + 1):
            references = bank.references(hit.id)
            if hit.id != question.id and own.isdisjoint(reference.text for reference in references):
                found.append(f"{hit.question[:_REFERENCE_TOLD]}\n{references[0].text[:_REFERENCE_TOLD]}")
        return fenced("\n\n".join(found[:_HITS]), "bank") if found else "Nothing was found.", None

    return _tool(search_bank)


def hint_tool(question: Question) -> BaseTool:
    """``hint``: what the candidate could be told when stuck, for whoever asks to understand the question."""

    def hint(number: Annotated[int, Field(ge=1, description="from 1")]) -> tuple[str, None]:
        """Read one of the question's hints. For your own understanding, never to be passed on."""
        if number > len(question.hints):
            return f"The question has {len(question.hints)} hints.", None
        return fenced(question.hints[number - 1][:_REFERENCE_TOLD], "hint"), None

    return _tool(hint)


def answer(asked: ToolCall, tools: Sequence[BaseTool]) -> ToolMessage:
    """What a model's call leads to. Raises nothing: a tool that isn't there, a wrong argument or a fault is told as text."""
    tool = next((tool for tool in tools if tool.name == asked["name"]), None)
    if tool is None:
        return _refusal(asked, f"There is no tool of that name now. There are: {', '.join(t.name for t in tools)}.")
    try:
        message: ToolMessage = tool.invoke({**asked, "id": asked["id"] or tool.name, "type": "tool_call"})
    except InterviewerError as error:
        return _refusal(asked, str(error))
    except Exception:  # a model that asks for the impossible must not end the turn
        _log.exception("The tool %s failed", tool.name)
        return _refusal(asked, f"The tool {tool.name} failed. Go on without it.")
    return message.model_copy(update={"content": str(message.content)[:MOST_TOLD]})


def call(tool: BaseTool, code: str) -> CodeRun:
    """The run that a tool's call led to."""
    message = tool.invoke({"type": "tool_call", "id": tool.name, "name": tool.name, "args": {"code": code}})
    run: CodeRun = message.artifact
    return run


def _tool(function: Callable[..., tuple[str, Any]]) -> BaseTool:
    return StructuredTool.from_function(
        function, response_format="content_and_artifact", handle_validation_error=_wrong_arguments
    )


def _wrong_arguments(error: Exception) -> str:
    return f"The arguments are wrong, so nothing was done: {error}"[:MOST_TOLD]


def _refusal(asked: ToolCall, why: str) -> ToolMessage:
    return ToolMessage(why[:MOST_TOLD], tool_call_id=asked["id"] or asked["name"], name=asked["name"], status="error")


def _secrets(question: Question) -> list[str]:
    return [*(point.claim for point in question.points), *question.hints]


def _answer(work: Callable[[], CodeRun]) -> Answer:
    try:
        run = work()
    except SandboxUnavailable as error:
        run = CodeRun(outcome=Outcome.INFRASTRUCTURE, message=str(error))
    checks = [f"{check.name}: {'passed' if check.passed else check.detail or 'failed'}" for check in run.checks]
    told = "\n".join([f"{run.outcome.value}. {run.message}", *checks, run.output]).strip()
    return told[:MOST_TOLD], run


def _saying(progress: Callable[[str], None]) -> Callable[[Progress], None]:
    return lambda step: progress(f"The code: {step}")
