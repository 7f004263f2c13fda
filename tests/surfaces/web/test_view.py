from __future__ import annotations

from collections.abc import Callable

import pytest

from interviewer.interview.listen import code_of
from interviewer.interview.session import Interviews
from interviewer.models import Level, Plan, Question
from interviewer.surfaces.web.view import Status, said_with, view_of

CODE, WORDS = "stable-cross-entropy", "view-vs-reshape"


def test_the_code_box_begins_with_the_starter_of_the_question_on_the_table(
    interviews: Interviews, question: Callable[[str], Question]
) -> None:
    session = interviews.begin(Plan(only=(WORDS, CODE)))
    assert view_of(session).starter == ""
    session.reply("skip")
    task = question(CODE).task
    assert task is not None
    assert view_of(session).starter.strip() == task.starter.strip()


def test_a_view_holds_every_turn_and_only_the_number_of_the_open_question(
    interviews: Interviews, question: Callable[[str], Question]
) -> None:
    session = interviews.begin(Plan(only=(WORDS, CODE)))
    session.reply("hint")
    view = view_of(session)
    assert [m["role"] for m in view.messages] == ["assistant", "user", "assistant"]
    assert (view.seen, view.waiting, view.ended, view.report) == (2, False, False, None)
    assert str(view.status) == "Question 1 of 2 · 0 of 30 min · mid level"
    assert not any(point.claim in str(view) for point in question(WORDS).points)


def test_an_ended_interview_shows_its_report(interviews: Interviews) -> None:
    session = interviews.begin(Plan(only=(WORDS,)))
    session.reply("skip")
    view = view_of(session)
    assert view.report and view.report.session == session.id
    assert str(view.status).startswith("Finished · 1 question")


def test_time_that_is_over_is_told_and_nothing_more() -> None:
    status = Status(number=3, of=0, seconds=34 * 60 + 59, planned=30, level=Level.MID, exam=True, ended=False)
    assert str(status) == "Question 3 · 34 min, 4 more than planned · mid level · exam"


def test_code_that_was_handed_in_is_kept_for_its_question_alone(interviews: Interviews) -> None:
    session = interviews.begin(Plan(only=(CODE, WORDS)))
    session.reply("```python\nprint(1)\n```")
    [attempt] = view_of(session).attempts
    assert attempt.code.strip() == "print(1)"
    assert attempt.what.startswith("submitted,")
    place = view_of(session).place
    session.reply("skip")
    assert view_of(session).attempts == ()
    assert view_of(session).place != place


def test_in_an_exam_an_attempt_does_not_say_how_it_went_and_nothing_is_marked(interviews: Interviews) -> None:
    session = interviews.begin(Plan(only=(CODE,), feedback="end"))
    session.reply("```python\nprint(1)\n```")
    assert [attempt.what for attempt in view_of(session).attempts] == ["submitted"]
    session.reply("end")
    assert not any("<mark" in message["content"] for message in view_of(session).messages)


def test_once_a_question_of_a_practice_is_graded_the_words_that_counted_are_marked_and_stay_text(
    interviews: Interviews,
) -> None:
    session = interviews.begin(Plan(only=("training-loop-steps",)))
    session.reply("<b>Hm.</b> optimizer.step() changes the parameters, using the values that are in their .grad.")
    assert not any("<mark" in message["content"] for message in view_of(session).messages)
    session.reply("end")
    mine = view_of(session).messages[1]["content"]
    assert '<mark class="' in mine
    assert "&lt;b&gt;Hm.&lt;/b&gt;" in mine


@pytest.mark.parametrize("code", ["x = 1", 'text = """\n```\n"""', "````"])
def test_code_sent_with_words_arrives_as_it_was_typed(code: str) -> None:
    message = said_with("Here it is.", code)
    assert message.startswith("Here it is.\n\n")
    assert code_of(message).strip() == code
