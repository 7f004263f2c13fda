from __future__ import annotations

import threading
from collections.abc import Callable

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.bank.corpus import own_questions
from interviewer.grading.judge import EmbeddedJudge
from interviewer.interview.asked import Asked
from interviewer.interview.phrasing import Phrased, _prompt, phrased, split
from interviewer.interview.state import Action, Current, Decision
from interviewer.interview.wording import Wording, wording_of
from interviewer.models import CodeRun, ModelFault, Outcome, Question, Shown, Standing
from interviewer.settings import Settings
from tests.interview.speaking import Piece, asked_for, saying, verdict

LEAD = "You said “reset the gradients”, so let me stay with that."
QUESTION = "If you call backward() twice with nothing in between, what does .grad hold then?"
TELLING = "Do the gradients accumulate in .grad?"
Says = Callable[..., tuple[Phrased | None, list[str]]]


@pytest.fixture(scope="module")
def questions() -> tuple[Question, ...]:
    return own_questions()


@pytest.fixture(scope="module")
def wording(questions: tuple[Question, ...]) -> Wording:
    return wording_of(questions)


@pytest.fixture
def asked(questions: tuple[Question, ...]) -> Asked:
    question = next(q for q in questions if q.id == "zero-grad")
    return asked_for(question, "accumulates", "You have to reset the gradients. Use zero_grad() or <b>x</b>.")


@pytest.fixture
def says(settings: Settings, asked: Asked, wording: Wording, judge: EmbeddedJudge) -> Says:
    """What becomes of a model's pieces, and what was released of them."""

    def become(*pieces: Piece) -> tuple[Phrased | None, list[str]]:
        released: list[str] = []
        found = phrased(saying(settings, *pieces), asked, wording=wording, judge=judge, on_text=released.append)
        return found, released

    return become


def test_a_lead_and_a_question_that_pass_go_out(says: Says) -> None:
    found, released = says(*(f"{LEAD} {QUESTION}"[n : n + 3] for n in range(0, 200, 3)))
    assert found == Phrased(lead=LEAD, question=QUESTION)
    assert released == [LEAD, QUESTION]


def test_a_question_alone_goes_out(says: Says) -> None:
    assert says(QUESTION) == (Phrased(lead="", question=QUESTION), [QUESTION])


def test_a_lead_that_fails_is_left_out_and_the_question_stands_alone(says: Says) -> None:
    assert says(f"Great answer! {QUESTION}") == (Phrased(lead="", question=QUESTION), [QUESTION])


def test_nothing_goes_out_where_nothing_passes(says: Says) -> None:
    assert says(TELLING) == (None, [])
    assert says(f"Great answer! {TELLING}") == (None, [])
    assert says("Great answer! And what is that good for?") == (None, [])


@pytest.mark.parametrize(
    "rest",
    [
        TELLING,
        "",
        "Let me stay with that.",
        f"{QUESTION} Take your time.",
        f"{QUESTION} {QUESTION}",
        "What is new in Rome?",
    ],
)
def test_the_authored_follow_up_is_asked_after_a_lead_whose_question_fails(rest: str, says: Says, asked: Asked) -> None:
    found, released = says(f"{LEAD} {rest}")
    assert found and (found.lead, found.question) == (LEAD, asked.wanted.follow_up) and found.refused
    assert released == [LEAD]


@pytest.mark.parametrize("error", [httpx.ReadError("cut"), httpx.ConnectError("no")])
def test_a_model_that_fails_leaves_the_authored_follow_up(error: Exception, says: Says, asked: Asked) -> None:
    assert says(error) == (None, [])
    found, released = says(f"{LEAD} ", QUESTION, error)
    assert found and found.question == asked.wanted.follow_up
    assert released == [LEAD]


def test_an_answer_without_end_is_broken_off(
    settings: Settings, asked: Asked, wording: Wording, judge: EmbeddedJudge
) -> None:
    model = saying(settings, *["and so on "] * 2_000)
    assert phrased(model, asked, wording=wording, judge=judge) is None
    assert [call.fault for call in model.calls] == [ModelFault.ENDLESS]


def test_a_sentence_goes_out_on_the_callers_thread_while_the_model_still_writes(
    settings: Settings, asked: Asked, wording: Wording, judge: EmbeddedJudge
) -> None:
    went_out, threads = threading.Event(), []

    def hear(_: str) -> None:
        threads.append(threading.current_thread())
        went_out.set()

    def wait() -> None:
        assert went_out.wait(60), "the lead was kept back until the model had finished"

    found = phrased(saying(settings, f"{LEAD} ", wait, QUESTION), asked, wording=wording, judge=judge, on_text=hear)
    assert found == Phrased(lead=LEAD, question=QUESTION)
    assert set(threads) == {threading.current_thread()}


def test_what_is_quoted_is_plain_words_in_markdown_and_code_stays_code(says: Says) -> None:
    found, _ = says("You said “use zero_grad()”. After two calls of `backward()`, what does `.grad` hold?")
    assert found == Phrased(
        lead="You said “use zero\\_grad()”.", question="After two calls of `backward()`, what does `.grad` hold?"
    )


def test_the_model_is_shown_no_answer(questions: tuple[Question, ...]) -> None:
    """The first point of every question, before anything was said."""
    for question in questions:
        point = question.points[0]
        prompt = _prompt(asked_for(question, point.id, "I don't know."))
        sent = " ".join(f"{prompt.system} {prompt.user}".split())
        answers = [point.claim, *point.also, *question.hints, question.references[0].text[:200]]
        assert not [text for text in answers if text in sent], question.id
        assert point.follow_up in sent


def test_a_turn_is_told_as_it_stands(asked: Asked) -> None:
    question, message = asked.question, "It adds, I think."
    partly = verdict(
        question, {"accumulates": Standing.PARTIAL, "placement": Standing.COVERED}, {"accumulates": "It adds"}
    )
    run = CodeRun(outcome=Outcome.PASSED, output="4.0\n")
    shown = Shown(experiment="gradients pile up", quote="x", code="print(1)", printed="1", means="It piles up.")
    now = Current(question=question, replies=("First.", message), verdict=partly, run=run, shown=(shown,))
    told = Asked.of(now, partly, Decision(action=Action.FOLLOW_UP, point="accumulates"), run, [shown])
    assert (told.message, told.before, told.standing, told.about) == (message, ("First.",), "half said", "It adds")
    assert [p.id for p in told.open_points] == [p.id for p in question.points if p.id != "placement"]
    assert told.ran == ("4.0", "print(1)\n\nprinted:\n1")
    assert told.earned_now
    unsure = Asked.of(now, partly, Decision(action=Action.FOLLOW_UP, point="accumulates", reason="unsure"))
    assert (unsure.standing, unsure.ran, unsure.seen) == ("unclear", (), told.ran)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("You said “it works. Always!”. Why?", ["You said “it works. Always!”.", "Why?"]),
        ("Take x.add_(1), e.g. here. What then?", ["Take x.add_(1), e.g. here.", "What then?"]),
        ("What does x.expand(...) give? ", ["What does x.expand(...) give?", ""]),
        ("It’s fine. What’s next", ["It’s fine.", "What’s next"]),
        ('You said "a b. c". So?', ['You said "a b. c".', "So?"]),
    ],
)
def test_sentences_end_outside_of_quotes_and_brackets(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@given(st.text(alphabet='ab .?!“”’()"\n', max_size=60), st.integers(1, 5))
def test_sentences_are_the_same_however_the_text_arrives(text: str, size: int) -> None:
    found: list[str] = []
    rest = ""
    for start in range(0, len(text), size):
        *whole, rest = split(rest + text[start : start + size])
        found += whole
    assert [*found, rest] == (split(text) if text else [""])
