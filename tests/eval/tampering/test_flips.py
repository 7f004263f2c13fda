"""Statements turned into their opposites: polarity really changes, in one place, in words that were evidence."""

from __future__ import annotations

import pytest

from eval.cases import our_cases
from eval.tampering import Evidence, Material, all_edits
from eval.tampering.prose import on_prose, sentences
from interviewer.markdown import code_blocks

FLIPS = {edit.name.removeprefix("flip: "): edit for edit in all_edits() if edit.family == "flips"}


def _flipped(kind: str, words: str, claim: str = "") -> str | None:
    """The claim is the statement itself where none is given."""
    return FLIPS[kind].text(Material("a/b", "Why?", words, evidence=(Evidence(claim or words, words),)))


@pytest.mark.parametrize(
    ("words", "flipped"),
    [
        ("Backward accumulates gradients in grad.", "Backward doesn't accumulate gradients in grad."),
        ("A view shares memory with its base.", "A view doesn't share memory with its base."),
        ("It copies the tensor to the device.", "It doesn't copy the tensor to the device."),
        ("Forked workers inherit the dataset.", None),
        ("The workers read the same file.", "The workers don't read the same file."),
        ("Weight decay is decoupled from the gradient.", "Weight decay is not decoupled from the gradient."),
        ("Autocast can choose float16 for matmuls.", "Autocast cannot choose float16 for matmuls."),
        ("You should call zero_grad before backward.", "You should not call zero_grad before backward."),
        ("It's computed in float32 for stability.", "It's not computed in float32 for stability."),
        ("Call optimizer step after backward.", "Don't call optimizer step after backward."),
        ("They keep running statistics in buffers.", "They don't keep running statistics in buffers."),
        ("Dropout has rescaled the activations already.", "Dropout has not rescaled the activations already."),
    ],
)
def test_a_negation_is_added(words: str, flipped: str | None) -> None:
    assert _flipped("negation added", words) == flipped


@pytest.mark.parametrize(
    ("words", "flipped"),
    [
        ("Expand doesn't copy the memory.", "Expand does copy the memory."),
        ("The mask isn't applied to padding.", "The mask is applied to padding."),
        ("Gradients can’t flow through argmax.", "Gradients can flow through argmax."),
        ("Inference mode records no graph of operations.", "Inference mode records some graph of operations."),
        ("A detached tensor never receives gradients.", "A detached tensor always receives gradients."),
        ("It runs without recording operations.", "It runs with recording operations."),
        ("The buffers are not trained by the optimiser.", "The buffers are trained by the optimiser."),
        ("Nothing is copied between processes.", "Everything is copied between processes."),
        ("It is no longer a leaf tensor.", "It is still a leaf tensor."),
    ],
)
def test_a_negation_is_taken_out(words: str, flipped: str) -> None:
    assert _flipped("negation removed", words) == flipped


@pytest.mark.parametrize(
    ("words", "flipped"),
    [
        ("Memory grows with depth.", "Memory shrinks with depth."),
        ("The larger batch wins here.", "The smaller batch wins here."),
        ("Clip gradients before the step.", "Clip gradients after the step."),
        ("Unscaling divides the gradients by the scale.", "Unscaling multiplies the gradients by the scale."),
        ("Always pass raw logits.", "Never pass raw logits."),
        ("Pass reduction as use_it=True to checkpoint.", "Pass reduction as use_it=False to checkpoint."),
        ("All ranks hold the same weights.", "None of the ranks hold the same weights."),
        ("Normalise over the last row dimension.", None),
    ],
)
def test_a_word_is_turned_into_its_opposite(words: str, flipped: str | None) -> None:
    found = _flipped("opposite word", words)
    assert found == flipped if flipped else found != words


@pytest.mark.parametrize(
    ("words", "claim", "flipped"),
    [
        (
            "Adam keeps 2 moments per weight.",
            "Adam holds 2 moments for each weight.",
            "Adam keeps 6 moments per weight.",
        ),
        (
            "About 33 % slower per training step.",
            "Each training step is 33 % slower.",
            "About 99 % slower per training step.",
        ),
        ("Uses 2.5 bytes per weight.", "That is 2.5 bytes per weight.", "Uses 7.5 bytes per weight."),
        ("Two buffers in conv2d per weight.", "Each weight has 2 buffers.", None),
        ("Line 7 allocates buffers per weight.", "Each weight has 2 buffers.", None),
    ],
)
def test_a_number_of_the_claim_becomes_another(words: str, claim: str, flipped: str | None) -> None:
    assert _flipped("other number", words, claim) == flipped


@pytest.mark.parametrize(
    ("words", "flipped"),
    [
        ("The graph is freed after backward.", "It isn't true that the graph is freed after backward."),
        ("it shares storage with the base", "it isn't true that it shares storage with the base"),
        ("Call it once per batch.", None),
    ],
)
def test_a_statement_is_denied_whole(words: str, flipped: str | None) -> None:
    assert _flipped("denied", words) == flipped


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("negation added", "m reverse passes of the Jacobian product"),  # a noun, no verb
        ("negation added", "It is not copied and is shared."),  # has a negation already
        ("negation removed", "How much of it is visible I don't know."),
        ("negation removed", "It is not only faster but smaller."),
        ("opposite word", "register_autograd(backward, setup_context=x)"),  # a name in a call
        ("opposite word", "It isn't copied at all."),
    ],
)
def test_what_can_t_be_turned_round_is_left_alone(kind: str, words: str) -> None:
    assert _flipped(kind, words) is None


def test_the_flip_denies_the_claim_and_not_an_aside() -> None:
    reply = "Loading is fast, by the way. Pinned memory makes transfers asynchronous. The rest is simple."
    evidence = (Evidence("Transfers from pinned memory are asynchronous.", reply),)
    edited = FLIPS["opposite word"].text(Material("a/b", "Why?", reply, evidence=evidence))
    assert edited == reply.replace("asynchronous", "synchronous")


def test_words_that_have_nothing_of_the_claim_are_not_flipped() -> None:
    assert _flipped("negation added", "It is nice.", "Adam keeps two moments for each weight.") is None


@pytest.mark.parametrize("kind", FLIPS)
def test_one_place_of_the_evidence_changes_and_no_code(kind: str) -> None:
    flipped = 0
    for case in our_cases("dev")[::3]:
        prose: list[str] = []
        on_prose(case.answer, lambda piece, prose=prose: prose.append(piece) or piece)  # type: ignore[misc]
        quotes = [s for piece in prose for s in sentences(piece)]
        material = Material(case.id, case.question, case.answer, evidence=tuple(Evidence(q, q) for q in quotes))
        edited = FLIPS[kind].text(material)
        if edited is None:
            continue
        flipped += 1
        start, end = _changed(case.answer, edited)
        assert any((at := case.answer.find(q)) >= 0 and at <= start and end <= at + len(q) for q in quotes)
        assert code_blocks(edited) == code_blocks(case.answer)
    assert flipped >= 15


def _changed(before: str, after: str) -> tuple[int, int]:
    """The stretch of ``before`` that is another in ``after``."""
    start = len(_common_start(before, after))
    end = len(_common_start(before[start:][::-1], after[start:][::-1]))
    return start, len(before) - end


def _common_start(one: str, other: str) -> str:
    length = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:length]
