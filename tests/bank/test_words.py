"""Search by words: what shares rare words comes first, forms of a word count as it, and nothing shared is nothing found."""

from __future__ import annotations

from interviewer.bank.words import Words

WORDS = Words(
    {
        "clip": "How do you clip gradients by their norm in a training loop?",
        "zero": "Why does a training loop zero the gradients?",
        "save": "How are models saved to disk?",
    }
)


def test_the_best_has_1_and_rare_words_weigh_more() -> None:
    found = WORDS.scores("the clipping of a gradient in training")
    assert found["clip"] == 1.0 and 0 < found["zero"] < 1 and "save" not in found


def test_forms_of_a_word_count_as_it() -> None:
    assert set(WORDS.scores("saving a model")) == {"save"}


def test_what_shares_no_word_is_not_found() -> None:
    assert WORDS.scores("attention") == {} and WORDS.scores("the of and") == {} and WORDS.scores("?!") == {}
    assert Words({}).scores("training") == {}
