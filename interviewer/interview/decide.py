"""Step 7: what to do next: follow up on the most valuable open point, move on, finish, or serve a request.

Promises: at most three follow-ups a question, never twice on one point, always on a point that is open or
contradicted, or, once a question, on one that the grader is unsure of; a question that ends is closed exactly once; one
that ends with its grade unsure is handed to a person.
"""

from __future__ import annotations

import re
from datetime import datetime

from interviewer.errors import NothingToPractise
from interviewer.grading.score import score_of
from interviewer.interview.doubt import why_unsure
from interviewer.interview.exam import in_exam
from interviewer.interview.pick import pick
from interviewer.interview.plan import parse_plan, wish_in
from interviewer.interview.probing import most_valuable, to_clarify
from interviewer.interview.state import Action, Current, Decision, Heard, Intent, Reviewed, Rooms, State, current
from interviewer.models import (
    Answered,
    Evidence,
    Filing,
    Plan,
    PointVerdict,
    Question,
    ReviewKind,
    Standing,
    Verdict,
)

MAX_FOLLOW_UPS = 3
_SILENCES = 2  # in a row, before moving on
_NO_JUDGE = "nothing to judge"
_QUESTION_NUMBER = re.compile(r"\b(?:question|q)\s*#?(\d{1,2})\b", re.IGNORECASE)


def decide(state: State, rooms: Rooms) -> State:
    if state["turn"] < 0:
        return _move_on(state, rooms, Decision(action=Action.GREET), plan=Plan.model_validate(state["plan"]))
    heard = Heard.model_validate(state["heard"])
    now = current(state)
    if heard.intent is Intent.DISPUTE and in_exam(state) and now is not None:
        return _keep(now, Action.DISPUTE, reason="exam")
    if heard.intent is Intent.DISPUTE:
        return _dispute(state, now, heard)
    if state.get("done") or now is None:
        return {"decision": _dump(Decision(action=Action.FINISH, reason="over"))}
    match heard.intent:
        case Intent.PLAN:
            return _replan(state, rooms, heard)
        case Intent.HINT:
            return _hint(state, now)
        case Intent.REPEAT:
            return _keep(now, Action.REPEAT)
        case Intent.SMALL_TALK:
            return _keep(now, Action.REDIRECT)
        case Intent.SILENCE:
            return _silence(state, rooms, now)
        case Intent.SKIP:
            return _close(state, rooms, now, skipped=not now.replies)
        case Intent.END:
            return _close(state, rooms, now, skipped=not now.replies, finish=True)
        case Intent.ANSWER | Intent.DONT_KNOW | Intent.DISPUTE:
            return _after_answer(state, rooms, now, gave_up=heard.intent is Intent.DONT_KNOW)


def _after_answer(state: State, rooms: Rooms, now: Current, *, gave_up: bool) -> State:
    gave_up_whole = gave_up and not now.probing
    reason = "gave up" if gave_up else ""
    if gave_up_whole or len(now.probed) >= MAX_FOLLOW_UPS:
        return _close(state, rooms, now, reason=reason)
    # What was just run before the candidate's eyes is what the next question is about; doubts can wait.
    unclear = "" if state.get("shown") else to_clarify(now)
    point = unclear or most_valuable(now)
    if point is None:
        return _close(state, rooms, now, reason=reason)
    probing = now.model_copy(
        update={"probing": point, "asked_as": "", "probed": (*now.probed, point), "clarified": now.clarified or unclear}
    )
    return {
        "current": probing.model_dump(mode="json"),
        "decision": _dump(
            Decision(action=Action.FOLLOW_UP, point=point, reason=reason or ("unsure" if unclear else ""))
        ),
    }


def _hint(state: State, now: Current) -> State:
    """Counts hints that were given, not those that were asked for in vain."""
    if in_exam(state):
        return _keep(now, Action.HINT, reason="exam")
    if now.hints >= len(now.question.hints):
        return _keep(now, Action.HINT, reason="none left")
    return _keep(now.model_copy(update={"hints": now.hints + 1}), Action.HINT)


def _silence(state: State, rooms: Rooms, now: Current) -> State:
    silent = now.model_copy(update={"silences": now.silences + 1})
    if silent.silences < _SILENCES:
        return {"current": silent.model_dump(mode="json"), "decision": _dump(Decision(action=Action.NUDGE))}
    return _close(state, rooms, silent, reason="silence")


def _dispute(state: State, now: Current | None, heard: Heard) -> State:
    """Notes the dispute against the question that it numbers; else this one if it was graded; else the one before."""
    answered = list(state.get("answered", []))
    named = _QUESTION_NUMBER.search(heard.text)
    index = int(named[1]) - 1 if named else len(answered) - 1
    on_the_table = now is not None and now.verdict is not None and (not named or index == len(answered))
    if now is not None and on_the_table:
        question = now.question.id
        disputed = now.model_copy(update={"disputed": _joined(now.disputed, heard.text)})
        update: State = {"current": disputed.model_dump(mode="json")}
    elif 0 <= index < len(answered):
        question = answered[index]["question"]
        answered[index] = {**answered[index], "disputed": _joined(answered[index]["disputed"], heard.text)}
        update = {"answered": answered}
    else:
        return {"decision": _dump(Decision(action=Action.DISPUTE, reason="nothing to dispute"))}
    decided = [Reviewed.model_validate(each) for each in state.get("reviewed", [])]
    if any(each.question == question and each.ruling.kind is ReviewKind.DISPUTE for each in decided):
        return {"decision": _dump(Decision(action=Action.DISPUTE, reason="decided already"))}
    filing = Filing(kind=ReviewKind.DISPUTE, question=question, reason=heard.text)
    return {**update, "filed": [filing.model_dump(mode="json")], "decision": _dump(Decision(action=Action.DISPUTE))}


def _joined(before: str, text: str) -> str:
    return f"{before}\n{text}" if before else text


def _replan(state: State, rooms: Rooms, heard: Heard) -> State:
    before = Plan.model_validate(state["plan"])
    plan = parse_plan(heard.text, before) or before
    if wish := wish_in(heard.text):
        wanted = parse_plan(heard.text, before.model_copy(update={"topics": ()})) or before
        try:
            plan = rooms.plan_for(wish, wanted)
        except NothingToPractise as nothing:
            return {"decision": _dump(Decision(action=Action.KEEP_PLAN, reason=str(nothing)))}
        plan = parse_plan(heard.text, plan) or plan  # what was said in so many words goes before what the record says
    return _move_on({**state, "asked": []}, rooms, Decision(action=Action.REPLAN), plan=plan)


def _close(
    state: State, rooms: Rooms, now: Current, *, skipped: bool = False, finish: bool = False, reason: str = ""
) -> State:
    """Ends the question on the table and goes to the next one, or to the report."""
    this = answered_from(now, state, skipped)
    answered = [*state.get("answered", []), this.model_dump(mode="json")]
    at = rooms.now().isoformat(timespec="seconds")
    kept: State = {
        "closed": Evidence(question=now.question, answered=this, at=at).model_dump(mode="json"),
        "filed": [_unsure(this).model_dump(mode="json")] if this.unsure else [],
    }
    if finish:
        closed = bool(now.replies)
        decision = Decision(action=Action.FINISH, closed=closed, reason="asked to end")
        over: State = {"current": None, "done": True, "decision": _dump(decision)}
        return {**over, **kept, "answered": answered} if closed else over
    plan = Plan.model_validate(state["plan"])
    decision = Decision(action=Action.NEXT, closed=True, reason=reason)
    return {**kept, **_move_on({**state, "answered": answered}, rooms, decision, plan=plan)}


def _unsure(answered: Answered) -> Filing:
    return Filing(kind=ReviewKind.UNSURE, question=answered.question, reason=answered.unsure)


def _move_on(state: State, rooms: Rooms, decision: Decision, *, plan: Plan) -> State:
    answered = [Answered.model_validate(a) for a in state.get("answered", [])]
    minutes_gone = (rooms.now() - datetime.fromisoformat(state["begun"])).total_seconds() / 60
    asked = state.get("asked", [])
    question = pick(
        rooms.bank.questions(),
        session=state["session"],
        plan=plan,
        asked=asked,
        answered=answered,
        minutes_left=plan.minutes - minutes_gone,
    )
    update: State = {
        "plan": plan.model_dump(mode="json"),
        "answered": [a.model_dump(mode="json") for a in answered],
    }
    if question is None:
        finished = decision.model_copy(update={"action": Action.FINISH})
        return {**update, "current": None, "done": True, "decision": _dump(finished)}
    return {
        **update,
        "asked": [*asked, question.id],
        "current": Current(question=question).model_dump(mode="json"),
        "retrieved": {"references": [], "neighbours": []},
        "decision": _dump(decision),
    }


def answered_from(now: Current, state: State, skipped: bool) -> Answered:
    """The question as it will stand in the report."""
    question = now.question
    neighbours = tuple(state.get("retrieved", {}).get("neighbours", []))
    return Answered(
        question=question.id,
        text=question.question,
        topic=question.topic,
        level=question.level,
        verdict=now.verdict or nothing_said(question),
        replies=now.replies,
        run=now.run,
        shown=now.shown,
        hints=now.hints,
        follow_ups=len(now.probed),
        skipped=skipped,
        disputed=now.disputed,
        unsure=why_unsure(now.verdict) if now.verdict and not skipped else "",
        read=(*question.sources, *neighbours),
        reference=question.references[0].text,
        doubts=question.references[0].doubts,
        prerequisites=question.prerequisites,
        shown_by=_shown_by(question, now.verdict),
    )


def _shown_by(question: Question, verdict: Verdict | None) -> dict[str, str]:
    """By point the experiment that shows how it is: the one on the misconception that was held, else the point's own."""
    by_misconception = {m.id: m.shown_by for m in question.misconceptions}
    held = {p.point: by_misconception.get(p.misconception, "") for p in verdict.points} if verdict else {}
    named = {p.id: held.get(p.id, "") or p.shown_by for p in question.points}
    return {point: name for point, name in named.items() if name}


def nothing_said(question: Question) -> Verdict:
    """All points missing: a score of 0 that needs no judge."""
    points = tuple(
        PointVerdict(point=p.id, claim=p.claim, verdict=Standing.MISSING, weight=p.weight, probability=0.0)
        for p in question.points
    )
    return Verdict(points=points, score=score_of(points, ()), confidence=1.0, judge=_NO_JUDGE)


def _keep(now: Current, action: Action, reason: str = "") -> State:
    spoken = now.model_copy(update={"silences": 0})
    return {"current": spoken.model_dump(mode="json"), "decision": _dump(Decision(action=action, reason=reason))}


def _dump(decision: Decision) -> dict[str, object]:
    return decision.model_dump(mode="json")
