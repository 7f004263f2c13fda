"""A misconception that running refutes is run before the candidate's eyes, once, and only if it comes out as told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from interviewer.interview.show import show
from interviewer.interview.speak import speak
from interviewer.interview.state import Action, Current, Decision, Rooms, State
from interviewer.models import (
    Experiment,
    HeldMisconception,
    Kind,
    Level,
    Misconception,
    Part,
    PartKind,
    Point,
    PointVerdict,
    Question,
    Reference,
    Standing,
    Topic,
    Verdict,
)
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from interviewer.surfaces.render import part_markdown

QUOTE = "backward overwrites .grad"
CODE = "import torch\n\nw = torch.ones(1, requires_grad=True)\nfor _ in range(2):\n    w.sum().backward()\nprint(w.grad.item())\n"


def question(prints: str = "2.0", *, on_the_point: bool = False) -> Question:
    name = "added up"
    return Question(
        id="zeroing",
        question="Why zero_grad()?",
        topic=Topic.TRAINING,
        level=Level.JUNIOR,
        kind=Kind.EXPLAIN,
        points=(
            Point(id="adds", claim="It adds.", follow_up="What is in .grad?", shown_by=name if on_the_point else ""),
        ),
        misconceptions=(
            Misconception(
                id="overwrites",
                claim="It overwrites.",
                correction="It adds.",
                contradicts=("adds",),
                shown_by="" if on_the_point else name,
            ),
        ),
        references=(Reference(source="bank", text="It adds."),),
        experiments=(Experiment(name=name, code=CODE, prints=prints, shows="One and one were added."),),
    )


def state_of(asked: Question, *, held: bool = True) -> State:
    misconception = HeldMisconception(id="overwrites", quote=QUOTE, correction="It adds.")
    standing = Standing.CONTRADICTED if held else Standing.MISSING
    point = PointVerdict(
        point="adds",
        claim="It adds.",
        verdict=standing,
        weight=1,
        quote=QUOTE if held else "",
        probability=0.9,
        misconception="overwrites" if held else "",
    )
    verdict = Verdict(
        points=(point,), misconceptions=(misconception,) if held else (), score=0, confidence=0.9, judge="embedded"
    )
    now = Current(question=asked, verdict=verdict, probing="adds")
    decision = Decision(action=Action.FOLLOW_UP, point="adds")
    return {
        "current": now.model_dump(mode="json"),
        "graded": verdict.model_dump(mode="json"),
        "decision": decision.model_dump(mode="json"),
    }


@pytest.fixture
def rooms(tmp_path: Path, judge: object, bank: object) -> Callable[[Sandbox], Rooms]:
    def put_together(sandbox: Sandbox) -> Rooms:
        return Rooms(
            bank=bank,  # type: ignore[arg-type]
            judge=judge,  # type: ignore[arg-type]
            embedded=judge,  # type: ignore[arg-type]
            sandbox=sandbox,
            now=lambda: datetime.now(UTC),
            progress=lambda _: None,
        )

    return put_together


def shown_parts(state: State, update: State, rooms: Rooms) -> list[Part]:
    said = [Part.model_validate(part) for part in speak({**state, **update}, rooms)["said"]]
    return [part for part in said if part.kind is PartKind.EXPERIMENT]


@pytest.mark.sandbox
@pytest.mark.models
@pytest.mark.parametrize("on_the_point", [False, True])
def test_what_is_claimed_is_run_and_shown_with_the_words_that_claim_it(
    rooms: Callable[[Sandbox], Rooms], settings: Settings, on_the_point: bool
) -> None:
    state = state_of(question(on_the_point=on_the_point))
    with closing(Sandbox(settings)) as sandbox:
        update = show(state, rooms(sandbox))
        [part] = shown_parts(state, update, rooms(sandbox))
        assert QUOTE in part.text and part.shown and part.shown.printed.strip() == "2.0"
        assert "print(w.grad.item())" in part_markdown(part) and "2.0" in part_markdown(part)
        assert show({**state, **update}, rooms(sandbox))["shown"] == []


@pytest.mark.sandbox
@pytest.mark.models
def test_what_it_means_is_kept_back_while_the_point_is_open(
    rooms: Callable[[Sandbox], Rooms], settings: Settings
) -> None:
    state = state_of(question())
    with closing(Sandbox(settings)) as sandbox:
        update = show(state, rooms(sandbox))
    [part] = shown_parts(state, update, rooms(sandbox))
    assert "One and one were added." not in part_markdown(part)
    [kept] = Current.model_validate(update["current"]).shown
    assert kept.means == "One and one were added."


@pytest.mark.sandbox
@pytest.mark.models
def test_an_experiment_that_comes_out_otherwise_here_is_left_out(
    rooms: Callable[[Sandbox], Rooms], settings: Settings
) -> None:
    state = state_of(question(prints="1.0"))
    with closing(Sandbox(settings)) as sandbox:
        assert show(state, rooms(sandbox))["shown"] == []


@pytest.mark.models
def test_without_a_sandbox_or_a_misconception_nothing_is_shown(
    rooms: Callable[[Sandbox], Rooms], settings: Settings, tmp_path: Path
) -> None:
    with closing(Sandbox(settings, binary=tmp_path / "no-bubblewrap")) as nowhere:
        assert show(state_of(question()), rooms(nowhere))["shown"] == []
        assert show(state_of(question(), held=False), rooms(nowhere))["shown"] == []
