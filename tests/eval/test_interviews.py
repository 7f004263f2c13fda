"""Whole interviews of simulated candidates, before interviewers of whom it is known how well they hear."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from eval.candidates import Candidate
from eval.conversation import Played, leak
from eval.feel import figures
from eval.interviews import play
from eval.voices import Manner, Material
from interviewer.bank.corpus import own_questions
from interviewer.errors import UsageError
from interviewer.grading.score import score_of
from interviewer.interview.session import Interviews
from interviewer.models import (
    Check,
    CodeRun,
    HeldMisconception,
    Hit,
    Misconception,
    OnProgress,
    Outcome,
    Plan,
    PointVerdict,
    Question,
    Reference,
    Standing,
    Task,
    Verdict,
)
from interviewer.settings import Settings

QUESTIONS = own_questions()
MATERIAL = Material()
SHORT = Plan(questions=4, minutes=180)


class Shelf:
    """The bank's own questions, without a search."""

    def questions(self) -> tuple[Question, ...]:
        return QUESTIONS

    def get(self, question_id: str) -> Question:
        return next(q for q in QUESTIONS if q.id == question_id)

    def references(self, question_id: str) -> tuple[Reference, ...]:
        return self.get(question_id).references

    def neighbours(self, question_id: str, k: int) -> list[Hit]:
        return []


class Recogniser:
    """A sandbox that knows the submissions of the bank and what becomes of them; it runs nothing."""

    def judge(self, task: Task, code: str, on_progress: OnProgress = lambda _: None) -> CodeRun:
        known = next(s for s in task.submissions if s.code.strip() == code.strip())
        checks = tuple(Check(name=n, passed=not known.ends and n not in known.fails) for n in task.names)
        outcome = known.ends or (Outcome.PASSED if known.right else Outcome.FAILED)
        return CodeRun(outcome=outcome, checks=() if known.ends else checks)

    def experiment(self, code: str, seconds: float = 10, on_progress: OnProgress = lambda _: None) -> CodeRun:
        return CodeRun(outcome=Outcome.INFRASTRUCTURE)


class Judge:
    """``hears`` says how a point or a misconception of a question stands in a reply."""

    def __init__(self, hears: Callable[[Question, str, str], Standing]):
        self._hears = hears

    def grade(
        self,
        question: Question,
        reply: str,
        *,
        probing: str = "",
        run: CodeRun | None = None,
        references: tuple[Reference, ...] = (),
    ) -> Verdict:
        held = [m for m in question.misconceptions if self._hears(question, m.id, reply) is Standing.COVERED]
        points = [self._point(question, p.id, reply, run) for p in question.points]
        points = [self._denied(p, held) if not question.point(p.point).proven_by else p for p in points]
        said = tuple(HeldMisconception(id=m.id, quote="so", correction=m.correction) for m in held)
        return Verdict(
            points=tuple(points), misconceptions=said, score=score_of(points, said), confidence=1.0, judge="test"
        )

    def _point(self, question: Question, name: str, reply: str, run: CodeRun | None) -> PointVerdict:
        point = question.point(name)
        if point.proven_by:
            proven = run is not None and run.proves(point.proven_by)
            standing = Standing.COVERED if proven else Standing.MISSING
        else:
            standing = self._hears(question, name, reply)
        return PointVerdict(point=name, claim=point.claim, verdict=standing, weight=point.weight, probability=1.0)

    @staticmethod
    def _denied(point: PointVerdict, held: list[Misconception]) -> PointVerdict:
        denial = next((m for m in held if point.point in m.contradicts), None)
        return point.model_copy(update={"verdict": Standing.CONTRADICTED, "misconception": denial.id} if denial else {})


def perfect(question: Question, about: str, reply: str) -> Standing:
    """Knows every wording that a candidate may use."""
    misconception = next((m for m in question.misconceptions if m.id == about), None)
    if misconception:
        held = any(w.text.strip() in reply for w in MATERIAL.for_misconception(question, misconception))
        return Standing.COVERED if held else Standing.MISSING
    point = question.point(about)
    right = [*MATERIAL.for_point(question, point), *MATERIAL.for_point(question, point, probed=True)]
    if any(w.text.strip() in reply for w in right):
        return Standing.COVERED
    wrong = any(w.text.strip() in reply for w in MATERIAL.for_mistake(question, point))
    return Standing.CONTRADICTED if wrong else Standing.MISSING


def deaf(question: Question, about: str, reply: str) -> Standing:
    return Standing.MISSING


def played(
    home: Path, hears: Callable[[Question, str, str], Standing], candidate: Candidate, plan: Plan = SHORT
) -> Played:
    own = Settings(home=home)
    interviews = Interviews(own, bank=Shelf(), judge=Judge(hears), sandbox=Recogniser())
    return play(interviews, own, QUESTIONS, candidate, MATERIAL, plan)


def candidate(manner: Manner, ability: float = 1.0, seed: int = 0) -> Candidate:
    return Candidate(f"{manner.name.lower()}-{seed}", ability, manner, seed)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
    """Before an interviewer who hears right."""
    home = tmp_path_factory.mktemp("heard")
    manners = [m for m in Manner if m is not Manner.SECOND_LANGUAGE]  # whose words are not those of the material
    return [played(home, perfect, candidate(manner, ability=n % 3)) for n, manner in enumerate(manners)]


@pytest.fixture(scope="module")
def unheard(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
    """Before one who hears nothing."""
    home = tmp_path_factory.mktemp("unheard")
    return [played(home, deaf, candidate(manner, ability=2.0)) for manner in (Manner.TALKATIVE, Manner.DISPUTES)]


def test_who_hears_right_asks_for_nothing_that_was_said(heard: list[Played]) -> None:
    found = figures(heard, SHORT)
    assert found["follow_ups"]["hit"] == 1.0 and found["follow_ups"]["n"] > 10
    assert found["points"]["right"] == 1.0 and found["points"]["score_error"] == 0.0
    assert found["misconceptions"]["found"] == found["misconceptions"]["of_these_right"] == 1.0
    assert found["won_back"]["credited"] == found["won_back"]["asked_for"] > 0.5
    assert all(each.estimates == each.true_estimates for each in heard)


def test_every_manner_comes_to_the_end_and_is_taken_for_an_answer(heard: list[Played]) -> None:
    assert all(each.ended and len(each.asked) == SHORT.questions and not each.misheard for each in heard)
    assert sum(len(each.hints) for each in heard if each.manner is Manner.ASKS_FOR_HINTS) > 0


def test_who_hears_nothing_asks_for_what_was_said_and_credits_nothing(unheard: list[Played]) -> None:
    found = figures(unheard, SHORT)
    assert found["follow_ups"]["asked_again"] > 0.3
    assert set(found["follow_ups"]["of_these_taken_as"]) == {"missing"}
    assert found["won_back"]["credited"] == 0.0
    assert all(each.estimates[-1] < each.true_estimates[-1] for each in unheard)


def test_whose_words_were_not_heard_disputes_and_goes_on(unheard: list[Played]) -> None:
    [disputing] = [each for each in unheard if each.manner is Manner.DISPUTES]
    assert disputing.disputes > 0 and disputing.ended and not disputing.misheard


def test_the_same_seed_gives_the_same_interview_and_another_seed_another(tmp_path: Path) -> None:
    def told(home: str, seed: int) -> dict[str, object]:
        one = played(tmp_path / home, perfect, candidate(Manner.PLAIN, seed=seed), Plan(questions=3, minutes=180))
        return one.model_dump(exclude={"milliseconds", "name"})

    assert told("a", 1) == told("b", 1) != told("a", 2)


def test_a_leak_is_the_claim_beyond_the_words_of_its_question() -> None:
    question = "Why does view fail on a transposed tensor?"
    claim = "A view needs compatible strides, and a transposed tensor is not contiguous."
    assert leak(claim, claim, question) == 1.0
    assert leak(question, claim, question) == 0.0
    assert 0 < leak("What do its strides look like?", claim, question) < 0.5


def test_sentences_said_twice_are_noticed_but_not_what_was_asked_for_again(unheard: list[Played]) -> None:
    talkative = unheard[0]
    said = [text for who, text in talkative.transcript if who == "interviewer"]
    sentence = "I score only what an answer says about the subject, and I have not heard it yet."
    times = sum(text.count(sentence) for text in said)
    assert times > 1 and talkative.repeats.count(sentence) == times - 1


def test_the_level_counts_as_found_only_where_it_stays_found(heard: list[Played]) -> None:
    one = heard[0].model_copy(update={"ability": 2.0, "estimates": (1.8, 1.0, 1.6, 1.9)})
    lost = one.model_copy(update={"estimates": (2.0, 2.0, 2.0, 1.0)})
    assert figures([one], SHORT)["ability"]["estimated"]["questions_until_close"] == 3
    assert figures([lost], SHORT)["ability"]["estimated"]["questions_until_close"] is None
    assert figures([one, one, lost], SHORT)["ability"]["estimated"]["questions_until_close"] == 3


def test_a_place_that_figures_cannot_go_to_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    from eval.commands.interview import interview

    with pytest.raises(UsageError, match="Nothing was played"):
        interview(each=1, seed=0, jobs=1, json_out=tmp_path / "none" / "out.json")
