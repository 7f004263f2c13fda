"""What a document says wrongly is found where it can be, and nobody is graded by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.bank.bank import Bank
from interviewer.bank.doubts import Contradictions, doubted_claims, doubts_in_names
from interviewer.embedding import Embedder
from interviewer.models import Fault, Kind, Level, Misconception, Point, Question, Reference, Topic
from interviewer.settings import Settings

POINT = Point(id="adds", claim="backward() adds to .grad.", follow_up="What happens to .grad?", shown_by="")
BANK = (
    Question(
        id="zeroing",
        question="Why zero_grad()?",
        topic=Topic.TRAINING,
        level=Level.JUNIOR,
        kind=Kind.EXPLAIN,
        points=(POINT,),
        misconceptions=(
            Misconception(
                id="overwrites",
                claim="Each backward call overwrites the gradients of the one before.",
                correction="It adds to them.",
                contradicts=("adds",),
            ),
        ),
        references=(Reference(source="bank", text="It adds."),),
    ),
)
DOCUMENT = """# Questions

1. Why do we call zero_grad in a training loop?

Each call of backward overwrites the gradients of the one before. The optimizer then uses the gradients to update all
parameters of the model. Hooks can be registered with register_backward_hook on any module of the network. The learning
rate decides about the length of each step that the optimizer takes.

2. How do you map a function over a nested structure?

Call torch.utils.data.nested.map with the function and the structure. It visits every tensor inside of lists and
dictionaries. The result has the same structure as what was given to the function.
"""


@pytest.mark.parametrize(
    ("text", "today"),
    [
        ("model = resnet18(pretrained=True)", "weights="),
        ("with torch.cuda.amp.autocast():", "torch.amp.autocast"),
        ("layer.register_backward_hook(f)", "register_full_backward_hook"),
        ("x = Variable(torch.ones(2), volatile=True)", "no_grad"),
        ("scripted = torch.jit.script(model)", "torch.export"),
        ("y = x.data", "detach"),
    ],
)
def test_old_habits_are_named_with_what_took_their_place(text: str, today: str) -> None:
    found = doubts_in_names(text)
    assert found and all(doubt.fault is Fault.OUTDATED for doubt in found)
    assert any(today in doubt.why for doubt in found)


@pytest.mark.parametrize(
    "text",
    [
        "torch.cuda.amp was replaced by torch.amp.",
        "register_full_backward_hook(f)",
        "loader = torch.utils.data.DataLoader(self.data)",
        "Variable is deprecated: Variable(x) gives a tensor.",
    ],
)
def test_what_is_right_or_speaks_of_the_past_is_left_alone(text: str) -> None:
    assert doubts_in_names(text) == []


@pytest.mark.models
def test_a_claim_that_says_a_misconception_is_doubted_and_its_contrary_is_not() -> None:
    contradictions = Contradictions(BANK, Embedder().encode)
    wrong = "Each call of backward overwrites the gradients of the one before."
    [doubt] = contradictions.among(
        [wrong, "backward() adds to .grad.", "The optimizer updates the parameters with the gradients."]
    )
    assert (doubt.text, doubt.why, doubt.question) == (wrong, "It adds to them.", "zeroing")
    assert doubted_claims("Why zero_grad?", "", contradictions) == ()


@pytest.mark.models
def test_an_imported_question_is_not_graded_by_what_its_document_has_wrong(tmp_path: Path) -> None:
    document = tmp_path / "old.md"
    document.write_text(DOCUMENT)
    bank = Bank(Settings(home=tmp_path / "home"), Embedder(), BANK)
    [result] = bank.ingest([document])
    first, second = (bank.get(q.id) for q in result.questions)
    said = [point.claim for question in (first, second) for point in question.points]
    assert said and not any(
        old in claim for claim in said for old in ("overwrites", "register_backward_hook", "nested.map")
    )
    assert {doubt.fault for doubt in first.references[0].doubts} == {Fault.CONTRADICTED, Fault.OUTDATED}
    assert [doubt.fault for doubt in second.references[0].doubts] == [Fault.UNKNOWN_NAME]
    [again] = bank.ingest([document])
    assert (again.added, again.changed, again.unchanged) == (0, 0, 2)
    bank.close()
