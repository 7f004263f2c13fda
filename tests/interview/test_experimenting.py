"""What an agent may show of a candidate's claim: a run that happened, of code that says nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from interviewer.interview.experimenting import experiment
from interviewer.interview.tools import MOST_TOLD, answer, hint_tool, search_bank_tool
from interviewer.models import Shown
from interviewer.sandbox import Sandbox
from interviewer.settings import Settings
from tests.interview.acting import CLAIM, QUESTION, REPLY, RIGHT, Actor, Line, NoSandbox, Shelf, played, trying


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with closing(Sandbox(Settings(home=tmp_path_factory.mktemp("home")))) as ready:
        yield ready


def tried(sandbox: Any, settings: Settings, *script: Line) -> tuple[Shown | None, Actor]:
    model, actor = played(settings, *script)
    shown = experiment(
        model,
        bank=Shelf(),
        sandbox=sandbox,
        question=QUESTION,
        reply=REPLY,
        claim=CLAIM,
        progress=lambda _: None,
    )
    return shown, actor


def told(actor: Actor) -> str:
    """What the last tools answered."""
    return str(actor.heard[-1][-1].content)


@pytest.mark.sandbox
@pytest.mark.parametrize("end", ["It settles it.", [("settle", {"run": 1})]])
def test_a_run_that_settles_the_claim_is_shown_with_what_it_printed(
    sandbox: Sandbox, settings: Settings, end: Line
) -> None:
    shown, actor = tried(sandbox, settings, [trying(CLAIM, RIGHT)], end)
    assert shown and shown.quote == CLAIM and shown.printed.split() == ["grad", "3.0", "grad", "6.0"]
    assert "w.grad.item()" in shown.code and "accumulate" not in shown.code and shown.means == ""
    assert told(actor).startswith("Run 1. This run can be shown.") and "<output " in told(actor)


@pytest.mark.sandbox
def test_code_that_fails_is_mended_and_only_the_run_that_was_named_is_shown(
    sandbox: Sandbox, settings: Settings
) -> None:
    broken = [trying(CLAIM, RIGHT.replace("w.grad", "w.gard"))]
    shown, actor = tried(sandbox, settings, broken, [trying(CLAIM, RIGHT)], [("settle", {"run": 2})])
    assert shown and "6.0" in shown.printed
    assert "gard" in str(actor.heard[1][-1].content)
    assert tried(sandbox, settings, broken, [("settle", {"run": 1})])[0] is None


@pytest.mark.sandbox
def test_where_no_run_settles_it_nothing_is_shown(sandbox: Sandbox, settings: Settings) -> None:
    assert tried(sandbox, settings, [trying(CLAIM, RIGHT)], [("settle", {"run": 0})])[0] is None
    assert tried(sandbox, settings, "It is a matter of taste.")[0] is None


LIES = {
    "words alone": 'print("grad is overwritten")',
    "a constant": 'print("grad", 3.0)',
    "a constant by another name": 'import torch\nheld = False\nprint("grad", held)',
    "a sentence before a value": 'import torch\nprint("every call of backward overwrites the grad", torch.ones(1))',
    "a verdict before a value": 'import torch\nprint("claim holds", torch.ones(1))',
    "an open point before a value": 'import torch\nprint("summed over batches", torch.ones(1))',
    "another library": "import torch\ntorch.Tensor.item = lambda t: 3.0\nprint(torch.ones(1).item())",
    "another print": "import torch\ndef print(*a): ...\nprint(torch.ones(1))",
    "code in a text": "import torch\nexec('print(3.0)')\nprint(torch.ones(1))",
    "too much of it": "import torch\n" + "print(torch.ones(1))\n" * 30,
    "no Python": "import torch print(",
    "a deep nest": "not " * 700 + "1",
}


@pytest.mark.parametrize("lie", LIES)
def test_code_that_speaks_for_itself_is_not_even_run(settings: Settings, lie: str) -> None:
    shown, actor = tried(NoSandbox(), settings, [trying(CLAIM, LIES[lie])], "It settles it.")
    assert shown is None and told(actor).startswith("Nothing was run.")


UNFIT = {
    "branches to its own text": 'import torch\nprint("3.0" if torch.ones(1).item() == 1 else "6.0")',
    "nothing": "import torch\ntorch.ones(1)",
    "without end": "import torch\nwhile True:\n    print(torch.ones(1))",
    "an error": "import torch\nprint(torch.ones(1))\ntorch.ones(2) @ torch.ones(3)",
    "more than anyone reads": "import torch\nfor i in torch.arange(60):\n    print(i)",
    "out before its end": "import torch\nprint(torch.ones(1), flush=True)\ntorch.os._exit(0)",
}


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", UNFIT)
def test_a_run_that_is_no_evidence_is_not_shown_and_the_model_is_told_why(
    sandbox: Sandbox, settings: Settings, kind: str
) -> None:
    shown, actor = tried(sandbox, settings, [trying(CLAIM, UNFIT[kind])], [("settle", {"run": 1})])
    assert shown is None and told(actor).startswith("Run 1. This run can't be shown.")
    assert len(told(actor)) <= MOST_TOLD


@pytest.mark.sandbox
def test_hostile_code_harms_nothing(sandbox: Sandbox, settings: Settings, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    hostile = (
        f"import os, socket, torch\nprint(os.system('touch {mark}'[:80]), torch.ones(1))\n"
        "socket.create_connection(('127.0.0.1', 9), timeout=1)\nprint(torch.ones(1))"
    )
    short = hostile.replace(f"'touch {mark}'[:80]", " + ".join(repr(c) for c in ("touch ", *_pieces(str(mark)))))
    shown, actor = tried(sandbox, settings, [trying(CLAIM, short)], "It settles it.")
    assert shown is None and not mark.exists() and "can't be shown" in told(actor)


def _pieces(path: str) -> list[str]:
    return [path[i : i + 20] for i in range(0, len(path), 20)]


@pytest.mark.parametrize(
    "claim", ["", "backward adds to .grad", "zero_grad() is a habit", "each call of backward  over"]
)
def test_a_claim_that_is_not_in_the_reply_runs_nothing(settings: Settings, claim: str) -> None:
    shown, actor = tried(NoSandbox(), settings, [trying(claim, RIGHT)], "It settles it.")
    assert shown is None and "don't stand in the candidate's message" in told(actor)


@pytest.mark.sandbox
def test_calls_without_end_are_ended(sandbox: Sandbox, settings: Settings) -> None:
    shown, actor = tried(sandbox, settings, [trying(CLAIM, RIGHT)] * 5)
    assert shown is None and len(actor.heard) == 4
    answers = [m for m in actor.heard[-1] if m.type == "tool"]
    assert len(answers) == 15
    assert sum(str(m.content).startswith("Run ") for m in answers) == 3


def test_a_wrong_call_is_answered_with_what_is_wrong(settings: Settings) -> None:
    wrong: Line = [("run_shell", {}), ("test_claim", {"claim": CLAIM}), ("hint", {"number": "one"}), ("settle", {})]
    shown, actor = tried(NoSandbox(), settings, wrong, "I give up.")
    assert shown is None
    texts = [str(m.content) for m in actor.heard[1] if m.type == "tool"]
    assert len(texts) == 4 and "There are: test_claim, search_bank, hint, settle" in texts[0]
    assert all("arguments are wrong" in text for text in texts[1:])


@pytest.mark.sandbox
def test_a_model_that_fails_in_the_middle_leaves_nothing(sandbox: Sandbox, settings: Settings) -> None:
    broken = httpx.ConnectError("refused")
    assert tried(sandbox, settings, [trying(CLAIM, RIGHT)], broken)[0] is None
    assert tried(sandbox, settings, "")[0] is None


def test_without_a_sandbox_nothing_is_shown(settings: Settings, tmp_path: Path) -> None:
    with closing(Sandbox(settings, binary=tmp_path / "no-bubblewrap")) as nowhere:
        assert tried(nowhere, settings, [trying(CLAIM, RIGHT)], "It settles it.")[0] is None


def test_the_bank_is_looked_up_in_short_and_never_for_the_question_on_the_table() -> None:
    tool = search_bank_tool(Shelf(), QUESTION)
    found = str(answer({"name": "search_bank", "args": {"query": "optimisers"}, "id": "1"}, [tool]).content)
    assert "About momentum?" in found and "zeroing" not in found and "accumulate" not in found
    assert len(found) <= MOST_TOLD and found.rstrip().startswith("<bank ") and "</bank " in found
    empty = answer({"name": "search_bank", "args": {"query": ""}, "id": "1"}, [tool])
    assert empty.content == "A search needs some words." and empty.status == "error"


def test_a_hint_is_read_by_its_number() -> None:
    tool = hint_tool(QUESTION)
    said = [str(answer({"name": "hint", "args": {"number": n}, "id": "1"}, [tool]).content) for n in (1, 2)]
    assert "Think of two batches." in said[0] and said[1] == "The question has 1 hints."


def test_the_candidates_words_stand_between_marks_that_they_cannot_forge(settings: Settings) -> None:
    _, actor = tried(NoSandbox(), settings, "Nothing to run.")
    sent = str(actor.heard[0][1].content)
    assert "<reply " in sent and "<claim " in sent and "accumulate" not in sent
