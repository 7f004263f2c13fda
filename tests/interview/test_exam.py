"""An exam tells nothing of how it is graded before its report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interviewer.bank.bank import Bank
from interviewer.interview.exam import NO_GRADES_YET, NO_HINTS
from interviewer.interview.session import Interviews, Session
from interviewer.interview.speak import speak
from interviewer.interview.state import Rooms
from interviewer.models import PartKind, Plan, Question, Standing, Turn
from interviewer.settings import Settings
from tests.interview.reviewing import FIRST as TOLD
from tests.interview.reviewing import Told, interview
from tests.interview.test_show import question as shown_question
from tests.interview.test_show import state_of

TALK, SECOND, TASK = "parameter-vs-buffer", "training-loop-steps", "stable-cross-entropy"
SAID_AROUND = (
    "Next question.", "Fair enough; saying so beats guessing.", NO_HINTS,
    "Skipped. It will stand in the report as not answered.", "I heard nothing more, so I go on.",
    "I ran your code; how its checks went stands in the report at the end.", NO_GRADES_YET,
    "Take your time. Say `skip` to move on. The question was:", "Happy to have you here. Back to the question:",
)  # fmt: skip


def withheld(question: Question) -> list[str]:
    """What would tell a candidate what was right."""
    told = [point.claim for point in question.points]
    told += [m.correction for m in question.misconceptions] + [e.shows for e in question.experiments]
    told += [e.code for e in question.experiments] + [question.references[0].text, *question.hints]
    told += [check.name for check in question.task.checks if " " in check.name] if question.task else []
    return told + ([s.says for s in question.task.submissions if s.says] if question.task else [])


def before_the_report(turns: list[Turn]) -> list[Turn]:
    return [t for t in turns if not any(part.kind is PartKind.REPORT for part in t.parts) and t.parts]


@pytest.mark.models
@pytest.mark.sandbox
def test_no_turn_of_a_whole_exam_tells_a_claim_a_correction_or_a_verdict(
    interviews: Interviews, bank: Bank, said: Callable[[str, str], str]
) -> None:
    session = interviews.begin(Plan(only=(TALK, SECOND, TASK), feedback="end"))
    task = bank.get(TASK).task
    assert task
    steps: list[str] = []

    def say(text: str) -> None:
        session.reply(text, progress=steps.append)

    for text in (
        said(TALK, "misconception"),
        "hint please",
        "hello there",
        said(TALK, "half"),
        "",
        "I don't know",
        "skip",
    ):
        say(text)
    for text in (said(SECOND, "half"), "", "I don't know", "dispute", "skip"):
        say(text)
    say(f"```python\n{task.starter}\n```")
    say(f"```python\n{task.solution}\n```")
    if not session.ended:
        say("end")
    asked = [bank.get(name) for name in (TALK, SECOND, TASK)]
    for turn in before_the_report(session.turns()):
        whole = turn.model_dump_json()
        assert not [words for question in asked for words in withheld(question) if words in whole], whole
        assert "checks passed" not in whole and "checks failed" not in whole
        assert not any(part.verdict or part.run or part.shown for part in turn.parts)
        assert {part.kind for part in turn.parts} <= {PartKind.SAY, PartKind.QUESTION, PartKind.FOLLOW_UP}
        around = [part.text for part in turn.parts if part.kind is PartKind.SAY]
        assert turn.seq == 0 or not set(around) - set(SAID_AROUND), around
    assert set(steps) == {"Taking in your answer"}, "what is being tried would tell what was said wrong"
    report = session.report()
    assert len(report.answered) == 3 and report.answered[-1].run and report.study
    assert not any(answered.hints for answered in report.answered)


def told(settings: Settings, *verdicts: Told) -> Session:
    rooms, _ = interview(settings, *((each, 0.9) for each in verdicts))
    return rooms.begin(Plan(only=(TOLD,), feedback="end"))


@pytest.mark.parametrize("standing", [Standing.COVERED, Standing.PARTIAL, Standing.MISSING, Standing.CONTRADICTED])
def test_what_is_said_between_is_the_same_however_an_answer_was_graded(settings: Settings, standing: Standing) -> None:
    session = told(settings, {"when": (standing, 0.9)})
    turn = session.reply("So I say.")
    assert [part.kind for part in turn.parts] == [PartKind.FOLLOW_UP]


def test_the_report_comes_at_the_end_and_shows_all(settings: Settings) -> None:
    session = told(settings, {"adds": (Standing.COVERED, 0.9), "when": (Standing.CONTRADICTED, 0.9)})
    session.reply("So I say.")
    assert session.withholds_grades
    [_, shown] = session.reply("end").parts
    assert not session.withholds_grades and shown.report
    assert shown.report.answered[0].verdict.points[0].verdict is Standing.COVERED


def test_hints_are_refused_politely_and_not_counted(settings: Settings) -> None:
    session = told(settings)
    turn = session.reply("hint")
    assert [part.text for part in turn.parts] == [NO_HINTS]
    assert "hint" not in "".join(part.text for part in session.turns()[0].parts)


def test_a_practice_can_be_made_an_exam_in_words(settings: Settings) -> None:
    rooms, _ = interview(settings)
    session = rooms.begin(Plan(only=(TOLD,)))
    assert "as an exam" in "".join(part.text for part in session.reply("as an exam, please").parts)
    assert session.withholds_grades


class Unasked:
    """A language model that must not be asked."""

    calls = ()

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the model was asked: {name}")


def test_no_language_model_words_a_follow_up_in_an_exam() -> None:
    state = state_of(shown_question())
    rooms = Rooms(bank=None, judge=None, embedded=None, sandbox=None, now=None, progress=print, model=Unasked())  # type: ignore[arg-type]
    [part] = speak({**state, "plan": Plan(feedback="end").model_dump(mode="json")}, rooms)["said"]
    assert part["text"] == "What is in .grad?"
