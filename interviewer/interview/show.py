"""Step 5: where this message holds a misconception that running something refutes, run it.

Promises that an experiment is shown once a question, and only if it printed here and now what the bank says that it
prints. One that can't be run, or prints something else on this machine, is left out: the interview goes on without.
"""

from __future__ import annotations

from interviewer.interview.state import Current, Rooms, State, current, with_shown
from interviewer.interview.tools import call, experiment_tool
from interviewer.models import Experiment, Shown, Verdict


def show(state: State, rooms: Rooms) -> State:
    now = current(state)
    if now is None or not state.get("graded"):
        return {"shown": []}
    refuting = _refuting(now, Verdict.model_validate(state["graded"]))
    shown = [each for quote, experiment in refuting if (each := _run(experiment, quote, rooms))]
    return with_shown(now, shown)


def _refuting(now: Current, verdict: Verdict) -> list[tuple[str, Experiment]]:
    """The words that hold a misconception, with the experiment on it or on a point that it denies; each experiment once."""
    question = now.question
    seen = {each.experiment for each in now.shown}
    found = []
    for held in verdict.misconceptions:
        denied = [p.point for p in verdict.points if p.misconception == held.id]
        misconception = next(m for m in question.misconceptions if m.id == held.id)
        names = [misconception.shown_by, *(question.point(name).shown_by for name in denied)]
        experiment = next((e for e in map(question.experiment, names) if e and e.name not in seen), None)
        if experiment:
            seen.add(experiment.name)
            found.append((held.quote, experiment))
    return found


def _run(experiment: Experiment, quote: str, rooms: Rooms) -> Shown | None:
    rooms.progress("Running an experiment")
    run = call(experiment_tool(rooms.sandbox, rooms.progress), experiment.code)
    if not experiment.confirmed_by(run):
        return None
    return Shown(
        experiment=experiment.name, quote=quote, code=experiment.code, printed=run.output, means=experiment.shows
    )
