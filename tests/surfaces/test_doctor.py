from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from interviewer.settings import Settings
from interviewer.surfaces.doctor import language_models
from tests.llm.behaviours import silence, status
from tests.llm.exchange import Behaviour
from tests.llm.faulty import FaultyServer


def test_without_a_model_it_says_what_does_the_work_and_how_to_turn_one_on() -> None:
    [found] = language_models(Settings())
    assert not found.ok and not found.needed
    assert "nothing leaves the machine" in found.detail
    assert "INTERVIEWER_MODEL" in found.mend


def test_a_voice_alone_is_said_to_turn_nothing_on() -> None:
    [found] = language_models(Settings(voice_model="openai:any"))
    assert "INTERVIEWER_VOICE_MODEL alone" in found.mend


def test_a_model_that_answers_is_told_of_with_one_request() -> None:
    with FaultyServer() as server:
        [found] = language_models(Settings(model="openai:any", model_url=server.url))
        assert len(server.requests) == 1
    assert found.ok and not found.needed and not found.mend
    assert re.fullmatch(r"openai:any answered in \d+\.\d s, (about )?[1-9]\d* tokens", found.detail)


def test_the_voice_is_asked_too_where_it_is_another_one() -> None:
    with FaultyServer() as judge, FaultyServer([status(401)]) as voice:
        settings = Settings(model="openai:a", model_url=judge.url, voice_model="openai:b", voice_url=voice.url)
        first, second = language_models(settings)
    assert (first.name, first.ok) == ("language model", True)
    assert (second.name, second.ok) == ("voice model", False)
    assert "INTERVIEWER_VOICE_KEY" in second.mend


@pytest.mark.parametrize(
    ("behaviour", "detail", "mend"),
    [
        (status(401), "refused the key", "INTERVIEWER_MODEL_KEY"),
        (status(404), "does not take this kind of request", "Does the server know the model"),
        (status(503), "has an error of its own", "Try again"),
        (silence(), "did not answer in time", "INTERVIEWER_MODEL_SECONDS"),
    ],
)
def test_a_fault_is_told_in_words_with_how_to_mend_it(behaviour: Behaviour, detail: str, mend: str) -> None:
    with FaultyServer(otherwise=behaviour) as server:
        [found] = language_models(Settings(model="openai:any", model_url=server.url, model_seconds=1.5))
    assert not found.ok and not found.needed
    assert detail in found.detail and "embedded judge" in found.detail
    assert mend in found.mend


def test_a_server_that_is_not_there_is_asked_for_by_its_address() -> None:
    with FaultyServer() as server:
        gone = server.url
    [found] = language_models(Settings(model="openai:any", model_url=gone))
    assert "could not be reached" in found.detail
    assert "INTERVIEWER_MODEL_URL" in found.mend


def test_a_model_that_cannot_be_set_up_says_what_to_do(tmp_path: Path) -> None:
    [found] = language_models(Settings(model=f"gguf:{tmp_path}/missing.gguf"))
    assert not found.ok and not found.needed
    assert "missing.gguf" in found.detail and "unset INTERVIEWER_MODEL" in found.detail


def test_nobody_is_kept_waiting_for_a_person(tmp_path: Path) -> None:
    began = time.monotonic()
    [found] = language_models(Settings(model=f"transcript:{tmp_path}/played"))
    assert time.monotonic() - began < 5
    assert found.ok and "a person or a program plays it" in found.detail
    assert not list((tmp_path / "played").iterdir())
