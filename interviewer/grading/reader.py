"""How each of many claims stands in a reply, read from the words alone.

Two networks read, and what they answer is averaged: one takes each sentence by itself, so that nothing beside it changes how it is
understood; the other takes them together, so that it knows what "it" is.

Promises: the same reply and claims give the same probabilities, in whatever order they are asked; the sentence that is named
stands in the reply. A sentence that is near no claim is not read, so that talk beside the point moves nothing. Long replies
are read window by window, ``WINDOWS`` of them at most. Reads English; knows what its training showed it (``card.json``) and
no facts: a wrong statement is seen by holding it against the claim, so an error about something that no claim names passes
unseen.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from interviewer.embedding import IMPORTING, check_model_file, model_folder
from interviewer.errors import ModelFileError
from interviewer.grading.places import Places
from interviewer.grading.text import Unit, plain
from interviewer.models import Standing

_LETTERS = re.compile(r"[A-Za-z]+")
ORDER = (Standing.COVERED, Standing.PARTIAL, Standing.MISSING, Standing.CONTRADICTED)
ROOM = Path(__file__).parent
WEIGHTS, CARD = "reader.safetensors", "card.json"
WAYS = ALONE, TOGETHER = "alone", "together"  # how a network takes the sentences of a reply
WINDOW = 318  # tokens of a reply that are read together
MARKS = 2  # tokens that a sentence has around it
WINDOWS = 8
LONGEST_CLAIM = 96  # tokens
BESIDE_THE_POINT = 0.28  # a sentence with a lower cosine to every claim is left out
# Pieces of the tokenizer for a word, on average: random letters fall into more than these, and what candidates say into fewer.
PIECES, PIECES_IN_ALL = 2.5, 2.2
_FEW_WORDS, _FEW_IN_ALL = 3, 12  # too few to tell
_SPACED_OUT = re.compile(r"(?:(?<!\S)\w\s+){10}")  # w o r d s that are meant for no reader of words
_KEPT = 4096  # claims whose encoding is remembered: those of the whole bank, 80 KB each


@dataclass(frozen=True)
class Reading:
    """How a claim stands: a logit for each standing, in ORDER; the sentence that was looked at most; and the cosine of the
    claim with each sentence that was read."""

    logits: tuple[float, ...]
    unit: Unit
    near: tuple[float, ...]


Window = list[tuple[Unit, list[int]]]  # sentences that are read together, each with its tokens


class ClaimReader:
    """Both networks with what they learned in ``weights``, the shipped ones where nothing is said; loaded at the first use, or by
    ``warm``, and shared by all threads."""

    def __init__(self, weights: Path | None = None) -> None:
        self._weights = weights
        self._networks: dict[str, Any] = {}
        self._tokenizer: Any = None
        self._lock = threading.RLock()
        self._places = Places(os.cpu_count() or 1)
        self._claims: OrderedDict[str, Any] = OrderedDict()

    def warm(self) -> None:
        with self._lock:
            if not self._networks:
                self._tokenizer, self._networks = load_networks(self._weights or ROOM / WEIGHTS)

    def read(self, reply: Sequence[Unit], claims: Sequence[str]) -> list[Reading]:
        """One Reading for each claim, or none where no sentence is near any of them. ``reply``: its sentences that may earn
        something, in order. Those that are no language it knows, or near no claim, are left out."""
        import torch

        self.warm()
        with self._places.at_once(), torch.inference_mode():
            once: dict[str, Unit] = {}  # to say it again adds nothing
            for unit in self._in_words(reply):
                once.setdefault(unit.text, unit)
            said = [(unit, self._token_ids(unit.text)[:WINDOW]) for unit in once.values()]
            encoded, against = self._sentences(_windows(said)), self._encoded(claims)
            near = self._near_some(encoded, against[ALONE])
            windows = _windows([sentence for sentence in said if sentence[0] in near])
            found = [self._window(window, encoded, against) for window in windows]
        return [_together(windows, readings) for readings in zip(*found, strict=True)]

    def prepare(self, claims: Sequence[str]) -> None:
        """Encodes what reading these claims would have to encode first, once the network is loaded, as long as nobody waits to
        read."""
        import torch

        for claim in claims:
            with self._places.when_idle(), torch.inference_mode():
                if not self._networks:
                    return
                self._encoded([claim])

    def _sentences(self, windows: Sequence[Window]) -> dict[Unit, Any]:
        """Each sentence as it is encoded by itself."""
        from interviewer.grading.batches import apart, padded, single

        found: dict[Unit, Any] = {}
        for window in windows:
            tokens = [ids for _, ids in window]
            row = single(self._networks[ALONE].encode(*padded([marked(self._tokenizer, tokens, ALONE)])))
            found |= zip((unit for unit, _ in window), apart(row, [len(ids) + MARKS for ids in tokens]), strict=True)
        return found

    def _near_some(self, encoded: dict[Unit, Any], claims: Any) -> set[Unit]:
        """The sentences that are near one of the claims."""
        from interviewer.grading.batches import in_a_row

        if not encoded:
            return set()
        nearest = self._networks[ALONE].near(in_a_row(list(encoded.values())), claims)[0].amax(0).tolist()
        return {unit for unit, cosine in zip(encoded, nearest, strict=True) if cosine >= BESIDE_THE_POINT}

    def _window(self, window: Window, encoded: dict[Unit, Any], claims: dict[str, Any]) -> list[Reading]:
        import torch

        from interviewer.grading.batches import in_a_row, padded

        row = marked(self._tokenizer, [tokens for _, tokens in window], TOGETHER)
        taken = {
            ALONE: in_a_row([encoded[unit] for unit, _ in window]),
            TOGETHER: self._networks[TOGETHER].encode(*padded([row])),
        }
        said = zip(*(network(taken[way], claims[way]) for way, network in self._networks.items()), strict=True)
        logits, looked_at, cosine = (torch.stack(each).mean(0)[0] for each in said)
        rows = zip(logits.double().tolist(), looked_at.argmax(-1).tolist(), cosine.tolist(), strict=True)
        return [Reading(tuple(values), window[at][0], tuple(near)) for values, at, near in rows]

    def _encoded(self, claims: Sequence[str]) -> dict[str, Any]:
        """The claims as each network encodes them."""
        from interviewer.grading.batches import joined, padded, single

        found = {claim: self._kept(claim) for claim in claims}
        for claim, encoded in found.items():
            if encoded is None:
                text = padded([marked(self._tokenizer, [self._token_ids(claim)[:LONGEST_CLAIM]], TOGETHER)])
                found[claim] = {way: single(network.encode(*text)) for way, network in self._networks.items()}
                self._keep(claim, found[claim])
        return {way: joined([found[claim][way] for claim in claims]) for way in self._networks}

    def _kept(self, claim: str) -> Any:
        with self._lock:
            if claim in self._claims:
                self._claims.move_to_end(claim)
            return self._claims.get(claim)

    def _keep(self, claim: str, encoded: Any) -> None:
        with self._lock:
            self._claims[claim] = encoded
            while len(self._claims) > _KEPT:
                self._claims.popitem(last=False)

    def _in_words(self, reply: Sequence[Unit]) -> list[Unit]:
        """Without sentences of random or single letters; nothing where the reply is mostly random ones."""
        pieces = [self._pieces(unit.text) for unit in reply]
        in_all, fallen_into = (sum(counts) for counts in zip(*pieces, strict=True))
        if in_all > _FEW_IN_ALL and fallen_into > PIECES_IN_ALL * in_all:
            return []
        known = (u for u, (words, n) in zip(reply, pieces, strict=True) if words <= _FEW_WORDS or n <= PIECES * words)
        return [unit for unit in known if not _SPACED_OUT.search(plain(unit.text))]

    def _pieces(self, text: str) -> tuple[int, int]:
        """How many words of letters there are, and into how many pieces they fall."""
        words = _LETTERS.findall(plain(text))
        return len(words), len(self._token_ids(" ".join(words)))

    def _token_ids(self, text: str) -> list[int]:
        with self._lock:  # a tokenizer is not to be used by two at once
            return token_ids(self._tokenizer, text)


def _windows(reply: Window) -> list[Window]:
    """Sentences in runs of at most WINDOW tokens, each run beginning with the last sentence of the one before. No window
    where there is no sentence."""
    windows: list[Window] = [[]] if reply else []
    for unit, tokens in reply:
        if windows[-1] and sum(len(t) for _, t in windows[-1]) + len(tokens) > WINDOW:
            if len(windows) == WINDOWS:
                break
            last = windows[-1][-1]
            windows.append([last] if len(last[1]) + len(tokens) <= WINDOW else [])
        windows[-1].append((unit, tokens))
    return windows


def _together(windows: Sequence[Window], readings: Sequence[Reading]) -> Reading:
    """Of several windows, the logits of the one that least finds the claim missing: what was said once was said."""
    missing = ORDER.index(Standing.MISSING)
    best = max(readings, key=lambda r: max(r.logits) - r.logits[missing])
    near: dict[Unit, float] = {}
    for window, reading in zip(windows, readings, strict=True):
        for (unit, _), cosine in zip(window, reading.near, strict=True):
            near[unit] = max(cosine, near.get(unit, cosine))
    return Reading(best.logits, best.unit, tuple(near.values()))


def token_ids(tokenizer: Any, text: str) -> list[int]:
    """Without marks; "[CLS]" in a text is a word like others."""
    found: list[int] = tokenizer(plain(text), add_special_tokens=False, split_special_tokens=True)["input_ids"]
    return found


def marked(tokenizer: Any, sentences: Sequence[Sequence[int]], way: str) -> tuple[list[int], list[int]]:
    """Token ids of a text, and the number of each one's sentence, -1 for a mark of beginning or end: such MARKS are around each
    sentence where the way to take them is ALONE, and around the whole where it is TOGETHER."""
    ids: list[int] = []
    numbers: list[int] = []
    for number, sentence in enumerate(sentences):
        begins, ends = (True, True) if way == ALONE else (number == 0, number == len(sentences) - 1)
        ids += [tokenizer.cls_token_id] * begins + [*sentence] + [tokenizer.sep_token_id] * ends
        numbers += [-1] * begins + [number] * len(sentence) + [-1] * ends
    return ids, numbers


@lru_cache(maxsize=1)
def card() -> dict[str, Any]:
    """What the shipped weights were trained on, how well they do, and the decision that goes with them."""
    found: dict[str, Any] = json.loads((ROOM / CARD).read_text(encoding="utf-8"))
    return found


def base_network() -> tuple[Any, Any]:
    """(tokenizer, ClaimNetwork) as they are before training. Raises ModelFileError where the base isn't installed."""
    with IMPORTING:
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        from interviewer.grading.network import ClaimNetwork

    folder = model_folder()
    check_model_file(folder)
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    encoder = AutoModel.from_pretrained(str(folder), local_files_only=True)
    encoder.pooler = None  # it comes with the file and nothing uses it
    tokenizer.model_max_length = 10**9  # windows are cut here, not there
    return tokenizer, ClaimNetwork(encoder)


def load_networks(weights: Path) -> tuple[Any, dict[str, Any]]:
    """(tokenizer, a ClaimNetwork for each way to take sentences) with what was learned taken in, ready to read. Raises
    ModelFileError where ``weights`` is not there or was made for other networks."""
    from safetensors.torch import load_file

    from interviewer.grading.network import adapt, learned, merge

    if not weights.is_file():
        raise ModelFileError(f"The judge's weights are not at {weights}. Install the interviewer anew.")
    found = {name: value.float() for name, value in load_file(weights).items()}
    networks = {}
    for way in WAYS:
        tokenizer, networks[way] = base_network()
        adapt(networks[way])
    if found.keys() != {f"{way}.{name}" for way, network in networks.items() for name in learned(network)}:
        raise ModelFileError(f"{weights.name} was made for other networks. `python -m eval train` makes it anew.")
    for way, network in networks.items():
        own = {name.removeprefix(f"{way}."): value for name, value in found.items() if name.startswith(f"{way}.")}
        network.load_state_dict(own, strict=False)
        merge(network)
        network.encoder.embeddings = networks[ALONE].encoder.embeddings  # nobody trains them, so one copy is enough
        network.eval()
    return tokenizer, networks
