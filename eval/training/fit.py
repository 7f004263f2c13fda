"""Fits the reader's adapters and head. Deterministic under a seed on one machine; says nothing about how good the result is.

The loss of a claim is minus the logarithm of the probability that the reader gives to the standings that are right for it;
where it is known which words decide, what the reader looks at is drawn to them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from eval.training.examples import Example
from interviewer.grading.batches import padded
from interviewer.grading.network import ClaimNetwork, Encoded
from interviewer.grading.reader import LONGEST_CLAIM, WINDOW, marked, token_ids
from interviewer.grading.text import sentences

_SIDE_BY_SIDE = 6  # replies of like length that are encoded together
_WARM_UP = 40  # steps
_FLOOR = 0.03  # of the rate, at the end
_HEAD = 2.0  # rate of the head, over that of the adapters
_POINTING = 0.2  # weight of the loss of what is looked at

Progress = Callable[[str], None]
Group = Sequence[Example]  # replies that are held against (mostly) the same claims: one batch


@dataclass(frozen=True)
class _Reply:
    ids: list[int]
    sentence: list[int]
    claims: list[int]  # which of the batch's
    right: list[list[float]]
    weights: list[float]
    evidence: list[list[int]]  # for each claim, the sentences that are known to decide


def fit(
    network: ClaimNetwork,
    tokenizer: Any,
    passes: Sequence[Callable[[random.Random], Sequence[Group]]],
    *,
    seed: int,
    rate: float,
    way: str,
    progress: Progress,
) -> None:
    """``passes``: each gives the batches of one. ``way``: how the network takes sentences, see ``marked``. ``rate``: AdamW's,
    after a warm-up, falling to nearly nothing. Runs where the network is; in bfloat16 where that is quicker."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    head = [p for name, p in network.named_parameters() if p.requires_grad and not name.startswith("encoder.")]
    adapters = [p for p in network.encoder.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": adapters, "share": 1.0}, {"params": head, "share": _HEAD}], lr=rate, weight_decay=0.01
    )
    network.train()
    for layer in network.encoder.encoder.layer:
        layer.attention.self.dropout.p = 0.0  # with it, the fast attention can't be had
    step, began = 0, time.monotonic()
    for number, groups_of in enumerate(passes):
        groups = groups_of(chance)
        total = 0.0
        for at, group in enumerate(groups):
            done = (number + at / len(groups)) / len(passes)
            for parameters in optimizer.param_groups:
                falling = min(1.0, (step + 1) / _WARM_UP) * max(_FLOOR, 1 - done)
                parameters["lr"] = rate * parameters["share"] * falling
            loss, pointing = _losses(network, tokenizer, group, way)
            optimizer.zero_grad()
            torch.autograd.backward(loss + _POINTING * pointing)
            torch.nn.utils.clip_grad_norm_([*adapters, *head], 1.0)
            optimizer.step()
            step, total = step + 1, total + loss.item()
            if at % 40 == 39 or at + 1 == len(groups):
                where = f"pass {number + 1} of {len(passes)}, batch {at + 1} of {len(groups)}"
                progress(f"{where}: loss {total / (at + 1):.3f}, {time.monotonic() - began:.0f} s")


def _losses(network: ClaimNetwork, tokenizer: Any, group: Group, way: str) -> tuple[Tensor, Tensor]:
    """Of the standings, and of what was looked at; 0 where nothing is known of that."""
    device = next(network.parameters()).device
    numbers: dict[str, int] = {}
    replies = [r for example in group if (r := _tokens(example, tokenizer, numbers, way))]
    pieces = [marked(tokenizer, [token_ids(tokenizer, claim)[:LONGEST_CLAIM]], way) for claim in numbers]
    replies.sort(key=lambda r: len(r.ids))
    losses, weights, pointing = [], [], []
    with torch.autocast(device.type, torch.bfloat16):
        claims = _encode(network, pieces, device)
        for start in range(0, len(replies), _SIDE_BY_SIDE):
            some = replies[start : start + _SIDE_BY_SIDE]
            logits, looked_at, _ = network(_encode(network, [(r.ids, r.sentence) for r in some], device), claims)
            for row, reply in enumerate(some):
                chances = (logits[row, reply.claims].softmax(-1) * torch.tensor(reply.right, device=device)).sum(-1)
                losses.append(-chances.clamp_min(1e-6).log())
                weights.append(torch.tensor(reply.weights, device=device))
                pointing += [
                    -looked_at[row, claim, evidence].sum().clamp_min(1e-4).log()
                    for claim, evidence in zip(reply.claims, reply.evidence, strict=True)
                    if evidence
                ]
    weight = torch.cat(weights)
    loss = (torch.cat(losses) * weight).sum() / weight.sum()
    return loss, torch.stack(pointing).mean() if pointing else loss.new_zeros(())


def _encode(network: ClaimNetwork, texts: list[tuple[list[int], list[int]]], device: torch.device) -> Encoded:
    ids, sentence = padded(texts)
    return network.encode(ids.to(device), sentence.to(device))


def _tokens(example: Example, tokenizer: Any, numbers: dict[str, int], way: str) -> _Reply | None:
    """``numbers`` numbers the claims of the batch, and is added to. None where the reply holds no words."""
    texts = sentences(example.reply)
    pieces: list[list[int]] = []
    for text in texts:
        room = WINDOW - sum(map(len, pieces))
        if room <= 0:
            break
        pieces.append(token_ids(tokenizer, text)[:room])
    if not pieces or not example.held:
        return None
    ids, sentence = marked(tokenizer, pieces, way)
    decide = [set(sentences(held.evidence)) for held in example.held]
    return _Reply(
        ids=ids,
        sentence=sentence,
        claims=[numbers.setdefault(held.claim, len(numbers)) for held in example.held],
        right=[held.target for held in example.held],
        weights=[held.weight for held in example.held],
        evidence=[[n for n, text in enumerate(texts[: len(pieces)]) if text in words] for words in decide],
    )
