"""Tasks in question files: their checks, their submissions, and the mistakes that one can make there."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.bank.corpus import read_corpus
from interviewer.errors import BankError
from interviewer.models import CheckKind, Outcome, Requirement, Task

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
    proven_by: [values, quick]
task:
  entry: plus
  checks:
    - values
    - {name: slopes, kind: gradient}
    - {name: quick, kind: speed, times: 3.0}
  forbids: [add, for]
  tolerance: {float32: 1.0e-5, bfloat16: 2.0e-2}
  device: gpu
---

## Answer

Plus.

## Starter

```python
def plus(x, y): ...
```

## Judge

```python
def cases(g): ...
```

## Solution

```python
def plus(x, y): return x + y
```

## Right: the other way round

```python
def plus(x, y): return y + x
```

## Wrong: minus

Fails: values,
slopes

```python
def plus(x, y): return x - y
```

What the interviewer says to it: Try it
with two ones.

## Wrong: for ever

Ends: timeout

```python
while True: pass
```

What the interviewer says to it: When does it end?
"""


def read(folder: Path, text: str) -> Task:
    (folder / "two-plus.md").write_text(text)
    [question] = read_corpus(folder)
    assert question.task
    return question.task


def test_a_task_is_read_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    task = read(tmp_path, FILE)
    assert task.checks == (
        Requirement(name="values"),
        Requirement(name="slopes", kind=CheckKind.GRADIENT),
        Requirement(name="quick", kind=CheckKind.SPEED, times=3.0),
    )
    assert task.names == ("values", "slopes", "quick")
    assert (task.forbids, task.device, task.tolerance) == (("add", "for"), "gpu", {"float32": 1e-5, "bfloat16": 2e-2})
    other, minus, forever = task.submissions
    assert (other.name, other.right, other.code) == ("the other way round", True, "def plus(x, y): return y + x\n")
    assert (minus.name, minus.right, minus.fails) == ("minus", False, ("values", "slopes"))
    assert (minus.says, minus.ends) == ("Try it with two ones.", None)
    assert (forever.fails, forever.ends) == ((), Outcome.TIMEOUT)
    assert Task.model_validate(task.model_dump(mode="json")) == task


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("kind: speed, times: 3.0", "kind: speed", "name: quick", "a check of kind speed needs times"),
        ("kind: gradient", "kind: gradient, mib: 3", "name: slopes", "a check of kind gradient has no mib"),
        ("kind: gradient", "kind: grad", "name: slopes", "kind: Input should be 'values', 'gradient'"),
        ("kind: gradient", "kind: modes, mode: eval", "name: slopes", "has its modes in its cases"),
        ("    - values\n", "    - values\n    - values\n", "task:", "checks stand twice: values"),
        ("    - values\n", '    - "a, b"\n', '"a, b"', "String should match pattern"),
        ("proven_by: [values, quick]", "proven_by: [speed]", "id: two-plus", "proven by unknown checks: speed"),
        ("float32: 1.0e-5", "float31: 1.0e-5", "tolerance:", "float31"),
        ("forbids: [add, for]", "forbids: [a b]", "forbids:", "String should match pattern"),
        ("Fails: values,", "Fails: valves,", "## Wrong: minus", "minus: there is no check valves"),
        ("Fails: values,\nslopes\n", "", "## Wrong: minus", "begins with a line `Fails: check, check` or `Ends:"),
        ("Ends: timeout", "Ends: badly", "## Wrong: for ever", "ends: Input should be"),
        ("What the interviewer says to it: When", "When", "## Wrong: for ever", "needs a paragraph that begins with"),
        ("## Wrong: for ever", "## Wrong: minus", None, "the section 'Wrong: minus' stands twice"),
        ("## Right: the other way round\n", "## Right: the other way round\n\nSo.\n", "## Right", "and nothing else"),
        ("```python\nwhile True: pass\n```", "", "## Wrong: for ever", "needs one fenced python block"),
        ("## Solution", "## Resolution", "---", "needs the section ## Solution"),
    ],
)
def test_a_mistake_is_reported_where_it_stands(tmp_path: Path, old: str, new: str, line: str | None, what: str) -> None:
    assert FILE.count(old) >= 1
    text = FILE.replace(old, new, 1)
    with pytest.raises(BankError) as caught:
        read(tmp_path, text)
    found = [m for m in caught.value.mistakes if what in m.message]
    assert found, caught.value
    if line:
        assert text.splitlines()[found[0].line - 1].strip().lstrip("- {").startswith(line.lstrip("- {")), found


def test_submissions_without_a_task_have_no_place(tmp_path: Path) -> None:
    front, _, rest = FILE.partition("task:\n")
    with pytest.raises(BankError) as caught:
        read(tmp_path, front.replace("    proven_by: [values, quick]\n", "") + "---" + rest.partition("---")[2])
    assert [m.message.partition(" stands")[0] for m in caught.value.mistakes] == [
        "## Starter", "## Judge", "## Solution", "a submission", "a submission", "a submission",
    ]  # fmt: skip
