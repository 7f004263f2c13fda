"""Two judges on one reply: the embedded one, and a language model as a witness whose word changes chances.

The embedded judge gives each point a chance of each standing; what the model says of it multiplies those chances by how
likely a careful reader is to say so of a point that stands so (Bayes' rule), and the verdict follows from the chances as it
always does. So agreement makes a verdict surer, disagreement less sure. Where they still differ after a second look the
point is named, and a person is asked.

Promises: without the model's answer the verdict is the embedded judge's, with a note that says why; a point of which the
embedded judge hears nothing is not earned on the model's word alone; a model that differs on most points is set aside and a
person asked, since nothing here can tell which of the two misread; a reply in which no sentence may earn anything is not
shown to the model at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from interviewer.grading.judge import NAME, EmbeddedJudge, Heard
from interviewer.grading.opinion import JUDGING_PROMPTS, Differing, Opinion, first_look, second_look
from interviewer.grading.score import CREDIT
from interviewer.llm import ModelFailed, TurnModel, in_words
from interviewer.models import CodeRun, Question, Reference, Standing, Verdict

C, P, M, X = Standing.COVERED, Standing.PARTIAL, Standing.MISSING, Standing.CONTRADICTED
SAYS: Mapping[Standing, Mapping[Standing, float]] = {
    C: {C: 0.80, P: 0.12, M: 0.05, X: 0.03},
    P: {C: 0.25, P: 0.50, M: 0.20, X: 0.05},
    M: {C: 0.08, P: 0.10, M: 0.78, X: 0.04},
    X: {C: 0.10, P: 0.05, M: 0.15, X: 0.70},
}
"""How likely a careful reader is to say the inner standing of a point that truly has the outer one. Assumed, not fitted: two
people agree on about four of five points."""

SAYS_HELD = {True: 0.75, False: 0.04}  # that a misconception is held, by whether it is
_SECOND_COUNTS = 0.6  # the exponent of a second look: the same reader is no new witness
_ENOUGH = 2  # points that are read differently, to set a reading aside
_HALF_A_POINT = 0.5  # of credit
_HEARD = 0.1  # expected credit below which the embedded judge hears nothing of a point
_UNHEARD = 0.2  # the expected credit that the model's word alone can bring such a point to; earns nothing
_SET_ASIDE = "The language model read this so differently that its reading was set aside; a person will look."


class PanelJudge:
    """Obeys the same protocol as the embedded judge. Made for one turn, as ``model`` is. ``prompts``: for the first and the
    second look."""

    def __init__(self, embedded: EmbeddedJudge, model: TurnModel, prompts: tuple[str, str] = JUDGING_PROMPTS):
        self._embedded = embedded
        self._model = model
        self._first, self._second = prompts

    def grade(
        self,
        question: Question,
        reply: str,
        *,
        probing: str = "",
        run: CodeRun | None = None,
        references: tuple[Reference, ...] = (),
    ) -> Verdict:
        """See EmbeddedJudge.grade. ``references``: passages that the model may read beside the rubric."""
        heard = self._embedded.hear(question, reply, probing)
        alone = self._embedded.verdict(question, heard, run, reply)
        if not heard.units:
            return alone
        try:
            opinion = first_look(self._model, question, reply, probing, references, self._first)
        except ModelFailed as failure:
            return alone.model_copy(
                update={"notes": (f"The language model had no part in this: it {in_words(failure.fault)}.",)}
            )
        joint, standings = _joined(heard, opinion), dict(opinion.standings)
        notes: tuple[str, ...] = ()
        if differing := _differing(alone, opinion):
            try:
                again = second_look(self._model, question, reply, probing, references, differing, self._second)
                changed = {name for name, says in again.standings.items() if says is not standings[name]}
                joint = _joined(_forgetting(joint, heard, changed), again, _SECOND_COUNTS)
                differing, standings = _differing(alone, again), standings | dict(again.standings)
            except ModelFailed as failure:
                notes = (f"The language model looked only once: the second time it {in_words(failure.fault)}.",)
        if _reads_another_reply(alone, standings, differing):
            joint, notes = heard, (_SET_ASIDE,)
        verdict = self._embedded.verdict(question, _within_hearing(joint, heard, differing), run, reply)
        return verdict.model_copy(
            update={
                "judge": f"{NAME} + {self._model.judge_name}",
                "disagreed": tuple(each.id for each in differing),
                "testable": opinion.claim,
                "notes": notes,
            }
        )


def _joined(heard: Heard, opinion: Opinion, exponent: float = 1.0) -> Heard:
    """The chances after the opinion, and the words of whoever says what is likeliest then."""
    points, units = dict(heard.points), dict(heard.units)
    for name, says in opinion.standings.items():
        likely = {true: chance * SAYS[true][says] ** exponent for true, chance in heard.points[name].items()}
        total = sum(likely.values())
        points[name] = {standing: chance / total for standing, chance in likely.items()}
        if name in opinion.quotes and max(points[name], key=lambda s: points[name][s]) is says:
            units[name] = opinion.quotes[name]
    held = dict(heard.held)
    for name, says_held in opinion.held.items():
        if_held, if_not = SAYS_HELD[True], SAYS_HELD[False]
        if not says_held:
            if_held, if_not = 1 - if_held, 1 - if_not
        chance = held[name]
        held[name] = chance * if_held / (chance * if_held + (1 - chance) * if_not)
        if name in opinion.quotes:
            units[name] = opinion.quotes[name]
    return Heard(points, held, units)


def _forgetting(joint: Heard, heard: Heard, changed: Collection[str]) -> Heard:
    """``joint`` without the opinion on points of which the model has thought better."""
    back = {name: heard.points[name] for name in changed}
    units = {name: heard.units[name] for name in changed if name in heard.units}
    return Heard({**joint.points, **back}, joint.held, {**joint.units, **units})


def _within_hearing(joint: Heard, heard: Heard, differing: Sequence[Differing]) -> Heard:
    """A point of which the embedded judge hears nothing stays missing, however often the model says otherwise; and as long as the
    two differ on a point, the model's word takes from it but gives it nothing."""
    points, disputed = dict(joint.points), {each.id for each in differing}
    for name, chances in joint.points.items():
        if name in disputed and _credit(chances) > _credit(heard.points[name]):
            points[name] = heard.points[name]
        elif _credit(heard.points[name]) < _HEARD and _credit(chances) > _UNHEARD:
            points[name] = {C: _UNHEARD, P: 0.0, M: 1 - _UNHEARD, X: 0.0}
    return replace(joint, points=points)


def _credit(chances: Mapping[Standing, float]) -> float:
    return chances[C] + 0.5 * chances[P]


def _differing(alone: Verdict, opinion: Opinion) -> list[Differing]:
    """The points on which one gives credit and the other none, or denies what the other half credits."""
    found = []
    for verdict in (p for p in alone.points if p.point in opinion.standings):
        says = opinion.standings[verdict.point]
        if abs(CREDIT[says] - CREDIT[verdict.verdict]) > _HALF_A_POINT:
            unit = opinion.quotes.get(verdict.point)
            found.append(
                Differing(
                    id=verdict.point,
                    claim=verdict.claim,
                    one=_told(verdict.verdict, verdict.quote),
                    other=_told(says, unit.text if unit else ""),
                )
            )
    return found


def _told(standing: Standing, quote: str) -> str:
    return f"{standing.value}, by the words “{quote}”" if quote else standing.value


def _reads_another_reply(alone: Verdict, standings: Mapping[str, Standing], differing: Sequence[Differing]) -> bool:
    """Whether the two differ on most of the points that either hears something of: then one of them misreads the reply as a
    whole, and nothing here tells which. Small models do so often, the embedded judge seldom."""
    heard = [p for p in alone.points if p.point in standings and not (p.verdict is M and standings[p.point] is M)]
    return len(differing) >= _ENOUGH and 2 * len(differing) > len(heard)
