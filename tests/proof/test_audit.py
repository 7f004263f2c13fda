"""Somebody's document, audited: what is wrong in it is found, and what can't be settled here is called so."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.bank.bank import Bank
from interviewer.errors import SandboxUnavailable
from interviewer.models import CodeRun, Doubt, Fault
from interviewer.proof.audit import Audit, audit, cut_off
from interviewer.sandbox import Sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.models]

SEEDS = Path(__file__).resolve().parents[3] / "shared" / "seeds"

DOCUMENT = """# Old questions

## Question 1: How do you train with mixed precision?

Wrap the forward pass in autocast, as here:

```python
from torch.cuda.amp import autocast

with autocast():
    loss = criterion(model(inputs), labels)
```

The scaler multiplies the loss so that small gradients don't vanish.

## Question 2: How do you move a batch to the GPU?

```python
batch = torch.utils.data.nested.map(lambda t: t.to("cuda"), [torch.ones(2)])
```

This visits every tensor in the batch.

## Question 3: How do you add a bias?

```python
x = torch.ones(2, 3) + torch.ones(2)
```

The shapes are made to fit each other.

## Question 4: How do you load data?

```python
import nosuchpackage
data = nosuchpackage.load()
```

```python
values = open("values.csv").read()
```

```python
out = frobnicate(3)
```

It returns tensors.

## Question 5: How do you show the device?

```python
class MyModel(nn.Module):
    # your layers

x = torch.ones(2).to("cuda")
print(x.device, optimizer.state_dict()["param_groups"][0]["lr"])
```

The device of a tensor stands in its attribute. One can move it by calling the
"""


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory, bank: Bank, sandbox: Sandbox) -> Audit:
    path = tmp_path_factory.mktemp("documents") / "old.md"
    path.write_text(DOCUMENT)
    return audit(path, bank.own_questions(), bank.encode, sandbox)


def doubts(found: Audit, number: int, fault: Fault) -> list[Doubt]:
    return [doubt for doubt in found.questions[number - 1].doubts if doubt.fault is fault]


def test_an_old_name_is_named_with_what_took_its_place_and_its_code_still_runs(audited: Audit) -> None:
    [old] = doubts(audited, 1, Fault.OUTDATED)
    assert "torch.amp.autocast" in old.why
    assert (audited.questions[0].blocks, audited.questions[0].ran) == (1, 1)


def test_a_name_that_does_not_exist_is_found_by_looking_and_by_running(audited: Audit) -> None:
    [unknown] = doubts(audited, 2, Fault.UNKNOWN_NAME)
    assert unknown.text == "torch.utils.data.nested.map"
    [failed] = doubts(audited, 2, Fault.FAILS)
    assert "nested" in failed.why and '"cpu" in place of "cuda"' in failed.assumed


def test_code_that_fails_by_itself_fails_and_what_was_assumed_is_told(audited: Audit) -> None:
    [failed] = doubts(audited, 3, Fault.FAILS)
    assert "RuntimeError" in failed.why and failed.assumed == ("import torch",)


def test_what_is_not_to_be_had_here_is_not_held_against_the_code(audited: Audit) -> None:
    whys = [doubt.why for doubt in doubts(audited, 4, Fault.NOT_RUN)]
    assert len(whys) == 3 and not doubts(audited, 4, Fault.FAILS)
    for missing in ("nosuchpackage, which is not installed", "files, a network", "`frobnicate`"):
        assert any(missing in why for why in whys), whys


def test_a_fragment_runs_with_stand_ins_for_what_it_takes_for_granted(audited: Audit) -> None:
    assert (audited.questions[4].blocks, audited.questions[4].ran) == (1, 1)


def test_an_answer_that_stops_in_mid_sentence_is_found(audited: Audit) -> None:
    [stump] = doubts(audited, 5, Fault.CUT_OFF)
    assert stump.text.endswith("by calling the")
    assert not any(doubts(audited, n, Fault.CUT_OFF) for n in range(1, 5))


@pytest.mark.parametrize(
    ("answer", "stump"),
    [
        ("It is all there.", ""),
        ("- one item\n- another item of the list", ""),
        ("It begins:\n\n```python\nx = 1\n", "x = 1"),
        ("The layers do the work while the", "The layers do the work while the"),
    ],
)
def test_only_a_sentence_or_a_block_that_never_ends_is_a_stump(answer: str, stump: str) -> None:
    assert cut_off(answer) == stump


def test_without_a_sandbox_all_else_is_found_and_a_note_says_so(tmp_path: Path, bank: Bank) -> None:
    class NoSandbox:
        def experiment(self, code: str, seconds: float = 10) -> CodeRun:
            raise SandboxUnavailable("There are no walls here.")

    path = tmp_path / "old.md"
    path.write_text(DOCUMENT)
    found = audit(path, bank.own_questions(), bank.encode, NoSandbox())
    assert found.notes == ("No code of this document was run. There are no walls here.",)
    assert doubts(found, 2, Fault.UNKNOWN_NAME) and not doubts(found, 3, Fault.FAILS)


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the published documents are not here")
def test_the_published_documents_have_the_faults_that_readers_found(bank: Bank, sandbox: Sandbox) -> None:
    found = [audit(path, bank.own_questions(), bank.encode, sandbox) for path in sorted(SEEDS.glob("*.txt"))]
    told = [(doubt.fault, f"{doubt.text} {doubt.why}") for each in found for doubt in each.doubts]
    for fault, words in [
        (Fault.UNKNOWN_NAME, "torch.utils.data.nested.map"),
        (Fault.OUTDATED, "pretrained=True"),
        (Fault.OUTDATED, "torch.cuda.amp"),
        (Fault.OUTDATED, "register_backward_hook"),
        (Fault.OUTDATED, "weights_only"),
        (Fault.CUT_OFF, "while torch.nn"),
        (Fault.CONTRADICTED, "TorchScript is the recommended way"),
        (Fault.FAILS, "expected an indented block"),
        (Fault.FAILS, "Expected hidden size"),
        (Fault.FAILS, "'Linear' object has no attribute 'register_hook'"),
    ]:
        assert any(f is fault and words in text for f, text in told), (fault, words)
