"""The step that lets the language model test a claim: when it does, and what stays as it was when it doesn't."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest

from interviewer.interview.state import Action, Current, Decision, Heard, Intent, Rooms, State
from interviewer.interview.verify import verify
from interviewer.llm import TurnModel
from interviewer.models import ModelFault, Shown, Standing
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from tests.interview.acting import CLAIM, QUESTION, REPLY, RIGHT, NoSandbox, Shelf, played, trying
from tests.interview.reviewing import verdict

EARLIER = Shown(experiment="another", quote="it adds", code="print(1)", printed="1", means="")


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with closing(Sandbox(Settings(home=tmp_path_factory.mktemp("home")))) as ready:
        yield ready


def rooms(sandbox: Any, model: TurnModel | None) -> Rooms:
    return Rooms(
        bank=Shelf(),
        judge=None,  # type: ignore[arg-type]
        embedded=None,  # type: ignore[arg-type]
        sandbox=sandbox,
        now=lambda: datetime.now(UTC),
        progress=lambda _: None,
        model=model,
    )


def state_of(claim: str = CLAIM, *, shown: tuple[Shown, ...] = (), before: tuple[Shown, ...] = ()) -> State:
    graded = verdict({"adds": (Standing.MISSING, 0.9)})
    now = Current(question=QUESTION, verdict=graded, probing="adds", shown=before)
    return {
        "heard": Heard(intent=Intent.ANSWER, text=REPLY).model_dump(mode="json"),
        "graded": graded.model_dump(mode="json"),
        "current": now.model_dump(mode="json"),
        "decision": Decision(action=Action.FOLLOW_UP, point="adds").model_dump(mode="json"),
        "shown": [each.model_dump(mode="json") for each in shown],
        "claim": claim,
    }


@pytest.mark.sandbox
def test_a_claim_is_tested_and_the_run_shown_with_the_words_that_make_it(sandbox: Sandbox, settings: Settings) -> None:
    model, _ = played(settings, [trying(CLAIM, RIGHT)], [("settle", {"run": 1})])
    state = state_of(before=(EARLIER,))
    update = verify(state, rooms(sandbox, model))
    [shown] = [Shown.model_validate(each) for each in update["shown"]]
    assert shown.quote == CLAIM and "6.0" in shown.printed
    assert Current.model_validate(update["current"]).shown == (EARLIER, shown)
    assert len(model.calls) == 2


NOT_NOW = {
    "no claim": state_of(""),
    "not the candidate's words": state_of("gradients are averaged"),
    "something is shown already": state_of(shown=(EARLIER,)),
    "it was tested before": state_of(before=(EARLIER.model_copy(update={"quote": CLAIM}),)),
    "no question is open": {**state_of(), "current": None},
    "the interview is over": {**state_of(), "done": True},
}


@pytest.mark.parametrize("why", NOT_NOW)
def test_the_model_is_asked_only_where_there_is_something_to_test(settings: Settings, why: str) -> None:
    state: State = NOT_NOW[why]  # type: ignore[assignment]
    model, actor = played(settings, [trying(CLAIM, RIGHT)])
    assert verify(state, rooms(NoSandbox(), model)) == {"shown": state["shown"]}
    assert actor.heard == []


def test_without_a_model_the_turn_stays_as_it_was() -> None:
    assert verify(state_of(), rooms(NoSandbox(), None)) == {"shown": []}


def test_a_model_that_fails_leaves_the_turn_as_it_was_and_is_on_record(settings: Settings) -> None:
    model, _ = played(settings, TimeoutError())
    assert verify(state_of(), rooms(NoSandbox(), model)) == {"shown": []}
    assert [call.fault for call in model.calls] == [ModelFault.TIMEOUT]
