from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.bank.bank import Bank
from interviewer.bank.documents import DocumentQuestion
from interviewer.bank.rubric import MAX_POINTS, derive_points, kind_of, level_of, to_question, to_quick_check
from interviewer.bank.terms import subject
from interviewer.models import Choice, Kind, Level, Topic

QUESTION = "What is dropout, and when is it active?"
ANSWER = """
Dropout is a regularization method that sets random activations to zero. It is active in training mode only.

Key properties include:

- Each element is dropped with probability p.
- The kept activations are scaled by 1 / (1 - p).

Example:

```python
layer = nn.Dropout(p=0.5)
```

The following code shows the effect. Would you use it in a convolution?

> **Note:** some people write it by hand.
"""


def test_each_claim_of_the_answer_is_a_point_and_nothing_else_is() -> None:
    assert [p.claim for p in derive_points(QUESTION, ANSWER)] == [
        "Dropout is a regularization method that sets random activations to zero.",
        "Dropout is active in training mode only.",
        "Each element is dropped with probability p.",
        "The kept activations are scaled by 1 / (1 - p).",
    ]


def test_the_story_of_a_scenario_is_no_claim() -> None:
    answer = "## The Scenario\n\nThe team ships on Friday and the loss is flat.\n\n## Solution\n\nThe optimizer skips frozen weights."
    assert [p.claim for p in derive_points("Why is the loss flat?", answer)] == ["The optimizer skips frozen weights."]


def test_a_claim_that_only_repeats_the_question_is_dropped() -> None:
    answer = "Dropout is active at times. It zeroes activations at random during training."
    assert [p.claim for p in derive_points("When is dropout active, at what times?", answer)] == [
        "Dropout zeroes activations at random during training."
    ]


@pytest.mark.parametrize(
    "answer",
    ["", "```python\nx = torch.cat([a, b])\n```", "Yes.", "See below:", "> Only an aside, no more.", "# Title"],
)
def test_an_answer_without_claims_still_gives_a_point(answer: str) -> None:
    assert len(derive_points("How do you join two tensors?", answer)) == 1


def test_a_long_answer_gives_no_more_points_than_can_be_asked() -> None:
    facts = ("Momentum smooths steep directions", "Warmup prevents early divergence", "Clipping bounds large norms")
    more = ("Decay shrinks unused weights", "Restarts escape flat basins", "Averaging lowers final variance")
    last = ("Batching amortises launch overhead", "Sharding splits optimizer memory", "Fusing removes extra kernels")
    rest = ("Pinning speeds host copies", "Prefetching hides disk latency", "Checkpointing trades compute for room")
    tail = ("Seeding fixes random order", "Profiling finds slow kernels", "Logging reveals silent drift")
    answer = ". ".join((*facts, *more, *last, *rest, *tail)) + "."
    points = derive_points("How do you train well?", answer)
    assert len(points) == MAX_POINTS
    assert len({p.weight for p in points}) > 1


@given(st.text(max_size=400), st.text(min_size=3, max_size=60).filter(lambda q: len(q.strip()) >= 3))
def test_any_answer_gives_a_valid_rubric(answer: str, question: str) -> None:
    points = derive_points(question, answer)
    assert 1 <= len(points) <= MAX_POINTS
    assert len({p.id for p in points}) == len(points)


def test_follow_ups_differ_and_name_one_thing_of_their_claim_at_most() -> None:
    points = derive_points(QUESTION, ANSWER)
    assert len({p.follow_up for p in points}) == len(points)
    for point in points:
        told = (subject(point.claim).terms - subject(QUESTION).terms) & subject(point.follow_up).terms
        assert len(told) <= 1


@pytest.mark.models
def test_follow_ups_of_the_published_documents_name_one_thing_of_their_claim_at_most(seeded: Bank) -> None:
    derived = [q for q in seeded.questions() if q.derived and q.kind is not Kind.CHOICE]
    assert derived
    for question in derived:
        assert len({p.follow_up for p in question.points}) == len(question.points)
        for point in question.points:
            told = (subject(point.claim).names - subject(question.question).terms) & subject(point.follow_up).terms
            assert len(told) <= 1, (question.id, point)


def test_kind_and_level_follow_plain_cues() -> None:
    assert kind_of("What is the difference between SGD and Adam?") is Kind.COMPARE
    assert kind_of("Write a function that pads sequences.") is Kind.CODE
    assert kind_of("You're getting NaN values in your loss. Why?") is Kind.DEBUG
    assert kind_of("What are hooks?") is Kind.EXPLAIN
    assert (level_of("Basic Concepts"), level_of("Advanced Topics"), level_of("Data")) == (
        Level.JUNIOR,
        Level.SENIOR,
        Level.MID,
    )


CHOICE = Choice(question="Which one adds?", options=("torch.add", "torch.mul"), correct="A", explanation="It sums.")


def test_a_quick_check_below_an_answer_is_a_question_of_its_own() -> None:
    read = DocumentQuestion(question="How do you add tensors?", answer="Call torch.add on both tensors.", choice=CHOICE)
    asked = to_question(read, id="a", topic=Topic.TENSORS, source="d.md")
    check = to_quick_check(read, id="a-quick-check", topic=Topic.TENSORS, source="d.md")
    assert asked.choice is None and asked.kind is Kind.EXPLAIN
    assert check is not None and check.choice == CHOICE and check.kind is Kind.CHOICE
    assert "It sums." in check.references[0].text


def test_a_question_that_is_only_a_choice_is_asked_as_one() -> None:
    read = DocumentQuestion(question="Which one adds?", choice=CHOICE)
    asked = to_question(read, id="a", topic=Topic.TENSORS, source="d.md")
    assert asked.kind is Kind.CHOICE and asked.choice == CHOICE
    assert to_quick_check(read, id="b", topic=Topic.TENSORS, source="d.md") is None
