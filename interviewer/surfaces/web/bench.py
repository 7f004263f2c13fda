"""Runs of code that don't count: one at a time for each interview, to be stopped by who began it. No Gradio here.

Promises that a run is no turn and no evidence, and that the next one of an interview begins when the one before has ended, also where
that was stopped. Keeps nothing: what was tried is remembered by the browser it was typed in.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING

from interviewer.errors import InterviewerError
from interviewer.interview.trying import Trial, try_code
from interviewer.markdown import escape, fenced, one_line
from interviewer.models import Check, Outcome
from interviewer.surfaces.web.view import Attempt
from interviewer.surfaces.web.working import Background, Stopped

if TYPE_CHECKING:
    from interviewer.interview.session import Interviews

_STOPPED = "Stopped. Nothing of that run was kept; your code is as you left it."
_STOPPING = "Stopping. What has begun to run ends within its time, some seconds at most."
_BUSY = "A run of this interview still goes on, perhaps in another tab. Stop it, or wait for its end."
_BUSY_STOPPING = (
    "The run before is still being stopped, which takes some seconds. Your code is as you left it; try again then."
)
_BROKEN = "The run broke on this side, which was written to the log. Your code is as you left it; try again."
_SILENT = "It ran to its end and printed nothing. Add a line that calls your code to see more."


@dataclass(frozen=True)
class Tried:
    """``told`` is Markdown. While ``running`` it says how far the run is; then ``attempt`` is what to remember of it, None where
    there is nothing. ``can_stop``: there is a run to be stopped, this one or another of the interview."""

    told: str
    running: bool = False
    can_stop: bool = False
    attempt: Attempt | None = None


class Bench:
    def __init__(self, interviews: Interviews):
        self._interviews = interviews
        self._lock = Lock()
        self._running: dict[str, Background[Trial]] = {}

    def try_(self, session_id: str, code: str) -> Iterator[Tried]:
        """One run, step by step."""
        work, begun = self._begin(session_id, code)
        if not begun:
            yield Tried(_BUSY_STOPPING) if work.stopped else Tried(_BUSY, can_stop=True)
            return
        try:
            for step in work.steps():
                yield Tried(f"{step}…", running=True, can_stop=True)
            trial = work.result()
            yield Tried(_told(trial), attempt=Attempt(datetime.now(UTC).isoformat(), _went(trial), code))
        except Stopped:
            yield Tried(_STOPPING, running=True)
            work.wait()
            yield Tried(_STOPPED)
        except InterviewerError as error:
            yield Tried(escape(str(error)))
        except Exception:
            logging.getLogger(__name__).exception("a run that doesn't count failed")
            yield Tried(_BROKEN)
        finally:
            if not work.done:  # whoever waited has left
                work.stop()

    def stop(self, session_id: str) -> None:
        with self._lock:
            work = self._running.get(session_id)
        if work:
            work.stop()

    def _begin(self, session_id: str, code: str) -> tuple[Background[Trial], bool]:
        """The interview's run, and whether it was begun now."""

        def run(progress: Callable[[str], None]) -> Trial:
            try:
                return try_code(self._interviews, session_id, code, progress)
            finally:
                with self._lock:
                    del self._running[session_id]

        with self._lock:
            if other := self._running.get(session_id):
                return other, False
            work = self._running[session_id] = Background(run)
            return work, True


def _told(trial: Trial) -> str:
    run = trial.run
    lines = [f"**{_sentence(trial)}**"]
    if trial.check and not trial.check.passed:
        lines.append(_shown(trial.check))
    if trial.hidden and run.outcome is Outcome.PASSED:
        lines.append(f"*{trial.hidden} more check{'s' if trial.hidden != 1 else ''} will look at it when you submit.*")
    if run.output.strip():
        lines += ["It printed:", fenced(run.output.rstrip())]
    return "\n\n".join(lines)


def _sentence(trial: Trial) -> str:
    run = trial.run
    if run.outcome is not Outcome.PASSED:
        return f"{_outcome(run.outcome)} {escape(one_line(run.message))}"
    if trial.ended:
        return escape(one_line(trial.ended))
    if trial.check is None:
        return "It ran to its end." if run.output.strip() else _SILENT
    return f"{'✓' if trial.check.passed else '✗'} First check, {escape(trial.check.name)}: " + (
        "passed." if trial.check.passed else "not passed."
    )


def _shown(check: Check) -> str:
    return fenced(check.detail) if "\n" in check.detail else escape(check.detail)


def _outcome(outcome: Outcome) -> str:
    return {
        Outcome.TIMEOUT: "Stopped, since it took too long.",
        Outcome.OUT_OF_MEMORY: "Stopped, since it needed too much memory.",
    }.get(outcome, "")


def _went(trial: Trial) -> str:
    if trial.run.outcome is not Outcome.PASSED:
        return f"ran, {trial.run.outcome.value}"
    if trial.check is None:
        return "ran"
    return f"ran, first check {'passed' if trial.check.passed else 'not passed'}"
