from __future__ import annotations

from interviewer.interview.study import MOST, to_study
from interviewer.models import (
    Answered,
    Judgement,
    Level,
    PointVerdict,
    ReviewKind,
    Ruling,
    Standing,
    Topic,
    TopicEstimate,
)
from tests.surfaces.reports import answer, point

SAID, HALF, UNSAID, WRONG = Standing.COVERED, Standing.PARTIAL, Standing.MISSING, Standing.CONTRADICTED


def names(*answered: Answered, topics: tuple[TopicEstimate, ...] = ()) -> list[str]:
    return [study.point for study in to_study(answered, topics, Level.MID)]


def reply(*points: PointVerdict, **more: object) -> Answered:
    return answer("q", points, ("What I said.",), **more)


def test_what_was_said_is_not_studied_and_what_was_said_wrong_comes_first() -> None:
    assert names(reply(point("a", SAID), point("b", HALF), point("c", UNSAID), point("d", WRONG))) == ["d", "c", "b"]


def test_the_weightier_point_comes_first() -> None:
    assert names(reply(point("light", UNSAID, weight=1), point("heavy", UNSAID, weight=3))) == ["heavy", "light"]


def test_a_topic_that_is_further_behind_comes_first() -> None:
    topics = (
        TopicEstimate(topic=Topic.AUTOGRAD, ability=1.5, sd=0.5, asked=1),
        TopicEstimate(topic=Topic.DATA, ability=-0.5, sd=0.5, asked=1),
    )
    strong, weak = reply(point("strong", UNSAID)), reply(point("weak", UNSAID), topic=Topic.DATA)
    assert names(strong, weak) == ["strong", "weak"]
    assert names(strong, weak, topics=topics) == ["weak", "strong"]


def test_there_are_at_most_so_many() -> None:
    assert len(names(reply(*(point(f"p{n}", UNSAID) for n in range(20))))) == MOST == 8


def test_a_misconception_comes_with_what_is_so_and_the_experiment_on_the_point() -> None:
    held = point("a", WRONG, "it overwrites", misconception="overwrites")
    [study] = to_study([reply(held, shown_by={"a": "twice", "b": "other"})], (), Level.MID)
    assert (study.correction, study.experiment, study.standing) == ("It adds to what `.grad` held.", "twice", WRONG)


def test_only_prerequisites_on_which_something_was_missed_are_named() -> None:
    def asked(question: str, standing: Standing) -> Answered:
        return answer(question, (point("p", standing),), ("Said.",))

    hard = answer("hard", (point("h", WRONG),), ("Said.",), prerequisites=("missed", "known", "not-asked"))
    study = to_study([asked("missed", UNSAID), asked("known", SAID), hard], (), Level.MID)
    assert next(s for s in study if s.point == "h").prerequisites == ("missed",)


def test_a_point_whose_grading_is_unsure_says_so_until_a_person_has_looked() -> None:
    doubtful, sure = point("a", UNSAID, probability=0.5), point("b", UNSAID, weight=1)
    ruling = Ruling(kind=ReviewKind.UNSURE, judgement=Judgement.UPHELD, comment="It is so.", at="2026-11-21")
    assert [s.unsure for s in to_study([reply(doubtful, sure)], (), Level.MID)] == [True, False]
    assert not to_study([reply(doubtful, rulings=(ruling,))], (), Level.MID)[0].unsure


def test_what_was_skipped_is_surely_not_said() -> None:
    skipped = answer("q", (point("a", UNSAID, probability=0.0),), (), skipped=True)
    assert not to_study([skipped], (), Level.MID)[0].unsure
