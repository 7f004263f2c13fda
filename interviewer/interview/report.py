"""The report: what was asked, what was shown, and where the candidate stands, topic by topic."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.interview.ability import by_topic
from interviewer.interview.review import with_rulings
from interviewer.interview.state import Reviewed, State
from interviewer.interview.study import to_study
from interviewer.models import Answered, Plan, Report, ReviewKind


def build_report(state: State) -> Report:
    """Score: the mean of the questions' scores, skipped ones counting 0; None when none could be scored. Verdicts that
    people corrected count as corrected, for the score and for the levels."""
    decided = [Reviewed.model_validate(each) for each in state.get("reviewed", [])]
    answered = tuple(with_rulings(Answered.model_validate(a), decided) for a in state.get("answered", []))
    plan = Plan.model_validate(state["plan"])
    topics = by_topic(answered, plan.level)
    return Report(
        session=state["session"],
        plan=plan,
        answered=answered,
        topics=topics,
        score=mean_score(answered),
        notes=tuple(_notes(answered)),
        study=to_study(answered, topics, plan.level),
    )


def mean_score(answered: Sequence[Answered]) -> float | None:
    """Of an interview: skipped questions count 0; None when none could be scored."""
    scores = [a.verdict.score for a in answered if a.verdict.score is not None]
    return round(sum(scores) / len(scores), 1) if scores else None


def _notes(answered: tuple[Answered, ...]) -> list[str]:
    """What a reader should know before trusting the figures."""
    notes = []
    if 0 < len(answered) < 3:
        notes.append("Fewer than three questions: take the levels as a first impression.")
    if unsure := [a for a in answered if a.awaits(ReviewKind.UNSURE)]:
        notes.append(
            f"The grading of {len(unsure)} of {len(answered)} question{'s' if len(answered) != 1 else ''} is unsure; "
            "a person will look at it."
        )
    if changed := sum(a.graded is not None for a in answered):
        notes.append(f"{changed} grade{'s' if changed != 1 else ''} corrected by a reviewer.")
    if hints := sum(a.hints for a in answered):
        notes.append(f"{hints} hint{'s' if hints != 1 else ''} taken.")
    if unscored := [a.verdict.unscored for a in answered if a.verdict.unscored]:
        notes.append("Not everything could be judged: " + " ".join(dict.fromkeys(unscored)))
    return notes
