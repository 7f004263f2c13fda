"""Step 8: the decision in words: what the candidate reads next.

Every fact it states stands in the bank or was shown by a run. Never reveals a point of the question that is
still open, and praises nothing that was not said.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.interview.asked import Asked
from interviewer.interview.diagnosis import word_on
from interviewer.interview.exam import NO_GRADES_YET, NO_HINTS, in_exam, what_happened
from interviewer.interview.phrasing import Phrased, phrased
from interviewer.interview.report import build_report
from interviewer.interview.state import Action, Current, Decision, Heard, Rooms, State, current, parts
from interviewer.interview.wording import wording_of
from interviewer.llm import in_words
from interviewer.markdown import escape, one_line
from interviewer.models import (
    Answered,
    CodeRun,
    ModelCall,
    ModelFault,
    Outcome,
    Part,
    PartKind,
    Plan,
    PointVerdict,
    Question,
    Shown,
    Standing,
    Verdict,
)

_NO_HINT_LEFT = "That was my last hint. Say what you can, or `skip`."
_LEADS = {
    "gave up": "Fair enough; saying so beats guessing. For the next time, this is what I was after:",
    "silence": "I heard nothing more, so I go on. This is what I have:",
}
_HANDED_OVER = "I am not sure of this grade, so a person will look at it."
_NOT_CLEAR = "I am not sure that I understood you on one thing, so let me ask about it by itself."
# Said in turn, so that nobody hears the same one twice running.
_TAKEN = ("I take “{}” from that.", "So I have “{}”.", "“{}” is part of what I was after.", "Noted: “{}”.")
_ANOTHER_WAY = (
    "No problem, let us try it from another side.",
    "Then let me ask it in another way.",
    "All right, here is another way in.",
)
_DISPUTE_NOTED = "Noted: a person will look at that grade, with your words and mine beside it."
_DECIDED_ALREADY = "A person has looked at that grade already; the report says what they decided and why."
_NOTHING_TO_DISPUTE = "There is no grade yet that you could dispute."


def speak(state: State, rooms: Rooms) -> State:
    decision = Decision.model_validate(state["decision"])
    if in_exam(state):
        happened = what_happened(state, decision)
    else:
        happened = [*_shown_run(state), *_experiments(state, decision), *_closing(state, decision)]
    voiced = _voiced(state, decision, rooms)
    following = _next(state, decision, voiced)
    faults = _new_faults(state, rooms)
    notices = [Part(kind=PartKind.NOTICE, text=_without_the_model(fault)) for fault in faults]
    update: State = {
        "said": parts(*happened, *notices, *following),
        "told": [*state.get("told", []), *(fault.value for fault in faults)],
    }
    if voiced and (now := current(state)):
        asked_so = now.model_copy(update={"asked_as": voiced.question})
        update["current"] = asked_so.model_dump(mode="json")
    return update


def _voiced(state: State, decision: Decision, rooms: Rooms) -> Phrased | None:
    """The follow-up in a language model's words; None where there is no model, or nothing of what it said may go out."""
    now = current(state)
    if rooms.model is None or now is None or decision.action is not Action.FOLLOW_UP or in_exam(state):
        return None  # in an exam, since a model would take up what counted
    rooms.progress("Thinking about what to ask")
    run = CodeRun.model_validate(state["run"]) if state.get("run") else None
    shown = [Shown.model_validate(each) for each in state.get("shown", [])]
    asked = Asked.of(now, Verdict.model_validate(state["graded"]), decision, run, shown)
    wording = wording_of(rooms.bank.questions())
    return phrased(rooms.model, asked, wording=wording, judge=rooms.embedded, on_text=rooms.on_text)


def _new_faults(state: State, rooms: Rooms) -> list[ModelFault]:
    """What went wrong with the language model in this turn, and was not told of before in this interview."""
    kept = [ModelCall.model_validate(call) for call in state.get("calls", [])]
    calls = [*kept, *(rooms.model.calls if rooms.model else ())]
    return [f for f in dict.fromkeys(call.fault for call in calls) if f and f.value not in state.get("told", [])]


def _without_the_model(fault: ModelFault) -> str:
    return f"The language model {in_words(fault)}; I went on without it."


# --- what just happened ---------------------------------------------------------------------------


def _shown_run(state: State) -> list[Part]:
    if not state.get("run"):
        return []
    run = CodeRun.model_validate(state["run"])
    shown = [Part(kind=PartKind.RUN, text=run_sentence(run), run=run)]
    now = current(state)
    if (
        now
        and now.question.task
        and (word := word_on(now.question.task, run, Heard.model_validate(state["heard"]).code))
    ):
        shown.append(_say(word))
    return shown


def _experiments(state: State, decision: Decision) -> list[Part]:
    """What was run on the candidate's own words. What it means is said only once the question is over: until then
    it is theirs to find out."""
    shown = [Shown.model_validate(each) for each in state.get("shown", [])]
    return [
        Part(
            kind=PartKind.EXPERIMENT,
            text=f"You wrote “{_short(each.quote)}”. I ran a few lines to see whether that is so:",
            shown=each if decision.closed else each.model_copy(update={"means": ""}),
        )
        for each in shown
    ]


def run_sentence(run: CodeRun) -> str:
    """What a run showed, in a sentence. The run's own message may hold the program's words, so it is escaped."""
    told = escape(one_line(run.message))
    match run.outcome:
        case Outcome.PASSED if run.checks:
            return f"I ran your code: all {len(run.checks)} checks passed."
        case Outcome.PASSED:
            return "I ran your code; this is what it printed."
        case Outcome.FAILED:
            return f"I ran your code. {told}".strip()
        case Outcome.TIMEOUT:
            return f"I ran your code and stopped it: it took too long. {told}".strip()
        case Outcome.OUT_OF_MEMORY:
            return f"I ran your code and stopped it: it needed too much memory. {told}".strip()
        case Outcome.VIOLATION:
            return f"I stopped your code: it did something a submission may not do. {told}".strip()
        case Outcome.INFRASTRUCTURE:
            return f"I could not run your code; that is my fault and costs you nothing. {told}".strip()


def _closing(state: State, decision: Decision) -> list[Part]:
    """The verdict on a question that ended, and the corrections of what was held wrongly; the report holds the last."""
    if not decision.closed or decision.action is Action.FINISH:
        return []
    answered = Answered.model_validate(state["answered"][-1])
    if answered.skipped:
        return [_say("Skipped. It will stand in the report as not answered.")]
    if decision.reason == "silence" and not answered.replies:
        return [_say("I heard nothing, so I count this one as not answered and go on.")]
    lead = _LEADS.get(decision.reason, "")
    evidence = Part(kind=PartKind.EVIDENCE, text=lead, verdict=answered.verdict)
    corrections = [
        Part(kind=PartKind.CORRECTION, text=f"You wrote “{_short(m.quote)}”. {m.correction}")
        for m in answered.verdict.misconceptions
    ]
    handed_over = [_say(_HANDED_OVER)] if answered.unsure else []
    return [evidence, *corrections, *handed_over]


# --- what comes next ------------------------------------------------------------------------------


def _next(state: State, decision: Decision, voiced: Phrased | None) -> list[Part]:
    now = current(state)
    question = now.question if now else None
    if decision.action is Action.DISPUTE:
        leads = {"": _DISPUTE_NOTED, "decided already": _DECIDED_ALREADY, "exam": NO_GRADES_YET}
        lead = leads.get(decision.reason, _NOTHING_TO_DISPUTE)
        return [_say(lead), *(_where_we_were(now, question) if now and question else [])]
    if decision.action is Action.FINISH or now is None or question is None:
        return _finish(state, decision)
    match decision.action:
        case Action.GREET:
            return [_say(_greeting(Plan.model_validate(state["plan"]))), _ask(question)]
        case Action.REPLAN:
            return [_say(f"Good: {describe(Plan.model_validate(state['plan']))}."), _ask(question)]
        case Action.KEEP_PLAN:
            return [_say(f"{decision.reason} So we stay with this question:"), *_where_we_were(now, question)]
        case Action.NEXT:
            return [_say("Next question."), _ask(question)]
        case Action.FOLLOW_UP:
            return _follow_up(state, decision, question, voiced)
        case Action.HINT:
            return [_hint(now, question, decision.reason)]
        case Action.REPEAT:
            return [_ask(question), *_open_follow_up(now, question)]
        case Action.REDIRECT:
            return [_say("Happy to have you here. Back to the question:"), *_where_we_were(now, question)]
        case Action.NUDGE:
            hint = "" if in_exam(state) else "`hint` for a hint, "
            return [
                _say(f"Take your time. Say {hint}`skip` to move on. The question was:"),
                *_where_we_were(now, question),
            ]


def _greeting(plan: Plan) -> str:
    requests = "`repeat`, `skip` or `end`" if plan.exam else "`hint`, `repeat`, `skip`, `dispute` or `end`"
    exam = " This is an exam: how you did, and what is so, stands in the report at the end." if plan.exam else ""
    wishes = "Tell me if you want something else, for example “senior, autograd and data questions, 20 minutes”. "
    return (
        f"Hello, I am your interviewer. We have {describe(plan)}. {'' if plan.fixed else wishes}Answer in your own words; "
        f"you can say {requests} at any time.{exam} Here is the first question."
    )


def describe(plan: Plan) -> str:
    """A plan in words: "30 minutes at mid level on all topics"."""
    topics = ", ".join(t.value for t in plan.topics) or "all topics"
    amount = f"{plan.minutes} minutes"
    if plan.questions or plan.only:
        count = plan.questions or len(plan.only)
        amount = f"{count} question" + ("s" if count != 1 else "")
    extras = ("" if plan.code else ", without code") + (", as an exam" if plan.exam else "")
    return f"{amount} at {plan.level.value} level on {topics}{extras}"


def _ask(question: Question) -> Part:
    text = question.question
    if question.choice:
        options = [f"- **{chr(ord('A') + i)}.** {option}" for i, option in enumerate(question.choice.options)]
        text = "\n".join([text, "", *options])
    if question.task:
        text += f"\n\nWrite it in the editor, where there is one, else send it in a fenced block. Start from:\n\n```python\n{question.task.starter.rstrip()}\n```"
    return Part(kind=PartKind.QUESTION, text=text)


def _follow_up(state: State, decision: Decision, question: Question, voiced: Phrased | None) -> list[Part]:
    lead = (voiced.lead if voiced else "") or _lead(state, decision)
    text = voiced.question if voiced else question.point(decision.point).follow_up
    asked = Part(kind=PartKind.FOLLOW_UP, text=text)
    return [_say(lead), asked] if lead else [asked]


def _lead(state: State, decision: Decision) -> str:
    """What goes before a follow-up where nobody phrases it better; empty in an exam, which takes up nothing."""
    if in_exam(state):
        return ""
    if state.get("shown"):
        return "What do you make of that?"
    match decision.reason:
        case "unsure":
            return _NOT_CLEAR
        case "gave up":
            return _in_turn(_ANOTHER_WAY, state)
        case _:
            return acknowledge(Verdict.model_validate(state["graded"]).points, _in_turn(_TAKEN, state))


def _in_turn(phrases: Sequence[str], state: State) -> str:
    """Another one at each turn of the candidate, every second turn of the session."""
    return phrases[state["turn"] // 2 % len(phrases)]


def acknowledge(points: Sequence[PointVerdict], taken: str) -> str:
    """What of this message counted, by the candidate's own words; nothing is praised that was not said. ``taken``: the sentence
    around them."""
    if contradicted := [p for p in points if p.verdict is Standing.CONTRADICTED and p.quote]:
        return f"You said “{_short(contradicted[0].quote)}”. Let me stay with that."
    earned = [p for p in points if p.verdict in (Standing.COVERED, Standing.PARTIAL)]
    if quoted := [p for p in earned if p.quote]:
        best = max(quoted, key=lambda p: (p.verdict is Standing.COVERED, p.weight, p.probability))
        return taken.format(_short(best.quote))
    if earned:
        return ""  # a run earned it, and its result stands above
    return "I score only what an answer says about the subject, and I have not heard it yet."


def _short(quote: str, limit: int = 140) -> str:
    quote = one_line(quote).rstrip(".")
    return escape(quote if len(quote) <= limit else quote[: limit - 1].rsplit(" ", 1)[0] + "…")


def _hint(now: Current, question: Question, reason: str) -> Part:
    if reason == "exam":
        return _say(NO_HINTS)
    if reason:
        return _say(_NO_HINT_LEFT if question.hints else "I have no hint for this one. Say what you can, or `skip`.")
    count = f"Hint {now.hints} of {len(question.hints)}: "
    return Part(kind=PartKind.HINT, text=count + question.hints[now.hints - 1])


def _where_we_were(now: Current, question: Question) -> list[Part]:
    return _open_follow_up(now, question) or [_ask(question)]


def _open_follow_up(now: Current, question: Question) -> list[Part]:
    if not now.probing:
        return []
    return [Part(kind=PartKind.FOLLOW_UP, text=now.asked_as or question.point(now.probing).follow_up)]


def _finish(state: State, decision: Decision) -> list[Part]:
    if decision.reason == "over":
        return [_say("This interview is over; its report stands above. Begin a new one whenever you like.")]
    report = build_report(state)
    lead = (
        "That is all. Thank you; here is your report."
        if report.answered
        else "We end before the first answer, so there is nothing to grade."
    )
    return [_say(lead), Part(kind=PartKind.REPORT, report=report)]


def _say(text: str) -> Part:
    return Part(kind=PartKind.SAY, text=text)
