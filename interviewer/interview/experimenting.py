"""An agent that tests a candidate's claim: it writes a few lines, runs them, and says which run settles it.

Promises that it ends, after few messages, runs and calls; that what comes of it is a run that happened, on words that stand
in the reply; and that without a usable model nothing comes of it. Does not judge who is right: the run is shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langchain_core.messages import BaseMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool

from interviewer.interview.state import Bank, Sandbox
from interviewer.interview.tools import Trial, answer, claim_tool, hint_tool, search_bank_tool, settle_tool
from interviewer.llm import ModelFailed, TurnModel
from interviewer.models import Purpose, Question, Shown
from interviewer.prompts import render

WRITTEN = "written for this claim"
_MESSAGES = 4
_RUNS = 3
_CALLS = 4  # answered in one message; the rest is refused


def experiment(
    model: TurnModel,
    *,
    bank: Bank,
    sandbox: Sandbox,
    question: Question,
    reply: str,
    claim: str,
    progress: Callable[[str], None],
) -> Shown | None:
    """The run that settles ``claim``, words of ``reply``, or None where no run did."""
    seen = model.redacted(reply)
    prompt = render("experiment", question=question.question, reply=seen.text, claim=model.redacted(claim).text)
    tools = [
        claim_tool(sandbox, question, seen.text, progress),
        search_bank_tool(bank, question),
        hint_tool(question),
        settle_tool(),
    ]
    so_far: list[BaseMessage] = []
    trials: list[Trial] = []
    try:
        for _ in range(_MESSAGES):
            message = model.message(Purpose.EXPERIMENT, prompt, so_far, tools).message
            if not message.tool_calls:
                return _shown(trials, len(trials), seen.original)
            answers = _answers(message.tool_calls, tools, trials)
            if (settled := _settled(answers)) is not None:
                return _shown(trials, settled, seen.original)
            so_far += [message, *answers]
    except ModelFailed:
        pass  # the call is on record; the interview goes on without
    return None


def _answers(calls: Sequence[ToolCall], tools: Sequence[BaseTool], trials: list[Trial]) -> list[ToolMessage]:
    """One to each call, in order. Adds what was run to ``trials``."""
    answers = []
    for number, call in enumerate(calls):
        usable = [] if number >= _CALLS else tools[1:] if len(trials) >= _RUNS else tools
        message = answer(call, usable)
        if isinstance(message.artifact, Trial):
            trials.append(message.artifact)
            message = message.model_copy(update={"content": f"Run {len(trials)}. {message.content}"})
        answers.append(message)
    return answers


def _settled(answers: Sequence[ToolMessage]) -> int | None:
    """The number of the run that was named as the one that settles it; 0 for none."""
    return next((message.artifact for message in answers if isinstance(message.artifact, int)), None)


def _shown(trials: Sequence[Trial], number: int, original: Callable[[str], str]) -> Shown | None:
    """Run ``number``, counted from 1, where there is one that can be shown."""
    if not 1 <= number <= len(trials) or trials[number - 1].unfit:
        return None
    trial = trials[number - 1]
    return Shown(experiment=WRITTEN, quote=original(trial.claim), code=trial.code, printed=trial.run.output)
