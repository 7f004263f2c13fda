from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from interviewer.bank.corpus import own_questions
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.asked import Asked
from interviewer.interview.outgoing import allowed, is_question, reveals, why_not
from interviewer.interview.phrasing import split
from interviewer.interview.wording import Wording, wording_of
from interviewer.models import Question, Standing
from tests.interview.speaking import asked_for, verdict

HERE = Path(__file__).parent
NATURAL = yaml.safe_load((HERE / "outgoing.yaml").read_text(encoding="utf-8"))["natural"]
REFUSED = yaml.safe_load((HERE / "outgoing_refused.yaml").read_text(encoding="utf-8"))
USUAL = {name: REFUSED[name] for name in ("question", "point", "message")}
QUESTION = "What does the parameter's .grad hold after two calls of backward()?"


@pytest.fixture(scope="module")
def questions() -> dict[str, Question]:
    return {q.id: q for q in own_questions()}


@pytest.fixture(scope="module")
def wording(questions: Mapping[str, Question]) -> Wording:
    return wording_of(tuple(questions.values()))


def _asked(entry: Mapping[str, Any], questions: Mapping[str, Question]) -> Asked:
    given = {k: v for k, v in {**USUAL, **entry}.items() if k not in ("question", "why", "says")}
    return asked_for(questions[{**USUAL, **entry}["question"]], **given)


def _why_not(says: str, asked: Asked, wording: Wording) -> str:
    """For the first sentence that may not go out."""
    sentences = [s for s in split(says.strip()) if s]
    leads = ["", *sentences]
    reasons = (why_not(s, allowed(asked, wording), lead) for s, lead in zip(sentences, leads, strict=False))
    return next(filter(None, reasons), "")


def test_most_of_what_a_strong_model_asks_goes_out(questions: Mapping[str, Question], wording: Wording) -> None:
    stopped = {e["says"]: why for e in NATURAL if (why := _why_no_question(e, questions, wording))}
    assert len(stopped) <= 0.2 * len(NATURAL), stopped


def _why_no_question(entry: Mapping[str, Any], questions: Mapping[str, Question], wording: Wording) -> str:
    """For its question, after its lead or, where that may not go out, by itself."""
    may_be_said = allowed(_asked(entry, questions), wording)
    *leads, question = (s for s in split(entry["says"].strip()) if s)
    return why_not(question, may_be_said, " ".join(lead for lead in leads if not why_not(lead, may_be_said)))


@pytest.mark.models
def test_the_judge_takes_few_of_them_for_answers(questions: Mapping[str, Question], judge: EmbeddedJudge) -> None:
    some = NATURAL[::4]
    stopped = [e["says"] for e in some if reveals(judge, _asked(e, questions), split(e["says"].strip())[-1])]
    assert len(stopped) <= 1, stopped


@pytest.mark.parametrize("entry", REFUSED["refused"], ids=lambda e: f"{e['why']}: {e['says'][:60]}")
def test_what_may_not_go_out_is_stopped_for_its_reason(
    entry: dict[str, Any], questions: Mapping[str, Question], wording: Wording
) -> None:
    why = why_not(" ".join(entry["says"].split()), allowed(_asked(entry, questions), wording))
    assert why.partition(":")[0] == entry["why"], why


@pytest.mark.models
@pytest.mark.parametrize("entry", REFUSED["judged"], ids=lambda e: e["question"])
def test_a_point_told_in_words_that_may_be_said_is_heard_by_the_judge(
    entry: dict[str, Any], questions: Mapping[str, Question], wording: Wording, judge: EmbeddedJudge
) -> None:
    asked = _asked(entry, questions)
    assert why_not(entry["says"], allowed(asked, wording)) == ""
    assert reveals(judge, asked, entry["says"]), "it may name a neighbour of the point that was told"


@pytest.mark.models
def test_the_authored_follow_up_reveals_nothing_and_may_always_be_asked(
    questions: Mapping[str, Question], wording: Wording, judge: EmbeddedJudge
) -> None:
    asked = _asked({}, questions)
    *before, last = split(asked.wanted.follow_up)
    assert is_question(last) and why_not(last, allowed(asked, wording), " ".join(before)) == ""
    assert reveals(judge, asked, asked.wanted.follow_up) == ""


def test_words_that_the_candidate_said_give_nothing_away(questions: Mapping[str, Question], wording: Wording) -> None:
    says = "How do the gradients accumulate over two calls of backward()?"
    assert _why_not(says, _asked({}, questions), wording).startswith("reveals")
    said = _asked({"message": "They accumulate somehow."}, questions)
    assert _why_not(says, said, wording) == ""


def test_a_covered_point_a_hint_that_was_given_and_what_was_printed_may_be_spoken_of(
    questions: Mapping[str, Question], wording: Wording
) -> None:
    says = "After the plus-equals of 6.25, what does .grad hold?"
    asked = _asked({}, questions)
    assert _why_not(says, asked, wording).startswith("reveals")
    earned = asked_for(asked.question, "without-call", asked.message, covered=["accumulates"], seen=("6.25",))
    assert "plus" not in _why_not(
        "Adding to what .grad already holds, which gradient does an update use?", earned, wording
    )
    hint = asked.question.hints[0]
    hinted = asked.model_copy(update={"hints": 1})
    assert allowed(hinted, wording).stems > allowed(asked, wording).stems, hint


def test_praise_goes_out_only_where_this_message_earned_something_and_held_nothing_wrong(
    questions: Mapping[str, Question], wording: Wording
) -> None:
    question = questions["zero-grad"]
    good, wrong = Standing.COVERED, Standing.CONTRADICTED
    says = f"Right, {QUESTION[0].lower()}{QUESTION[1:]}"
    stopped = {}
    for name, standings in {
        "nothing": {},
        "earned": {"placement": good},
        "mixed": {"placement": good, "set-to-none": wrong},
    }.items():
        asked = asked_for(question, "accumulates", USUAL["message"], graded=verdict(question, standings))
        stopped[name] = _why_not(says, asked, wording).startswith("praise")
    assert stopped == {"nothing": True, "earned": False, "mixed": True}


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("reset the gradients", True),
        ("Reset the gradients", True),
        ("reset the gradients … before the backward pass", True),
        ("before the backward pass … reset the gradients", False),
        ("set the gradients", False),
        ("", False),
    ],
)
def test_a_quote_stands_in_one_message_in_its_order(
    quote: str, stands: bool, questions: Mapping[str, Question], wording: Wording
) -> None:
    assert (_why_not(f"You said “{quote}”.", _asked({}, questions), wording) == "") is stands


def test_what_was_printed_may_be_quoted(questions: Mapping[str, Question], wording: Wording) -> None:
    says = f"It printed “[2.0, 2.0]”. {QUESTION}"
    assert _why_not(says, _asked({}, questions), wording).startswith("quote")
    assert _why_not(says, _asked({"seen": ("print(w.grad)\n\nprinted:\n[2.0, 2.0]",)}, questions), wording) == ""


@pytest.mark.parametrize("spelt", ["normalize", "normalise"])
def test_both_spellings_of_english_are_one(spelt: str, questions: Mapping[str, Question], wording: Wording) -> None:
    asked = _asked({"message": "I normalise the gradients."}, questions)
    assert _why_not(f"If you {spelt} the gradients, what does .grad hold after backward()?", asked, wording) == ""
