from __future__ import annotations

import sys
from pathlib import Path

import httpx
import pytest

from interviewer.errors import ModelUnavailable
from interviewer.llm import open_language_model
from interviewer.llm.gguf import serve
from interviewer.models import Purpose
from interviewer.prompts import render
from interviewer.settings import Settings


def test_a_file_that_is_not_there_is_said_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"missing\.gguf can't be read: No such file"):
        serve(tmp_path / "missing.gguf")


def test_a_file_of_another_format_is_not_handed_to_the_loader(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"PK\x03\x04")
    with pytest.raises(ModelUnavailable, match=r"is no GGUF file"):
        serve(tmp_path / "model.gguf")


def test_a_damaged_file_is_refused_and_the_process_lives(tmp_path: Path, smollm_file: Path) -> None:
    (tmp_path / "cut.gguf").write_bytes(smollm_file.read_bytes()[:3_000_000])
    with pytest.raises(ModelUnavailable, match=r"can't load .*cut\.gguf"):
        serve(tmp_path / "cut.gguf")


def test_without_the_extra_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelUnavailable, match=r"pip install 'pytorch-interviewer\[gguf\]'"):
        serve(tmp_path / "model.gguf")


@pytest.mark.models
def test_a_file_is_served_once_by_whatever_name(smollm: str, smollm_file: Path, tmp_path: Path) -> None:
    (tmp_path / "link.gguf").symlink_to(smollm_file)
    assert serve(tmp_path / "link.gguf") == smollm


@pytest.mark.models
def test_pages_from_elsewhere_may_not_read_what_it_says(smollm: str) -> None:
    answer = httpx.get(f"{smollm}/models", headers={"Origin": "https://elsewhere.example"}, trust_env=False)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == "http://127.0.0.1"
    assert httpx.get(smollm.replace("/v1", "/slots"), trust_env=False).status_code >= 400


@pytest.mark.models
def test_its_context_is_what_the_model_was_made_for(smollm: str) -> None:
    [model] = httpx.get(f"{smollm}/models", trust_env=False).json()["data"]
    assert model["meta"]["n_ctx"] == min(8192, model["meta"]["n_ctx_train"])


@pytest.mark.models
def test_a_model_in_a_file_streams_text_and_gives_data_of_the_schema(smollm_file: Path) -> None:
    opened = open_language_model(Settings(model=f"gguf:{smollm_file}", model_seconds=120))
    assert opened
    turn = opened.turn()
    assert isinstance(turn.data(Purpose.CHECK, render("check"), lambda data: data["ready"]), bool)
    pieces: list[str] = []
    prompt = render("check").model_copy(update={"system": "Answer in one word.", "user": "What colour is the sky?"})
    assert turn.text(Purpose.VOICE, prompt, pieces.append) == "".join(pieces).strip()
    assert all(call.fault is None and call.tokens_out and not call.estimated for call in turn.calls)
