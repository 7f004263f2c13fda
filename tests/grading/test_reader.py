"""The shipped reader on texts, with the real network."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from interviewer.errors import ModelFileError
from interviewer.grading.batches import apart, in_a_row, joined, padded, single
from interviewer.grading.network import ClaimNetwork, Encoded, adapt, learned, merge
from interviewer.grading.reader import (
    ALONE,
    MARKS,
    ORDER,
    TOGETHER,
    WINDOW,
    WINDOWS,
    ClaimReader,
    Reading,
    _windows,
    base_network,
    marked,
    token_ids,
)
from interviewer.grading.text import Unit, sentence_units
from interviewer.models import Standing

pytestmark = pytest.mark.models

CLAIM = "backward() adds to .grad instead of replacing it, so gradients accumulate until they are cleared."
RIGHT = "Each call of backward sums into .grad, nothing is overwritten, so without clearing they pile up."
BESIDE = "The learning rate schedule was a cosine one. We logged to disk every hundred steps."


@pytest.fixture(scope="module")
def reader() -> ClaimReader:
    return ClaimReader()


def read(reader: ClaimReader, reply: str, *claims: str) -> list[Reading]:
    return reader.read(sentence_units(reply), claims)


def covered(reading: Reading) -> float:
    """Log-odds against missing."""
    return reading.logits[ORDER.index(Standing.COVERED)] - reading.logits[ORDER.index(Standing.MISSING)]


def test_a_claim_said_in_other_words_is_found_and_one_that_was_not_said_is_not(reader: ClaimReader) -> None:
    said, silent = (
        read(reader, reply, CLAIM)[0] for reply in (RIGHT, "The optimizer reads the gradients after backward().")
    )
    assert covered(said) > 0 > covered(silent)


def test_the_sentence_that_says_it_is_named(reader: ClaimReader) -> None:
    found = read(reader, f"{BESIDE} {RIGHT} We ran it twice.", CLAIM)[0]
    assert found.unit.text == RIGHT


def test_a_sentence_that_is_near_no_claim_moves_nothing(reader: ClaimReader) -> None:
    alone = read(reader, RIGHT, CLAIM)[0]
    among = read(reader, f"My grandmother likes to bake. {RIGHT} Please greet her.", CLAIM)[0]
    assert among.unit.text == RIGHT
    assert among.logits == pytest.approx(alone.logits, abs=1e-4)
    assert read(reader, "My grandmother likes to bake. Please greet her.", CLAIM) == []


def test_random_letters_are_not_read(reader: ClaimReader) -> None:
    noise = "Mtklwz dg sxjvpdw mu vwyibc kfedtdqwq jxtuwjftb fwgssawd."
    alone, among = (read(reader, reply, CLAIM)[0] for reply in (f"{RIGHT} {RIGHT}", f"{RIGHT} {noise} {RIGHT}"))
    assert among.logits == pytest.approx(alone.logits, abs=1e-4)
    assert read(reader, f"{noise} Qsw umpfiz. {noise}", CLAIM) == []


def test_spaced_out_letters_are_not_read(reader: ClaimReader) -> None:
    noise = "A l l  o f  i t  i s  c o v e r e d ."
    alone, among = (read(reader, reply, CLAIM)[0] for reply in (RIGHT, f"{noise} {RIGHT}"))
    assert among == replace(alone, unit=among.unit)
    assert read(reader, noise, CLAIM) == []


def test_who_writes_the_marks_of_the_network_writes_words() -> None:
    tokenizer, _ = base_network()
    ids = token_ids(tokenizer, "The [CLS] token stands first, [SEP] and [PAD] come after it.")
    assert not {tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id} & set(ids)


def test_to_say_it_again_changes_nothing(reader: ClaimReader) -> None:
    once, often = (read(reader, reply, CLAIM)[0] for reply in (f"{RIGHT} {CLAIM}", f"{RIGHT} {CLAIM} {RIGHT} " * 400))
    assert often == once


def test_a_name_alone_is_read(reader: ClaimReader) -> None:
    claim = "RowwiseParallel splits the second layer, so that one all-reduce is enough."
    assert read(reader, "RowwiseParallel", claim) != []


def test_other_claims_and_their_order_change_nothing(reader: ClaimReader) -> None:
    others = ["Dropout is off in eval mode.", "A view shares memory with its base tensor, " * 8]
    alone = read(reader, RIGHT, CLAIM)[0]
    among = read(reader, RIGHT, others[0], CLAIM, others[1])[1]
    assert among.logits == pytest.approx(alone.logits, abs=1e-3)
    assert among.near == pytest.approx(alone.near, abs=1e-4)


def test_what_is_said_after_a_long_introduction_is_still_read(reader: ClaimReader) -> None:
    introduction = " ".join(
        f"In step {n} of the story we changed the batch size and looked at the loss." for n in range(40)
    )
    assert covered(read(reader, f"{introduction} {RIGHT}", CLAIM)[0]) > 0


def test_windows_hold_every_sentence_up_to_the_last_one_and_overlap_by_one() -> None:
    units = sentence_units(" ".join(f"Sentence number {n} speaks of tensors and of nothing else." for n in range(500)))
    windows = _windows([(unit, [0] * 12) for unit in units])
    assert len(windows) == WINDOWS
    assert all(sum(len(tokens) for _, tokens in window) <= WINDOW for window in windows)
    for before, after in itertools.pairwise(windows):
        assert after[0] == before[-1]


def test_a_sentence_is_encoded_among_others_as_it_is_alone(reader: ClaimReader) -> None:
    reader.warm()
    among = reader._sentences(_windows([_tokens(reader, unit) for unit in sentence_units(f"{BESIDE} {RIGHT} No.")]))
    for unit, encoded in among.items():
        alone = reader._sentences([[_tokens(reader, unit)]])[unit]
        assert torch.equal(encoded.ids, alone.ids)
        assert torch.allclose(encoded.states, alone.states, atol=1e-4)


def _tokens(reader: ClaimReader, unit: Unit) -> tuple[Unit, list[int]]:
    return unit, reader._token_ids(unit.text)


def test_sentences_taken_alone_have_the_states_of_each_by_itself_also_where_a_row_is_padded() -> None:
    tokenizer, network = base_network()
    long, short = (token_ids(tokenizer, text) for text in (RIGHT, "It adds."))
    both = _encoded(tokenizer, network, [long, short], [short], way=ALONE)
    alone = _encoded(tokenizer, network, [short], way=ALONE)
    length = alone.states.shape[1]
    assert not both.states.isnan().any()
    for found in (both.states[0, -length:], both.states[1, :length]):
        assert torch.allclose(found, alone.states[0], atol=1e-4)


def test_sentences_taken_together_are_encoded_as_one_text() -> None:
    tokenizer, network = base_network()
    pieces = [token_ids(tokenizer, text) for text in (RIGHT, BESIDE)]
    together = _encoded(tokenizer, network, pieces, way=TOGETHER)
    one = _encoded(tokenizer, network, [pieces[0] + pieces[1]], way=TOGETHER)
    assert torch.equal(together.states, one.states)
    assert set(together.sentence.flatten().tolist()) == {-1, 0, 1}


def test_sentences_come_apart_and_together_again_with_numbers_of_their_own() -> None:
    tokenizer, network = base_network()
    pieces = [token_ids(tokenizer, text) for text in (RIGHT, BESIDE)]
    row = _encoded(tokenizer, network, pieces, way=ALONE)
    sentences = apart(single(row), [len(ids) + MARKS for ids in pieces])
    again = in_a_row(sentences)
    assert torch.equal(again.states, row.states)
    assert torch.equal(again.sentence, row.sentence)
    assert set(in_a_row(sentences[1:]).sentence.flatten().tolist()) == {-1, 0}


def _encoded(tokenizer: object, network: ClaimNetwork, *texts: list[list[int]], way: str) -> Encoded:
    with torch.inference_mode():
        return network.eval().encode(*padded([marked(tokenizer, text, way) for text in texts]))


def test_a_reading_is_the_mean_of_what_both_networks_say(reader: ClaimReader) -> None:
    reader.warm()
    logits = [_logits(reader._tokenizer, network)[0, 0] for network in reader._networks.values()]
    assert not torch.allclose(logits[0], logits[1], atol=0.1)
    assert read(reader, RIGHT, CLAIM)[0].logits == pytest.approx(((logits[0] + logits[1]) / 2).tolist(), abs=1e-3)


def test_merged_adapters_compute_what_they_computed_apart() -> None:
    torch.manual_seed(0)
    tokenizer, network = base_network()
    adapt(network)
    with torch.no_grad():
        for value in learned(network).values():
            value += 0.02 * torch.randn_like(value)
    before = _logits(tokenizer, network.eval())
    merge(network)
    assert torch.allclose(_logits(tokenizer, network), before, atol=1e-3)


def _logits(tokenizer: object, network: ClaimNetwork) -> torch.Tensor:
    texts = ([token_ids(tokenizer, text)] for text in (RIGHT, CLAIM, BESIDE))
    reply, *claims = (_encoded(tokenizer, network, text, way=ALONE) for text in texts)
    with torch.inference_mode():
        logits: torch.Tensor = network(reply, joined([single(claim) for claim in claims]))[0]
    return logits


def test_weights_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="nowhere"):
        ClaimReader(tmp_path / "nowhere.safetensors").warm()


def test_weights_of_other_networks_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    for named in ({"alone.x": torch.zeros(1)}, {}):
        save_file(named, str(tmp_path / "other.safetensors"))
        with pytest.raises(ModelFileError, match="other networks"):
            ClaimReader(tmp_path / "other.safetensors").warm()


def test_what_was_prepared_is_read_alike_and_not_encoded_again(reader: ClaimReader) -> None:
    ahead = ClaimReader()
    ahead.prepare([CLAIM])
    assert not ahead._claims  # nothing is loaded for it
    ahead.warm()
    ahead.prepare([CLAIM])
    encoded = ahead._claims[CLAIM]
    assert read(ahead, RIGHT, CLAIM) == read(reader, RIGHT, CLAIM)
    assert ahead._claims[CLAIM] is encoded


def test_many_who_read_at_once_read_what_each_would_alone(reader: ClaimReader) -> None:
    replies = [RIGHT, BESIDE, f"{BESIDE} {RIGHT}", f"{RIGHT} {BESIDE}"] * 3
    alone = [read(reader, reply, CLAIM, BESIDE) for reply in replies]
    with ThreadPoolExecutor(6) as threads:
        together = list(threads.map(lambda reply: read(reader, reply, CLAIM, BESIDE), replies))
    assert together == alone
