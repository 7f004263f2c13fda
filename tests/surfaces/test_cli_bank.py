"""The commands about the bank, as processes of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.shell import Shell

DOCUMENT = """# Questions

## Question 1: How do you load a pretrained network?

Call resnet18(pretrained=True), which downloads the weights of a network that was trained on ImageNet.

## Question 2: How do you add a bias?

```python
x = torch.ones(2, 3) + torch.ones(2)
```

The shapes are made to fit each other.
"""


def test_stats_draws_and_counts_the_same(interviewer: Shell) -> None:
    stats = interviewer.json("bank", "stats", "--json", code=0)
    assert {"questions", "tasks", "by_topic", "by_level", "by_kind", "covered"} <= set(stats)
    assert sum(stats["by_topic"].values()) == sum(stats["by_level"].values()) == stats["questions"]
    assert sum(stats["tasks_by_kind"].values()) == stats["tasks"]
    assert {t: sum(levels.values()) for t, levels in stats["by_topic_and_level"].items()} == stats["by_topic"]
    drawn = interviewer.said("bank", "stats", code=0)
    assert f"{stats['questions']} questions, {stats['tasks']} of them want code" in drawn and "█" in drawn


@pytest.mark.sandbox
def test_prove_says_what_was_proven_and_refuses_what_is_not_there(interviewer: Shell) -> None:
    found = interviewer.json("bank", "prove", "masked-mean", "zero-grad", "--json", code=0)
    assert found == {"questions": {"masked-mean": [], "zero-grad": []}, "times": 1}
    assert "2 questions proven, 2 times each." in interviewer.said(
        "bank", "prove", "zero-grad", "cat-vs-stack", "--times", "2", code=0
    )
    interviewer.said("bank", "prove", "no-such-question", code=2)


@pytest.mark.sandbox
@pytest.mark.models
def test_audit_answers_with_1_where_something_is_wrong_and_with_0_where_nothing_is(
    interviewer: Shell, tmp_path: Path
) -> None:
    document = tmp_path / "old.md"
    document.write_text(DOCUMENT)
    found = interviewer.json("audit", str(document), "--json", code=1)
    faults = [[doubt["fault"] for doubt in question["doubts"]] for question in found["questions"]]
    assert faults == [["outdated"], ["code fails"]]
    told = interviewer.said("audit", str(document), code=1)
    assert "weights=" in told and "RuntimeError" in told and "Assumed: import torch." in told
    document.write_text(
        DOCUMENT.replace("(pretrained=True)", "(weights=w)").replace("torch.ones(2)\n", "torch.ones(3)\n")
    )
    assert interviewer.json("audit", str(document), "--json", code=0)["questions"][1]["ran"] == 1
    interviewer.said("audit", str(tmp_path / "missing.md"), code=2)
