from __future__ import annotations

from collections.abc import Sequence

from interviewer.bank.bank import Bank
from interviewer.interview.pick import pick
from interviewer.models import Answered, Plan, Question, Topic, Verdict


def run_of(bank: Bank, plan: Plan, score: float, count: int, session: str = "s") -> list[Question]:
    """The questions that a candidate gets who always scores ``score``."""
    asked: list[Question] = []
    answered: list[Answered] = []
    while len(asked) < count:
        question = pick(
            bank.questions(),
            session=session,
            plan=plan,
            asked=[q.id for q in asked],
            answered=answered,
            minutes_left=60,
        )
        if question is None:
            break
        asked.append(question)
        answered.append(graded(question, score))
    return asked


def graded(question: Question, score: float) -> Answered:
    verdict = Verdict(points=(), score=score, confidence=1, judge="test")
    return Answered(
        question=question.id, text=question.question, topic=question.topic, level=question.level, verdict=verdict
    )


def mean_rank(questions: Sequence[Question]) -> float:
    return sum(q.level.rank for q in questions) / len(questions)


def test_success_brings_harder_questions_than_failure(bank: Bank) -> None:
    plan = Plan(code=False)
    assert mean_rank(run_of(bank, plan, 5, 6)[2:]) > mean_rank(run_of(bank, plan, 0, 6)[2:]) + 0.5


def test_topics_are_spread(bank: Bank) -> None:
    assert len({q.topic for q in run_of(bank, Plan(), 3, 6)}) >= 5


def test_no_question_comes_twice(bank: Bank) -> None:
    asked = [q.id for q in run_of(bank, Plan(), 3, len(bank.questions()) + 1)]
    assert len(asked) == len(set(asked)) == len(bank.questions())


def test_every_third_question_wants_code(bank: Bank) -> None:
    assert [q.wants_code for q in run_of(bank, Plan(), 3, 6)] == [False, False, True, False, False, True]


def test_without_code_there_is_none(bank: Bank) -> None:
    assert not any(q.wants_code for q in run_of(bank, Plan(code=False), 3, len(bank.questions())))


def test_only_the_topics_asked_for(bank: Bank) -> None:
    plan = Plan(topics=(Topic.AUTOGRAD, Topic.DATA))
    assert {q.topic for q in run_of(bank, plan, 3, 100)} == set(plan.topics)


def test_named_questions_come_in_their_order(bank: Bank) -> None:
    names = tuple(q.id for q in reversed(bank.questions()[:3]))
    assert [q.id for q in run_of(bank, Plan(only=names), 0, 100)] == list(names)


def test_the_count_is_kept(bank: Bank) -> None:
    assert len(run_of(bank, Plan(questions=2), 3, 100)) == 2


def test_time_is_kept_but_the_first_question_always_comes(bank: Bank) -> None:
    def first(minutes_left: float, asked: list[str]) -> Question | None:
        return pick(bank.questions(), session="s", plan=Plan(), asked=asked, answered=[], minutes_left=minutes_left)

    assert first(0.5, []) is not None
    assert first(0.5, [bank.questions()[0].id]) is None
    assert first(-1, []) is None


def test_the_same_session_gets_the_same_question_and_sessions_differ(bank: Bank) -> None:
    def opening(session: str) -> str:
        return run_of(bank, Plan(), 3, 1, session)[0].id

    assert opening("a") == opening("a")
    assert len({opening(str(n)) for n in range(12)}) > 3
