from __future__ import annotations

from collections.abc import Callable

import pytest

from interviewer.interview.listen import code_of
from interviewer.interview.session import Interviews
from interviewer.models import Plan, Question
from interviewer.surfaces.web.view import said_with, view_of

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
    assert (view.seen, view.waiting, view.ended, view.report) == (2, False, False, "")
    assert view.status == "Question 1 of 2 · 0 of 30 min · mid level"
    assert not any(point.claim in str(view) for point in question(WORDS).points)


def test_an_ended_interview_shows_its_report(interviews: Interviews) -> None:
    session = interviews.begin(Plan(only=(WORDS,)))
    session.reply("skip")
    view = view_of(session)
    assert view.ended and view.status.startswith("Finished · 1 question")
    assert session.id in view.report


@pytest.mark.parametrize("code", ["x = 1", 'text = """\n```\n"""', "````"])
def test_code_sent_with_words_arrives_as_it_was_typed(code: str) -> None:
    message = said_with("Here it is.", code)
    assert message.startswith("Here it is.\n\n")
    assert code_of(message).strip() == code
