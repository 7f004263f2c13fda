"""What all edits have in common, on replies of every style of the dev part."""

from __future__ import annotations

from collections import Counter

import pytest

from eval.cases import our_cases
from eval.tampering import Edit, Evidence, Expects, Material, all_edits
from eval.tampering.prose import pieces
from interviewer.markdown import code_blocks

CODE = "Subtract the maximum first.\n\n```python\nimport torch  # the first line isn't \"copied\"\n\ndef f(x):\n    return x - x.max()\n```\n\nThat doesn't change `softmax(x)`, because every entry is divided by the same factor."
CLAIMS = ("Subtracting the maximum leaves softmax unchanged.", "`exp` of a large logit overflows in float16.")


def _material(reply: str, name: str = "softmax/good") -> Material:
    said = tuple(
        line
        for line in reply.splitlines()
        if len(line.split()) > 3 and line[0].isalpha() and not line.startswith("import")
    )
    evidence = tuple(Evidence(line, line) for line in said)
    return Material(
        name, "Why is softmax computed after subtracting the maximum?", reply, CLAIMS, evidence, "Use pinned memory."
    )


RICH = "The “optimiser” does not add 25 % – it’s the naïve way. The step adds the 25 scaled rows of softmax."
REPLIES = [
    _material(CODE),
    _material(RICH, "softmax/rich"),
    *(_material(case.answer, case.id) for case in our_cases("dev")[::23]),
]


def _named(edits: list[Edit]) -> list[object]:
    return [pytest.param(edit, id=edit.name) for edit in edits]


EDITS = list(all_edits())
ADDING = [e for e in EDITS if e.expects in (Expects.NO_GAIN, Expects.BOUNDED) and e.name != "nothing between sentences"]
REWORDING = [e for e in EDITS if e.expects is Expects.SAME]


def test_no_two_edits_share_a_name() -> None:
    assert max(Counter(edit.name for edit in EDITS).values()) == 1


def test_there_are_injections_of_many_kinds_and_edits_of_every_expectation() -> None:
    assert sum(edit.family == "injection" for edit in EDITS) >= 40
    assert {edit.expects for edit in EDITS} == set(Expects)


@pytest.mark.parametrize("edit", _named(EDITS))
def test_the_same_reply_is_edited_the_same_way(edit: Edit) -> None:
    assert [edit.text(m) for m in REPLIES[:4]] == [edit.text(m) for m in REPLIES[:4]]


@pytest.mark.parametrize("edit", _named(EDITS))
def test_every_edit_can_be_made_of_some_reply_and_gives_text_that_can_be_stored(edit: Edit) -> None:
    edited = [text for m in REPLIES if (text := edit.text(m)) is not None]
    assert edited
    assert all(text.encode("utf-8").decode("utf-8") == text for text in edited)


@pytest.mark.parametrize("edit", _named(ADDING))
def test_what_is_added_leaves_every_word_of_the_reply(edit: Edit) -> None:
    for material in REPLIES:
        text = edit.text(material)
        assert text is None or (material.reply in text and len(text) > len(material.reply))


@pytest.mark.parametrize("edit", _named([*REWORDING, *(e for e in EDITS if e.family in ("flips", "padding"))]))
def test_code_blocks_are_left_alone(edit: Edit) -> None:
    for material in REPLIES:
        text = edit.text(material)
        blocks = code_blocks(material.reply)
        assert text is None or edit.name == "said twice" or code_blocks(text)[: len(blocks)] == blocks


@pytest.mark.parametrize("edit", _named([e for e in EDITS if e.expects is Expects.ZERO]))
def test_nothing_of_the_reply_is_left(edit: Edit) -> None:
    told = _material("Zanzibar quokkas memoize logits.")
    text = edit.text(told)
    assert text is None or "quokkas" not in text


@pytest.mark.parametrize("name", ["nonsense", "one endless word"])
def test_nonsense_is_long(name: str) -> None:
    [edit] = [e for e in EDITS if e.name == name]
    assert len(edit.text(REPLIES[0]) or "") == 200_000


@pytest.mark.parametrize("edit", _named([e for e in EDITS if e.expects is Expects.BOUNDED]))
def test_floods_add_about_a_hundred_thousand_characters(edit: Edit) -> None:
    text = edit.text(REPLIES[0])
    assert text and 90_000 < len(text) - len(REPLIES[0].reply) < 110_000


def test_the_pieces_of_a_reply_are_the_reply() -> None:
    for material in REPLIES:
        assert "".join(piece for piece, _ in pieces(material.reply)) == material.reply
    assert [code for _, code in pieces(CODE)] == [False, True, False]
