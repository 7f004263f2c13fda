"""Chat models from a name: a provider's, a server's at an address, a file served from inside the process, or one that is
played through files."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from interviewer.errors import ModelUnavailable
from interviewer.settings import Settings

_MOST_TOKENS = 1_500  # in one answer
_EXTRAS = {"anthropic": "anthropic", "google_genai": "google", "ollama": "ollama"}


@dataclass(frozen=True)
class Opened:
    """A chat model, what to call it, and what a million tokens cost in US dollars, where that is known."""

    name: str
    chat: BaseChatModel
    price_in: float | None = None
    price_out: float | None = None

    def money(self, tokens_in: int, tokens_out: int) -> float | None:
        if self.price_in is None or self.price_out is None:
            return None
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6


def open_judge(settings: Settings) -> Opened:
    """The model that judges and runs experiments. ``settings.model`` must be set."""
    assert settings.model is not None
    key = settings.model_key.get_secret_value() if settings.model_key else None
    chat = _open(settings.model, settings.model_url, key, settings.call_seconds)
    return Opened(settings.model, chat, settings.model_price_in, settings.model_price_out)


def open_voice(settings: Settings, judge: Opened) -> Opened:
    """The model that phrases: ``judge`` where none is named."""
    if settings.voice_model is None:
        return judge
    key = settings.voice_key.get_secret_value() if settings.voice_key else None
    chat = _open(settings.voice_model, settings.voice_url, key, settings.call_seconds)
    return Opened(settings.voice_model, chat, settings.voice_price_in, settings.voice_price_out)


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


def _from_langchain(name: str, url: str | None, key: str | None, seconds: float) -> BaseChatModel:
    from langchain.chat_models import init_chat_model

    given: dict[str, Any] = {"temperature": 0, "max_retries": 0, "timeout": seconds, "max_tokens": _MOST_TOKENS}
    if url:
        given |= {"base_url": url, "api_key": key or "none"}
    elif key:
        given["api_key"] = key
    if name.startswith("openai:"):
        given["stream_usage"] = True
    try:
        chat: BaseChatModel = init_chat_model(name, **given)
    except Exception as error:  # each provider's library refuses in its own way
        raise ModelUnavailable(
            f"The language model {name} can't be set up: {error} Nothing was sent. Mend INTERVIEWER_MODEL or the provider's "
            "key, or unset INTERVIEWER_MODEL to go on without a language model."
        ) from error
    return chat


def _check_installed(kind: str) -> None:
    package = f"langchain_{kind}"
    if kind in _EXTRAS and importlib.util.find_spec(package) is None:
        raise ModelUnavailable(
            f"Models of {kind} need a package that is not installed: `pip install 'pytorch-interviewer[{_EXTRAS[kind]}]'`. "
            "Without it, unset INTERVIEWER_MODEL."
        )
