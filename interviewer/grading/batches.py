"""Texts of different lengths as one tensor, and apart again."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from interviewer.grading.network import PADDING, Encoded


def padded(texts: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
    """(ids [n, t], sentence [n, t]) of (token ids, sentence numbers)."""
    ids = pad_sequence([torch.tensor(ids) for ids, _ in texts], batch_first=True)
    sentence = pad_sequence([torch.tensor(s) for _, s in texts], batch_first=True, padding_value=PADDING)
    return ids, sentence


def single(encoded: Encoded) -> Encoded:
    """The only text of a batch, without the batch's dimension."""
    return Encoded(encoded.states[0], encoded.words[0], encoded.sentence[0], encoded.ids[0])


def apart(row: Encoded, lengths: Sequence[int]) -> list[Encoded]:
    """A text without the batch's dimension, cut into pieces of so many tokens."""
    pieces = (torch.split(each, list(lengths)) for each in (row.states, row.words, row.sentence, row.ids))
    return [Encoded(*piece) for piece in zip(*pieces, strict=True)]


def in_a_row(sentences: Sequence[Encoded]) -> Encoded:
    """Single sentences as one text of a batch, numbered anew."""
    numbered = [torch.where(s.words, number, -1) for number, s in enumerate(sentences)]
    states, words, ids = (torch.cat([getattr(s, name) for s in sentences]) for name in ("states", "words", "ids"))
    return Encoded(states[None], words[None], torch.cat(numbered)[None], ids[None])


def joined(texts: Sequence[Encoded]) -> Encoded:
    """Single texts as a batch."""
    return Encoded(
        pad_sequence([t.states for t in texts], batch_first=True),
        pad_sequence([t.words for t in texts], batch_first=True),
        pad_sequence([t.sentence for t in texts], batch_first=True, padding_value=PADDING),
        pad_sequence([t.ids for t in texts], batch_first=True),
    )
