"""What the log holds of a call.

Promises that no line holds a key, and that none holds what was sent or answered unless the settings let it. Holds the libraries
of providers, which log both, to the same; one whose level was set by hand (OPENAI_LOG) is left alone.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from interviewer.llm.asking import Said
from interviewer.llm.redaction import redacted, without_keys
from interviewer.models import ModelCall
from interviewer.settings import Settings

_LIBRARIES = {
    "openai": logging.INFO,
    "anthropic": logging.INFO,
    "google_genai": logging.WARNING,
    "langchain_google_genai": logging.WARNING,
    "httpcore": logging.INFO,
    "httpcore2": logging.INFO,
    "httpx": logging.WARNING,  # addresses stand at INFO, with the credentials in them
    "httpx2": logging.WARNING,
}
_log = logging.getLogger(__name__)


def quiet_libraries() -> None:
    for name, level in _LIBRARIES.items():
        if (logger := logging.getLogger(name)).level == logging.NOTSET:
            logger.setLevel(level)


def log_sent(settings: Settings, call: ModelCall, sent: Sequence[BaseMessage]) -> None:
    if settings.log_replies and _log.isEnabledFor(logging.DEBUG):
        for message in sent:
            _log.debug("to %s: %s", call.model, _one_line(settings, message))


def log_answer(settings: Settings, call: ModelCall, said: Said) -> None:
    if settings.log_replies and _log.isEnabledFor(logging.DEBUG):
        _log.debug("from %s: %s", call.model, _one_line(settings, said.message))


def log_end(call: ModelCall) -> None:
    became = f"failed ({call.fault})" if call.fault else "answered"
    _log.debug(
        f"{call.model}, asked for {call.purpose} with {call.prompt} {call.version} ({call.digest}), {became}: "
        f"{call.attempts} attempts, {call.tokens_in} tokens in, {call.tokens_out} out, {call.seconds} s"
    )


def _one_line(settings: Settings, message: BaseMessage) -> str:
    """As JSON, so that nothing in a text begins a line of the log."""
    text = str(message.text)
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    if calls:
        text += (
            f" calls {json.dumps([{'name': call['name'], 'args': call['args']} for call in calls], ensure_ascii=False)}"
        )
    if settings.redact:
        text = redacted(text).text
    keys = [key.get_secret_value() for key in (settings.model_key, settings.voice_key) if key]
    return json.dumps({message.type: without_keys(text, *keys)}, ensure_ascii=False)
