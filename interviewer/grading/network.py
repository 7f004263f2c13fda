"""The network that compares a reply with claims: MiniLM with low-rank adapters, and a head that aligns their words.

Reply and claim are encoded apart, so each is encoded once whatever it is held against; the sentences of a reply together, or each
by itself, so that none changes how another is understood. Then every word of the claim looks up the words of the reply that are
nearest to it, is compared with them, and the comparisons are weighed into one answer: how the claim stands. Two embeddings
compared by their cosine can't see a negation or a swapped role; aligned words can.

In the other direction, the words of the sentence that was looked at most look up the claim's: what was said beside the claim,
a "not" or another name, shows only there. And since words in context are near when they play the same part, they are also
compared as they stand in the dictionary: "step()" does in its sentence what "backward()" does in the claim, and is another word.

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
_NUMBERS = 4  # of a word beside what it was aligned with: see ClaimNetwork._look_up
_LONGEST = 64  # tokens of the sentence that is looked at most
_NOWHERE = -1e4
PADDING = -2  # what ``sentence`` holds there; -1 at the marks of beginning and end


@dataclass(frozen=True)
class Encoded:
    """Texts as states of their tokens: ``states`` [n, t, WIDTH]. ``words`` [n, t] is True where a token is a word of the text
    and not a mark or padding; ``sentence`` [n, t] numbers the sentence that it belongs to, -1 where it is no word; ``ids``
    [n, t] are the tokens."""

    states: Tensor
    words: Tensor
    sentence: Tensor
    ids: Tensor


class Comparison(nn.Module):
    """The words of one text, each beside what it was aligned with in the other, weighed into a few vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.compare = nn.Sequential(
            nn.Linear(4 * NARROW + _NUMBERS, NARROW), nn.GELU(), nn.Dropout(0.1), nn.Linear(NARROW, NARROW), nn.GELU()
        )
        self.importance = nn.Linear(NARROW, 1)

    def forward(self, own: Tensor, found: Tensor, numbers: Tensor, spoken: Tensor) -> tuple[Tensor, Tensor]:
        """``own``, ``found`` [..., s, NARROW]; ``numbers`` [..., s, _NUMBERS]; ``spoken`` [..., s], True at words. The comparisons
        weighed, averaged and at their highest, [..., 3 * NARROW], and the weights [..., s]."""
        beside = [own, found, own - found, own * found, numbers.to(own.dtype)]
        compared = self.compare(torch.cat(beside, dim=-1))
        weight = self.importance(compared).float().squeeze(-1).masked_fill(~spoken, _NOWHERE).softmax(-1)
        return torch.cat(_pooled(compared.float(), weight, spoken), dim=-1), weight


class ClaimNetwork(nn.Module):
    """``encoder``: a BertModel of width WIDTH."""

    def __init__(self, encoder: Any):
        super().__init__()
        self.encoder = encoder
        self.sharpness = nn.Parameter(torch.tensor(_SHARP))
        self.narrow = nn.Linear(WIDTH, NARROW)
        self.of_claim = Comparison()
        self.of_reply = Comparison()
        self.answer = nn.Sequential(
            nn.Linear(6 * NARROW + _SIGNS, NARROW), nn.GELU(), nn.Dropout(0.1), nn.Linear(NARROW, STANDINGS)
        )
        self.answer_of_signs = nn.Linear(_SIGNS, STANDINGS)

    def encode(self, ids: Tensor, sentence: Tensor) -> Encoded:
        """``ids`` [n, t], 0 where padded; ``sentence`` [n, t] as in Encoded. What stands between one mark of beginning and the
        next comes out as it would alone."""
        part, place = _parts(ids)
        seen = (part[:, :, None] == part[:, None, :]) & ((ids != 0)[:, None, :] | (ids == 0)[:, :, None])
        states = self.encoder(input_ids=ids, attention_mask=seen[:, None], position_ids=place).last_hidden_state
        return Encoded(states, sentence >= 0, sentence, ids)

    def near(self, replies: Encoded, claims: Encoded) -> Tensor:
        """The cosine of each sentence of a reply with each claim, [replies, claims, sentences]."""
        return _cosines(replies, _membership(replies), claims)

    def forward(self, replies: Encoded, claims: Encoded) -> tuple[Tensor, Tensor, Tensor]:
        """How each claim stands in each reply: logits [replies, claims, STANDINGS]; the share of each sentence of a reply in
        that answer, [replies, claims, sentences]; and its cosine with the claim, -1 where a reply has no such sentence."""
        kind = replies.states.dtype
        heard, spoken = replies.words[:, None, None, :], claims.words[None]
        in_context = _cosines_of_words(replies.states, claims.states)  # [r, c, s, t]
        in_dictionary = self._dictionary(replies, claims)
        aligned, numbers = self._look_up(in_context, in_dictionary, heard)
        said, own = self.narrow(replies.states), self.narrow(claims.states)
        found = (aligned.to(kind).flatten(1, 2) @ said).unflatten(1, aligned.shape[1:3])  # [r, c, s, NARROW]
        of_claim, weight = self.of_claim(own.expand_as(found), found, numbers, spoken)
        member = _membership(replies)
        looked_at = torch.einsum("rct,rtn->rcn", torch.einsum("rcs,rcst->rct", weight, aligned), member)
        of_reply = self._heard(replies, spoken, (said, own), in_context, in_dictionary, looked_at)
        cosine = _cosines(replies, member, claims)
        signs = _signs(claims, cosine, numbers[..., 0], looked_at)
        pooled = torch.cat([of_claim, of_reply, signs], dim=-1)
        logits = self.answer(pooled.to(kind)) + self.answer_of_signs(signs.to(kind))
        return logits.float(), looked_at, cosine

    def _dictionary(self, replies: Encoded, claims: Encoded) -> Tensor:
        """Cosines of words as they are before any context, [r, c, s, t]."""
        known = self.encoder.embeddings.word_embeddings
        return _cosines_of_words(known(replies.ids), known(claims.ids))

    def _look_up(self, in_context: Tensor, in_dictionary: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """What the words of one text are aligned with in another [..., s, t], and how near each was found, at best and on average
        over that, in context and in the dictionary [..., s, _NUMBERS]. ``there``: True at the other's words."""
        cosines = [cosine.masked_fill(~there, -1.0) for cosine in (in_context, in_dictionary)]
        aligned = (cosines[0] * self.sharpness).masked_fill(~there, _NOWHERE).softmax(-1)
        near = [n for cosine in cosines for n in (cosine.max(-1).values, (aligned * cosine).sum(-1))]
        return aligned, torch.stack(near, dim=-1)

    def _heard(
        self,
        replies: Encoded,
        spoken: Tensor,
        narrow: tuple[Tensor, Tensor],
        in_context: Tensor,
        in_dictionary: Tensor,
        looked_at: Tensor,
    ) -> Tensor:
        """The words of the sentence that each claim looked at most beside the claim's, [r, c, 3 * NARROW]. ``narrow``: the words
        of replies [r, t, NARROW] and of claims [c, s, NARROW]."""
        at, there = _places(replies, looked_at.argmax(-1))  # [r, c, l]
        rows = at[:, :, None, :].expand(-1, -1, in_context.shape[2], -1)
        near, alike = (each.gather(3, rows).transpose(2, 3) for each in (in_context, in_dictionary))  # [r, c, l, s]
        aligned, numbers = self._look_up(near, alike, spoken[:, :, None, :])
        said, own = narrow
        words = said[torch.arange(len(said), device=said.device)[:, None, None], at]
        found = aligned.to(own.dtype) @ own  # [r, c, l, NARROW]
        pooled: Tensor = self.of_reply(words, found, numbers, there)[0]
        return pooled


def _parts(ids: Tensor) -> tuple[Tensor, Tensor]:
    """Of tokens [n, t]: the number of the part that each stands in, from one mark of beginning (what each row begins with) to the
    next, and its place in that part."""
    begins = ids == ids[:, :1]
    places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    return begins.cumsum(1), places - places.masked_fill(~begins, 0).cummax(1).values


def _cosines_of_words(replies: Tensor, claims: Tensor) -> Tensor:
    """Of every word of every claim [c, s, WIDTH] with every word of every reply [r, t, WIDTH]: [r, c, s, t]."""
    ours, theirs = (F.normalize(states.float(), dim=-1).to(states.dtype) for states in (claims, replies))
    flat = theirs.reshape(-1, WIDTH) @ ours.reshape(-1, WIDTH).T
    shape = (*theirs.shape[:2], *ours.shape[:2])
    return flat.reshape(shape).permute(0, 2, 3, 1).float()


def _places(replies: Encoded, sentence: Tensor) -> tuple[Tensor, Tensor]:
    """Where the words of ``sentence`` [r, c] stand in each reply, the first _LONGEST: indices [r, c, l], and whether there is
    a word."""
    inside = replies.sentence[:, None, :] == sentence[:, :, None]  # [r, c, t]
    length = max(1, min(_LONGEST, int(inside.sum(-1).max())))
    there, at = inside.int().sort(dim=-1, descending=True, stable=True)
    return at[..., :length], there[..., :length].bool()


def _membership(replies: Encoded) -> Tensor:
    """1 where a token belongs to a sentence, [r, t, sentences]."""
    count = max(1, int(replies.sentence.max()) + 1)
    return F.one_hot(replies.sentence.clamp_min(0), count).float() * replies.words[..., None]


def _pooled(compared: Tensor, weight: Tensor, spoken: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The comparisons of a text's words [r, c, s, w] weighed, averaged and at their highest, each [r, c, w]."""
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
