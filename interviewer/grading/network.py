"""The network that compares a reply with claims: MiniLM with low-rank adapters, and a head that aligns their words.

Reply and claim are encoded apart, so each is encoded once whatever it is held against. Then every word of the claim looks up
the words of the reply that are nearest to it, is compared with them, and the comparisons are weighed into one answer: how the
claim stands. Two embeddings compared by their cosine can't see a negation or a swapped role; aligned words can.

Alignment and comparison: Parikh et al., 2016 (decomposable attention); word-wise similarity of encoded texts: Khattab and
Zaharia, 2020 (late interaction); adapters: Hu et al., 2021 (LoRA). The base comes from the installed package; what was
learned is ``reader.safetensors``. Knows tensors only; see ``reader`` for texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

WIDTH = 384
NARROW = 128
RANK = 16
STANDINGS = 4  # see reader.ORDER
_ADAPTED_BY = 2.0  # scale of the adapters
_SHARP = 10.0  # of the alignment, before training
_NEAR = 0.7  # cosine from which a word counts as found
_SIGNS = 8
_NOWHERE = -1e4
PADDING = -2  # what ``sentence`` holds there; -1 at the marks of beginning and end


@dataclass(frozen=True)
class Encoded:
    """Texts as states of their tokens: ``states`` [n, t, WIDTH]. ``words`` [n, t] is True where a token is a word of the text
    and not a mark or padding; ``sentence`` [n, t] numbers the sentence that it belongs to, -1 where it is no word."""

    states: Tensor
    words: Tensor
    sentence: Tensor


class ClaimNetwork(nn.Module):
    """``encoder``: a BertModel of width WIDTH."""

    def __init__(self, encoder: Any):
        super().__init__()
        self.encoder = encoder
        self.sharpness = nn.Parameter(torch.tensor(_SHARP))
        self.narrow = nn.Linear(WIDTH, NARROW)
        self.comparison = nn.Sequential(
            nn.Linear(4 * NARROW + 2, NARROW), nn.GELU(), nn.Dropout(0.1), nn.Linear(NARROW, NARROW), nn.GELU()
        )
        self.importance = nn.Linear(NARROW, 1)
        self.answer = nn.Sequential(
            nn.Linear(3 * NARROW + _SIGNS, NARROW), nn.GELU(), nn.Dropout(0.1), nn.Linear(NARROW, STANDINGS)
        )
        self.answer_of_signs = nn.Linear(_SIGNS, STANDINGS)

    def encode(self, ids: Tensor, sentence: Tensor) -> Encoded:
        """``ids`` [n, t], 0 where padded; ``sentence`` [n, t] as in Encoded."""
        states = self.encoder(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state
        return Encoded(states, sentence >= 0, sentence)

    def forward(self, replies: Encoded, claims: Encoded) -> tuple[Tensor, Tensor, Tensor]:
        """How each claim stands in each reply: logits [replies, claims, STANDINGS]; the share of each sentence of a reply in
        that answer, [replies, claims, sentences]; and its cosine with the claim, -1 where a reply has no such sentence."""
        kind = replies.states.dtype
        similarity = _similarity(replies, claims)  # [r, c, s, t]
        heard = replies.words[:, None, None, :]
        similarity = similarity.masked_fill(~heard, -1.0)
        aligned = (similarity * self.sharpness).masked_fill(~heard, _NOWHERE).softmax(-1)
        nearest = similarity.max(-1).values
        compared = self._compare(replies, claims, aligned, nearest, (aligned * similarity).sum(-1))
        spoken = claims.words[None]  # [1, c, s]
        weight = self.importance(compared).float().squeeze(-1).masked_fill(~spoken, _NOWHERE).softmax(-1)
        member = _membership(replies)
        looked_at = torch.einsum("rct,rtn->rcn", torch.einsum("rcs,rcst->rct", weight, aligned), member)
        cosine = _cosines(replies, member, claims)
        signs = _signs(claims, cosine, nearest, looked_at)
        pooled = torch.cat([*_pooled(compared.float(), weight, spoken), signs], dim=-1)
        logits = self.answer(pooled.to(kind)) + self.answer_of_signs(signs.to(kind))
        return logits.float(), looked_at, cosine

    def _compare(self, replies: Encoded, claims: Encoded, aligned: Tensor, nearest: Tensor, soft: Tensor) -> Tensor:
        """Each word of a claim beside what it was aligned with, [r, c, s, NARROW]."""
        kind = replies.states.dtype
        count, claim_count, length, words = aligned.shape
        found = aligned.to(kind).reshape(count, claim_count * length, words) @ self.narrow(replies.states)
        found = found.reshape(count, claim_count, length, NARROW)
        own = self.narrow(claims.states)[None].expand(count, -1, -1, -1)
        beside = [own, found, own - found, own * found, nearest[..., None].to(kind), soft[..., None].to(kind)]
        result: Tensor = self.comparison(torch.cat(beside, dim=-1))
        return result


def _similarity(replies: Encoded, claims: Encoded) -> Tensor:
    """Cosines of every word of every claim with every word of every reply, [r, c, s, t]."""
    kind = replies.states.dtype
    ours, theirs = (F.normalize(e.states.float(), dim=-1).to(kind) for e in (claims, replies))
    flat = theirs.reshape(-1, WIDTH) @ ours.reshape(-1, WIDTH).T
    shape = (*theirs.shape[:2], *ours.shape[:2])
    return flat.reshape(shape).permute(0, 2, 3, 1).float()


def _membership(replies: Encoded) -> Tensor:
    """1 where a token belongs to a sentence, [r, t, sentences]."""
    count = max(1, int(replies.sentence.max()) + 1)
    return F.one_hot(replies.sentence.clamp_min(0), count).float() * replies.words[..., None]


def _pooled(compared: Tensor, weight: Tensor, spoken: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The comparisons of a claim's words [r, c, s, w] weighed, averaged and at their highest, each [r, c, w]."""
    weighed = (weight[..., None] * compared).sum(2)
    mean = (compared * spoken[..., None]).sum(2) / spoken.sum(-1, keepdim=True)
    return weighed, mean, compared.masked_fill(~spoken[..., None], _NOWHERE).max(2).values


def _cosines(replies: Encoded, member: Tensor, claims: Encoded) -> Tensor:
    """Of the mean state of each sentence with that of the whole claim, [r, c, sentences]."""
    sentences = F.normalize((member.to(replies.states.dtype).transpose(1, 2) @ replies.states).float(), dim=-1)
    inside = claims.sentence != PADDING
    whole = F.normalize((claims.states.float() * inside[..., None]).sum(1), dim=-1)
    return torch.einsum("rnd,cd->rcn", sentences, whole).masked_fill(member.sum(1)[:, None] == 0, -1.0)


def _signs(claims: Encoded, cosine: Tensor, nearest: Tensor, looked_at: Tensor) -> Tensor:
    """What can be said of a pair in numbers, [r, c, _SIGNS]: the cosine of the claim with the nearest sentence, with the
    second, and with those that were looked at; how near its words were found on average, at worst, and what share of them;
    how much one sentence decided; and the claim's length."""
    spoken = claims.words[None]
    length = spoken.sum(-1)
    best = cosine.topk(min(2, cosine.shape[-1]), dim=-1).values
    return torch.stack(
        [
            best[..., 0],
            best[..., -1],
            (nearest * spoken).sum(-1) / length,
            nearest.masked_fill(~spoken, 1.0).min(-1).values,
            ((nearest > _NEAR) & spoken).float().sum(-1) / length,
            looked_at.max(-1).values,
            (cosine * looked_at).sum(-1),
            (torch.log1p(length.float()) / 4).expand(cosine.shape[:2]),
        ],
        dim=-1,
    )


class Adapted(nn.Module):
    """A frozen linear layer plus a product of two thin matrices that is learned."""

    def __init__(self, linear: nn.Linear, rank: int):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, linear.in_features) / math.sqrt(linear.in_features))
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.linear(x)
        return result + F.linear(F.linear(x, self.down), self.up) * _ADAPTED_BY

    def merged(self) -> nn.Linear:
        """One linear layer that computes the same."""
        with torch.no_grad():
            self.linear.weight += _ADAPTED_BY * (self.up @ self.down)
        return self.linear


def adapt(network: ClaimNetwork, rank: int = RANK) -> None:
    """Freezes the encoder and gives every linear layer of it an adapter."""
    network.encoder.requires_grad_(False)
    _replace(network.encoder.encoder, nn.Linear, lambda linear: Adapted(linear, rank))


def merge(network: ClaimNetwork) -> None:
    """Takes the adapters into the layers that they stand at: same results, no added work."""
    _replace(network.encoder.encoder, Adapted, lambda adapted: adapted.merged())


def learned(network: ClaimNetwork) -> dict[str, Tensor]:
    """What training changed, by name: adapters and head, but not the base."""
    return {name: value.detach() for name, value in network.named_parameters() if value.requires_grad}


def _replace(module: nn.Module, kind: type[nn.Module], by: Any) -> None:
    for name, child in list(module.named_children()):
        if isinstance(child, kind):
            setattr(module, name, by(child))
        else:
            _replace(child, kind, by)
