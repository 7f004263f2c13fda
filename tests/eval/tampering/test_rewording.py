"""Edits that must keep the meaning: each keeps what it promises to keep."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.cases import our_cases
from eval.tampering import Edit, Material, all_edits
from eval.tampering.lookalikes import skeleton
from eval.tampering.prose import on_words, sentences

EDITS: dict[str, Edit] = {edit.name: edit for edit in all_edits()}
REPLIES = [case.answer for case in our_cases("dev")[::11]]


def _edited(name: str, reply: str) -> str:
    text = EDITS[name].text(Material("a/b", "Why?", reply))
    return reply if text is None else text


def _letters(text: str) -> str:
    return re.sub(r"[\s*•-]|(?<=\s)\d+[.)]", "", text)


@pytest.mark.parametrize("name", ["upper case", "lower case"])
def test_capitals_are_all_that_changes(name: str) -> None:
    for reply in REPLIES:
        assert _edited(name, reply).casefold() == reply.casefold()


@pytest.mark.parametrize(
    "name",
    [
        "homoglyphs",
        "homoglyphs throughout",
        "zero width",
        "full width",
        "mathematical bold",
        "smart quotes",
        "ligatures",
        "no-break spaces",
    ],
)
def test_lookalikes_look_the_same(name: str) -> None:
    changed = 0
    for reply in REPLIES:
        edited = _edited(name, reply)
        changed += edited != reply
        assert skeleton(edited) == skeleton(reply)
    assert changed > len(REPLIES) / 4


def test_raised_figures_stay_raised() -> None:
    assert _edited("NFKD", "56² ﬁlters, naïve") == "56² filters, nai\u0308ve"


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=200))
def test_any_text_can_be_edited(reply: str) -> None:
    for edit in EDITS.values():
        if edit.family in ("rewording", "typos", "layout", "lookalikes"):
            assert isinstance(_edited(edit.name, reply), str)


@pytest.mark.parametrize("name", ["wrapped", "double spaces", "emphasis", "as bullets"])
def test_layout_leaves_the_letters_in_their_order(name: str) -> None:
    for reply in REPLIES:
        assert _letters(_edited(name, reply)) == _letters(reply)


def test_sentences_stand_back_to_front() -> None:
    assert _edited("back to front", "First a. Then b! And `c. d`?") == "And `c. d`? Then b! First a."


def test_bullets_become_prose_and_prose_becomes_bullets() -> None:
    assert _edited("as one paragraph", "- one thing\n- another\n") == "one thing. another.\n"
    assert _edited("as bullets", "One thing. Another\nline.") == "- One thing.\n- Another line."


@pytest.mark.parametrize("percent", [1, 2, 3])
def test_typos_are_as_many_as_said_and_never_in_names_or_short_words(percent: int) -> None:
    for reply in (r for r in REPLIES if len(r) > 300):
        names = set(re.findall(r"\w*[_.]\w+|`[^`]+`|\b\w{1,4}\b", re.sub(r"```.*?```", "", reply, flags=re.S)))
        edited = _edited(f"typos {percent} %", reply)
        assert names <= set(re.findall(r"\w*[_.]\w+|`[^`]+`|\b\w{1,4}\b", edited))
        slips = sum(a != b for a, b in zip(_words(reply), _words(edited), strict=True))
        assert 1 <= slips <= max(1, round(percent / 100 * sum(c.isalpha() for c in reply)))


def _words(text: str) -> list[str]:
    found: list[str] = []

    def note(word: str) -> str:
        found.append(word)
        return word

    on_words(text, note)
    return found


@pytest.mark.parametrize(
    ("name", "reply", "edited"),
    [
        ("American spelling", "The optimiser isn't `optimiser`.", "The optimizer isn't `optimiser`."),
        ("British spelling", "Normalization, not normalize_it.", "Normalisation, not normalize_it."),
        ("contractions written out", "It doesn't; that’s all, I'd say.", "It does not; that is all, I would say."),
        ("contracted", "It does not copy and cannot fail.", "It doesn't copy and can't fail."),
        ("numbers as figures", "Two of the three, not int_two.", "2 of the 3, not int_two."),
        ("synonyms", "Because it needs every row.", "Since it requires each row."),
    ],
)
def test_words_are_put_for_words_outside_of_names(name: str, reply: str, edited: str) -> None:
    assert _edited(name, reply) == edited


@pytest.mark.parametrize("name", ["adverbs", "adjectives", "opener", "closer"])
def test_only_words_are_added(name: str) -> None:
    for reply in REPLIES:
        left = iter(_edited(name, reply).split())
        assert all(word in left for word in reply.split())


def test_sentences_end_where_they_end() -> None:
    text = "Use e.g. `a. B` here. Then i.e. that! - not a bullet\n- a bullet\n\nnext wrapped\nline 2.5 ends"
    assert sentences(text) == [
        "Use e.g. `a. B` here.",
        "Then i.e. that! - not a bullet",
        "- a bullet",
        "next wrapped\nline 2.5 ends",
    ]
