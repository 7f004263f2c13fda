"""The report: what was asked, what was shown, and where the candidate stands, topic by topic."""

from __future__ import annotations

from interviewer.interview.ability import by_topic
from interviewer.interview.state import State
from interviewer.models import Answered, Plan, Report

_UNSURE_BELOW = 0.5


def build_report(state: State) -> Report:
    """Score: the mean of the questions' scores, skipped ones counting 0; None when none could be scored."""
    answered = tuple(Answered.model_validate(a) for a in state.get("answered", []))
    plan = Plan.model_validate(state["plan"])
    scores = [a.verdict.score for a in answered if a.verdict.score is not None]
    return Report(
        session=state["session"],
        plan=plan,
        answered=answered,
        topics=by_topic(answered, plan.level),
        score=round(sum(scores) / len(scores), 1) if scores else None,
        notes=tuple(_notes(answered)),
    )


def _notes(answered: tuple[Answered, ...]) -> list[str]:
    """What a reader should know before trusting the figures."""
    notes = []
    if 0 < len(answered) < 3:
        notes.append("Fewer than three questions: take the levels as a first impression.")
    if unsure := [a for a in answered if a.verdict.confidence < _UNSURE_BELOW and not a.skipped]:
        notes.append(
            f"The grading of {len(unsure)} of {len(answered)} questions is unsure; say `dispute` to have a person look."
        )
    if hints := sum(a.hints for a in answered):
        notes.append(f"{hints} hint{'s' if hints != 1 else ''} taken.")
    if unscored := [a.verdict.unscored for a in answered if a.verdict.unscored]:
        notes.append("Not everything could be judged: " + " ".join(dict.fromkeys(unscored)))
    return notes
