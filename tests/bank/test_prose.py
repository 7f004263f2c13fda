from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interviewer.bank.prose import PASSAGE_WORDS, Form, blocks, passages, sentences

_word = st.text("abcdefgh", min_size=1, max_size=9)
_sentence = st.lists(_word, min_size=1, max_size=25).map(lambda words: " ".join(words).capitalize() + ".")
_paragraphs = st.lists(st.lists(_sentence, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=6)

ANSWER = """
Tensors live on a device. Use `.to(device)`, e.g. for a GPU:

```python
x = x.to("cuda")
```

- **Fast**: large matrix products gain most.
- Slow: small ones wait for the launch.

| Part | What it holds | Trained |
|---|---|---|
| Parameter | weights | yes |

> An aside.
"""


def test_blocks_know_their_form_and_what_introduced_them() -> None:
    found = blocks(ANSWER)
    assert [b.form for b in found] == [Form.PARAGRAPH, Form.CODE, Form.ITEM, Form.ITEM, Form.ROW, Form.QUOTE]
    assert found[2].text == "Fast: large matrix products gain most."
    assert found[4].text == "Parameter: What it holds: weights; Trained: yes"


def test_sentences_are_not_cut_at_abbreviations_names_or_inside_brackets() -> None:
    text = "Use it, e.g. Adam, with 3.5 units. It calls nn.Module (see below. And above) first. `x` is kept."
    assert sentences(text) == (
        "Use it, e.g. Adam, with 3.5 units.",
        "It calls nn.Module (see below. And above) first.",
        "`x` is kept.",
    )


@given(_paragraphs)
def test_passages_keep_every_word_and_their_limit(paragraphs: list[str]) -> None:
    found = passages("\n\n".join(paragraphs))
    assert " ".join(found).split() == " ".join(paragraphs).split()
    assert all(len(passage.split()) <= PASSAGE_WORDS for passage in found)


def test_passages_hold_prose_and_no_code() -> None:
    assert not any("cuda" in passage for passage in passages(ANSWER))
    assert "Tensors live on a device." in passages(ANSWER)[0]
