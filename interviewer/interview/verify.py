"""Step 6: where the language model heard a claim in this message that running something would settle, let it try.

Promises that at most one such experiment is shown in a turn, never beside one of the bank's own, never twice on the same
words, and only on words of this message. Without a language model nothing happens here.
"""

from __future__ import annotations

from interviewer.interview.experimenting import experiment
from interviewer.interview.state import Heard, Rooms, State, current, with_shown


def verify(state: State, rooms: Rooms) -> State:
    now, claim, shown = current(state), state.get("claim", ""), state.get("shown", [])
    untouched: State = {"shown": shown}
    if rooms.model is None or now is None or state.get("done") or shown or not claim:
        return untouched
    reply = Heard.model_validate(state["heard"]).text
    if claim not in reply or any(claim in each.quote for each in now.shown):
        return untouched
    rooms.progress("Testing what you said by running it")
    found = experiment(
        rooms.model,
        bank=rooms.bank,
        sandbox=rooms.sandbox,
        question=now.question,
        reply=reply,
        claim=claim,
        progress=rooms.progress,
    )
    return with_shown(now, [found]) if found else untouched
