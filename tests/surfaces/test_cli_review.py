"""The reviewer's commands, as processes of their own on a home in which somebody was interviewed."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from eval.cases import read_cases
from interviewer.models import Standing
from interviewer.settings import Settings
from interviewer.store import Store
from interviewer.surfaces.review_view import review_view, visible
from tests.interview.reviewing import FIRST, interview
from tests.surfaces.shell import Shell

REPLY = "Gradients are \x1b[31madded up\x1b[0m, I [bold]think[/bold]."
DECIDE = ("review", "decide", "1", "changed", "--comment", "They said so.", "--by", "ann")


@pytest.fixture
def session(interviewer: Shell) -> str:
    """Its first question was closed with an unsure grade, and then disputed."""
    _, session = interview(Settings(home=interviewer.home), ({"adds": (Standing.PARTIAL, 0.4)}, 0.4))
    for text in (REPLY, "skip", "dispute question 1: I did say it"):
        session.reply(text)
    return session.id


def test_the_queue_names_kind_question_grade_and_reason(interviewer: Shell, session: str) -> None:
    unsure, dispute = interviewer.said("review", "list").splitlines()
    assert unsure.startswith(f"1  unsure  {FIRST}  1.2 of 5, 40% sure  waiting  The grader is 40% sure")
    assert dispute.startswith(f"2  dispute  {FIRST}") and "I did say it" in dispute
    listed = interviewer.json("review", "list", "--json")["reviews"]
    assert [(r["id"], r["kind"], r["session"]) for r in listed] == [(1, "unsure", session), (2, "dispute", session)]


def test_decided_reviews_leave_the_queue_and_are_listed_with_all(interviewer: Shell, session: str) -> None:
    interviewer.said("review", "decide", "1", "upheld", "--comment", "Rightly half.")
    assert len(interviewer.said("review", "list").splitlines()) == 1
    assert "upheld" in interviewer.said("review", "list", "--all").splitlines()[0]


def test_a_review_shows_words_and_evidence_and_its_point_ids(interviewer: Shell, session: str) -> None:
    shown = interviewer.said("review", "show", "1")
    for part in ("[bold]think[/bold]", "adds partial", "clears missing", "Claim about when.", "Gradients add up."):
        assert part in " ".join(shown.split()), part
    assert "\x1b" not in shown and "\\u001b[31m" in shown
    told = interviewer.json("review", "show", "1", "--json")
    assert told["evidence"]["answered"]["replies"] == [REPLY]
    assert told["standing"]["score"] == 1.2


def test_words_and_evidence_stand_side_by_side_where_there_is_room(interviewer: Shell, session: str) -> None:
    review = Store(Settings(home=interviewer.home).database).review(1)
    assert review.evidence
    wide = Console(width=140, file=StringIO(), record=True)
    wide.print(review_view(review, review.evidence.answered.verdict, wide))
    assert any("candidate's words" in line and "The verdict" in line for line in wide.export_text().splitlines())


def test_what_is_not_shown_is_written_out() -> None:
    assert visible("a\u202eb\x07\nc\td") == "a\\u202eb\\u0007\nc\td"


def test_a_correction_reaches_the_report(interviewer: Shell, session: str) -> None:
    done = interviewer.said(
        *DECIDE, "--point", "adds=covered", "--quote", "adds=Gradients are", "--point", "when=covered"
    )
    assert done == "Review 1: changed, 3.3 of 5.\n"
    [answered] = interviewer.json("report", session, "--format", "json")["answered"]
    assert (answered["verdict"]["score"], answered["graded"]["score"]) == (3.3, 1.2)
    assert answered["verdict"]["points"][0]["quote"] == "Gradients are"
    report = interviewer.said("report", session)
    assert "Corrected by a reviewer" in report and "They said so." in report and "1.2 of 5" in report
    assert "changed by ann" in interviewer.said("review", "show", "1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--point"),
        (("--point", "adds"), "POINT=…"),
        (("--point", "adds=good"), "covered, partial, missing, contradicted"),
        (("--point", "nope=covered"), "adds, clears, when"),
        (("--point", "adds=covered", "--point", "adds=missing"), "twice"),
        (("--point", "adds=covered", "--quote", "when=added"), "no --point does"),
        (("--point", "adds=covered", "--quote", "adds=never said"), "doesn't stand in any reply"),
    ],
)
def test_a_decision_that_cannot_be_understood_is_refused_whole(
    interviewer: Shell, session: str, words: tuple[str, ...], said: str
) -> None:
    done = interviewer(*DECIDE, *words)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and "Nothing was recorded" in done.stderr
    assert Store(Settings(home=interviewer.home).database).review(1).judgement is None


def test_decided_reviews_are_exported_as_cases_of_the_harness(interviewer: Shell, session: str, tmp_path: Path) -> None:
    assert interviewer.said("review", "export") == ""
    interviewer.said(*DECIDE, "--point", "adds=covered")
    file = tmp_path / "cases.jsonl"
    interviewer.said("review", "export", "--out", str(file))
    [case] = read_cases([file])
    assert (case.question_id, case.points["adds"], case.score) == (FIRST, Standing.COVERED, 2.5)
    assert json.loads(interviewer.said("review", "export")) == json.loads(file.read_text())
    assert interviewer("review", "export", "--out", str(tmp_path)).returncode == 2
