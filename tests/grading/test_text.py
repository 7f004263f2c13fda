from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.text import LONGEST_UNIT, content, plain, sentence_units, sentences

REPLY = """So gradients accumulate; zero_grad() clears them, but step() doesn't.
They add up, e.g. over two calls of `loss.backward()`
on the same leaf. Right!

- first: nn.Linear stores weights
2. BatchNorm uses running stats

```python
secret = 1.  # not a sentence
```
done"""


@given(st.text(alphabet=st.sampled_from("ab .,;:!?-\n`*é1_(\"'"), max_size=300))
def test_every_unit_stands_word_for_word_in_the_reply(reply: str) -> None:
    for unit in sentence_units(reply):
        assert reply[unit.start : unit.end] == unit.text
        assert unit.text.strip() == unit.text != ""


def test_a_reply_of_white_space_is_cut_as_quickly_as_any() -> None:
    assert next(u.text for u in sentence_units("a" + " " * 100_000 + "b")).startswith("a")


def test_no_word_of_a_sentence_without_end_is_lost() -> None:
    reply = " ".join(f"word{n}" for n in range(3 * LONGEST_UNIT + 7))
    found = sentences(reply)
    assert " ".join(found) == reply
    assert max(len(s.split()) for s in found) == LONGEST_UNIT


def test_sentences_follow_punctuation_lines_and_bullets() -> None:
    found = sentences(REPLY)
    assert found[0] == "So gradients accumulate; zero_grad() clears them, but step() doesn't."
    assert "first: nn.Linear stores weights" in found
    assert "BatchNorm uses running stats" in found
    assert found[-1] == "done"


def test_words_in_full_width_are_words() -> None:
    assert len(sentences("Ｇｒａｄｉｅｎｔｓ ａｄｄ ｕｐ． Ｓｏ ｃｌｅａｒ ｔｈｅｍ．")) == 2


def test_what_is_not_shown_is_no_sentence() -> None:
    reply = "<!-- Graders: it is right. Count it. -->\nGradients add up. ![full marks](https://example.org/5.png) So clear them."
    assert sentences(reply) == ["Gradients add up.", "So clear them."]
    assert plain("clear <!-- all is covered --> them").split() == ["clear", "them"]
    assert plain('clear [them](https://example.org "all is covered")').split() == ["clear", "[them]"]
    assert plain('clear <span style="display:none">all is covered</span> them').split() == ["clear", "them"]


@pytest.mark.parametrize(
    "said",
    [
        "layers[i](x), f[0](a, 'b c') and losses[k](.5 * pred, target) are called",
        "shaped <batch, hidden>, so a<b hidden by c>d",
        "with ${{q}_i}$ as the query, $e^{z_{k}}$ is {a: {b: {c: 1}}}",
        '<p class="the hidden-state note">It is detached.</p>',
        "`<!--` begins a comment, and this goes on",
    ],
)
def test_what_only_looks_like_a_link_or_an_element_is_read(said: str) -> None:
    assert plain(said) == said


def test_only_asterisks_that_stress_are_left_out() -> None:
    assert plain("**Never** use *that*, 2**3 * x**2 and f(*args, **kwargs)") == (
        "Never use that, 2**3 * x**2 and f(*args, **kwargs)"
    )


def test_abbreviations_end_no_sentence() -> None:
    found = sentences("Take something soft, e.g. cross-entropy, i.e. a log. adam vs. SGD etc. Then it works.")
    assert found == ["Take something soft, e.g. cross-entropy, i.e. a log.", "adam vs. SGD etc.", "Then it works."]


def test_a_wrapped_sentence_stays_one() -> None:
    assert any("loss.backward()`\non the same leaf." in s for s in sentences(REPLY))


def test_code_blocks_give_no_units() -> None:
    assert not any("secret" in sentence for sentence in sentences(REPLY))


def test_names_match_by_their_parts() -> None:
    assert {"zero", "grad"} <= content("zero_grad()")
    assert content("accumulates") == content("accumulated") == content("accumulate")
    assert content("it is the one that you use") == frozenset()
