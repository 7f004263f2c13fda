"""What simulated candidates know and say, against the bank's own questions."""

from __future__ import annotations

import random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.candidates import Candidate, Talk, people, profile
from eval.voices import Manner, Material, Source, spoken
from interviewer.bank.corpus import own_questions
from interviewer.interview.listen import code_of
from interviewer.models import Level, Question, Standing

QUESTIONS = {question.id: question for question in own_questions()}
MATERIAL = Material()
MANNERS = st.sampled_from(list(Manner))
CANDIDATES = st.builds(
    Candidate, name=st.sampled_from("abc"), ability=st.floats(0, 3), manner=MANNERS, seed=st.integers(0, 10**6)
)
ANY_QUESTION = st.sampled_from(sorted(QUESTIONS)).map(QUESTIONS.__getitem__)


@settings(max_examples=200, deadline=None)
@given(candidate=CANDIDATES, question=ANY_QUESTION)
def test_nobody_believes_what_denies_something_they_know(candidate: Candidate, question: Question) -> None:
    mine = profile(candidate, question, MATERIAL)
    assert mine.left_out <= mine.known <= {p.id for p in question.points}
    assert mine.known.isdisjoint(mine.wrong)
    for belief in mine.wrong.values():
        assert belief is None or mine.known.isdisjoint(belief.contradicts)
    assert profile(candidate, question, MATERIAL) == mine


@settings(max_examples=100, deadline=None)
@given(candidate=CANDIDATES, question=ANY_QUESTION)
def test_what_is_noted_as_said_is_what_they_know_or_have_wrong(candidate: Candidate, question: Question) -> None:
    talk = Talk(candidate, question, MATERIAL)
    talk.open()
    for point in question.points:
        if talk.standing(point.id) is Standing.COVERED and not point.proven_by:
            assert point.id in talk.profile.known - talk.profile.left_out
        if talk.standing(point.id) is Standing.CONTRADICTED:
            assert point.id in talk.profile.wrong
        talk.answer(point)
        if point.id in talk.profile.known:
            assert talk.standing(point.id) is Standing.COVERED
        else:
            assert talk.standing(point.id) is not Standing.COVERED


def test_the_able_know_more_and_harder_questions_are_known_less() -> None:
    def share(ability: float, level: Level) -> float:
        candidate = Candidate("one", ability, Manner.PLAIN, 0)
        chosen = [q for q in QUESTIONS.values() if q.level is level and not q.task]
        return mean(len(profile(candidate, q, MATERIAL).known) / len(q.points) for q in chosen)

    assert share(0, Level.MID) < 0.25 < 0.4 < share(1, Level.MID) < 0.6 < 0.75 < share(2, Level.MID)
    assert share(1, Level.SENIOR) < share(1, Level.MID) < share(1, Level.JUNIOR)


def test_every_level_meets_every_manner() -> None:
    assert len({(c.level, c.manner) for c in people(28, 0)}) == 28


@pytest.mark.parametrize("manner", Manner)
def test_no_manner_breaks_code(manner: Manner) -> None:
    code = "```python\ndef f(a, the):\n    return a + the  # the sum of a and the other\n```"
    said = spoken([code, "That is the idea of `a + the`."], manner, random.Random(1))
    assert code_of(said).strip() == code.removeprefix("```python\n").removesuffix("\n```")
    assert "`a + the`" in said


def test_a_second_language_costs_articles_and_nothing_else() -> None:
    text = "The graph is a tape that an operation writes to, and `the_end` of the tape stays."
    said = spoken([text], Manner.SECOND_LANGUAGE, random.Random(2))
    articles = {"the", "a", "an"}
    assert [w for w in said.split() if w.lower() not in articles] == [
        w for w in text.split() if w.lower() not in articles
    ]
    assert len(said.split()) < len(text.split())


def test_labelled_statements_are_said_before_anything_of_the_file() -> None:
    question = next(q for q in QUESTIONS.values() if not q.task)
    point = question.points[0]
    bare = Material({})
    assert {w.source for w in bare.for_point(question, point)} == {Source.FILE}
    assert {w.text for w in bare.for_point(question, point)} == set(point.also)
    assert [w.text for w in bare.for_point(question, point, probed=True)] == [point.follow_up_answer]
    assert bare.for_mistake(question, point) == []
    known = [q for q in QUESTIONS.values() if MATERIAL.for_mistake(q, q.points[-1])]
    assert known and all(w.source is Source.STATEMENTS for q in known for w in MATERIAL.for_point(q, q.points[-1]))
