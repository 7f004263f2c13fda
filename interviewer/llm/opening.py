"""Chat models from a name: a provider's, a server's at an address, a file served from inside the process, or one that is
played through files."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr, ValidationError

from interviewer.errors import ModelUnavailable
from interviewer.llm.redaction import without_keys
from interviewer.settings import Settings

SAMPLING: dict[str, Any] = {"temperature": 0, "max_tokens": 1_500}
_ADDRESSES = ("openai_api_base", "anthropic_api_url", "base_url")  # as providers' classes call theirs
_EXTRAS = {"anthropic": "anthropic", "google_genai": "google", "ollama": "ollama"}
_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Opened:
    """A chat model, what to call it, and what a million tokens cost in US dollars, where that is known. ``place``: what tells
    it from another model of this name, an address or a file's size and time of change."""

    name: str
    chat: BaseChatModel
    price_in: float | None = None
    price_out: float | None = None
    place: str = ""

    def money(self, tokens_in: int, tokens_out: int) -> float | None:
        if self.price_in is None or self.price_out is None:
            return None
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6


def open_judge(settings: Settings) -> Opened:
    """The model that judges and runs experiments. ``settings.model`` must be set."""
    assert settings.model is not None
    chat, place = _chat(settings, settings.model, settings.model_url, settings.model_key)
    return Opened(called(settings.model), chat, settings.model_price_in, settings.model_price_out, place)


def open_voice(settings: Settings, judge: Opened) -> Opened:
    """The model that phrases: ``judge`` where none is named."""
    if settings.voice_model is None:
        return judge
    chat, place = _chat(settings, settings.voice_model, settings.voice_url, settings.voice_key)
    return Opened(called(settings.voice_model), chat, settings.voice_price_in, settings.voice_price_out, place)


def _chat(settings: Settings, name: str, url: str | None, secret: SecretStr | None) -> tuple[BaseChatModel, str]:
    """The chat model, and the place that it answers from."""
    chat = _open(name, url, secret.get_secret_value() if secret else None, settings.call_seconds)
    return chat, place_of(name, url, chat)


def _open(name: str, url: str | None, key: str | None, seconds: float) -> BaseChatModel:
    """Raises ModelUnavailable with what to do."""
    kind, _, rest = name.partition(":")
    if kind == "transcript":
        from interviewer.llm.transcript import TranscriptModel

        return TranscriptModel(folder=Path(rest))
    if kind == "gguf":
        from interviewer.llm.gguf import serve

        name, url, key = "openai:local", serve(Path(rest)), "none"
    _check_installed(kind)
    return _from_langchain(name, url, key, seconds)


def called(name: str) -> str:
    """``name`` as it is told of: without the folders of this machine."""
    kind, _, rest = name.partition(":")
    return f"{kind}:{Path(rest).name}" if kind in ("gguf", "transcript") else name


def place_of(name: str, url: str | None, chat: BaseChatModel) -> str:
    """See Opened."""
    kind, _, rest = name.partition(":")
    if kind == "gguf":  # whose server has another address each time
        file = Path(rest).expanduser().stat()
        return f"{file.st_size} bytes, changed at {file.st_mtime_ns}"
    return url or next((str(value) for name in _ADDRESSES if (value := getattr(chat, name, None))), "")


def _from_langchain(name: str, url: str | None, key: str | None, seconds: float) -> BaseChatModel:
    from langchain.chat_models import init_chat_model

    given: dict[str, Any] = {**SAMPLING, "max_retries": 0, "timeout": seconds}
    if name.startswith("ollama:"):
        given["num_predict"] = SAMPLING["max_tokens"]  # its name for it
    if url:
        given |= {"base_url": url, "api_key": key or "none"}
    elif key:
        given["api_key"] = key
    if name.startswith("openai:"):
        given["stream_usage"] = True
        if url and urlsplit(url).hostname in _THIS_MACHINE:
            from openai import DefaultAsyncHttpxClient

            given["http_async_client"] = DefaultAsyncHttpxClient(trust_env=False)  # no proxy sees what stays here
    try:
        chat: BaseChatModel = init_chat_model(name, **given)
    except Exception as error:  # each provider's library refuses in its own way
        raise ModelUnavailable(
            f"The language model {name} can't be set up: {_reason(error, key)} Nothing was sent. Mend INTERVIEWER_MODEL or the "
            "provider's key, or unset INTERVIEWER_MODEL to go on without a language model."
        ) from None  # the library's own error may hold the key
    return chat


def _reason(error: Exception, key: str | None) -> str:
    """What the library says, without the key. A ValidationError repeats what it was given, cut anywhere."""
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
    return without_keys(str(error), key)


def _check_installed(kind: str) -> None:
    package = f"langchain_{kind}"
    if kind in _EXTRAS and importlib.util.find_spec(package) is None:
        raise ModelUnavailable(
            f"Models of {kind} need a package that is not installed: `pip install 'pytorch-interviewer[{_EXTRAS[kind]}]'`. "
            "Without it, unset INTERVIEWER_MODEL."
        )
