"""Whatever a question file says about code and isn't so, is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.bank.corpus import read_corpus
from interviewer.models import Question
from interviewer.proof.question import differences, prove
from interviewer.sandbox import Sandbox

pytestmark = pytest.mark.sandbox

FILE = """---
id: two-plus
question: Write plus(x, y), which adds.
topic: tensors
level: junior
kind: code
points:
  - id: adds
    claim: It adds the two.
    follow_up: What does it do?
    shown_by: one and one
task:
  entry: plus
  checks: [values, big]
---

## Answer

```python
import torch

assert torch.add(torch.ones(1), 1).item() == 2
```

## Experiment: one and one

```python
print(1 + 1)
```

Prints:

```text
2
```

What it shows: it is two.

## Starter

```python
def plus(x, y): ...
```

## Judge

```python
import torch

def cases(g):
    for _ in range(2):
        yield "values", (torch.randn(3, generator=g), torch.randn(3, generator=g))
        yield "big", (1e6 + torch.rand(3, generator=g), torch.randn(3, generator=g))

def reference(x, y): return x + y
```

## Solution

```python
def plus(x, y): return x + y
```

## Right: the other way round

```python
def plus(x, y): return y + x
```

## Wrong: a little off

Fails: values

```python
def plus(x, y): return x + y + (0.1 if abs(x[0]) < 1e3 else 0)
```

What the interviewer says to it: Try it with two ones.
"""


def question(folder: Path, old: str = "", new: str = "") -> Question:
    assert old in FILE
    (folder / "two-plus.md").write_text(FILE.replace(old, new, 1) if old else FILE)
    [found] = read_corpus(folder)
    return found


def test_a_question_that_is_as_it_says_has_no_differences(tmp_path: Path, sandbox: Sandbox) -> None:
    assert list(differences(question(tmp_path), sandbox)) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (".item() == 2", ".item() == 3", "The code stopped with AssertionError"),
        (
            "assert torch.add",
            "torch.cuda.amp.autocast\nwith torch.cuda.amp.autocast(): pass\nassert torch.add",
            "FutureWarning",
        ),
        ("print(1 + 1)", "print(1 + 2)", "experiment 'one and one'"),
        ("print(1 + 1)", "print(1 + 1); raise ValueError", "experiment 'one and one'"),
        ("def plus(x, y): ...", "def plus(x, y): return x + y", "the starter passes every check"),
        (
            "def plus(x, y): return x + y\n",
            "def plus(x, y): return x - y\n",
            "submission 'the solution', which passes: failed",
        ),
        ("return y + x", "return y - x", "submission 'the other way round', which passes: failed values"),
        ("Fails: values", "Fails: values, big", "submission 'a little off', which fails values, big: failed values"),
        ("Fails: values", "Ends: timeout", "submission 'a little off', which timeout: failed values"),
    ],
)
def test_what_is_not_so_is_named(tmp_path: Path, sandbox: Sandbox, old: str, new: str, said: str) -> None:
    [sentence] = differences(question(tmp_path, old, new), sandbox)
    assert said in sentence


def test_each_question_is_proven_as_often_as_asked(tmp_path: Path, sandbox: Sandbox) -> None:
    wrong = question(tmp_path, "print(1 + 1)", "print(3)")
    found = [amiss for _, amiss in prove([wrong], sandbox, times=3)]
    assert [len(amiss) for amiss in found] == [1, 1, 1]
