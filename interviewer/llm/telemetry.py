"""OpenTelemetry spans of model calls, in the conventions of ``gen_ai``; nothing where telemetry is off. And the limits of what
LangSmith sees, which LangChain switches on by the environment: the calls of a model as it is sent them, nothing else.

Promises that a span holds no text of anybody: no prompt, no answer, no message of an error. Where spans go is said by the
OTEL_* variables; they are sent from the background, and where that fails, the interview doesn't notice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from langsmith import tracing_context
from langsmith.utils import tracing_is_enabled

from interviewer.llm.failures import failure_of
from interviewer.models import ModelCall
from interviewer.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

_SERVICE = "pytorch-interviewer"
_PROVIDERS = {  # as the conventions call them; others have one name
    "azure_openai": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "bedrock_converse": "aws.bedrock",
    "google_genai": "gcp.gemini",
    "google_vertexai": "gcp.vertex_ai",
    "mistralai": "mistral_ai",
    "xai": "x_ai",
}
_FILES = frozenset({"gguf", "transcript"})
_log = logging.getLogger(__name__)


@contextmanager
def span(settings: Settings, call: ModelCall) -> Iterator[Callable[[ModelCall], None]]:
    """Around one call; what it yields is told how the call ended. An exception passes through and leaves its kind."""
    spans = provider() if settings.telemetry else None
    if spans is None:
        yield lambda _: None
        return
    from opentelemetry.trace import SpanKind, StatusCode

    model = _model(call)
    with spans.get_tracer(_SERVICE).start_as_current_span(
        f"chat {model}",
        kind=SpanKind.CLIENT,
        attributes={
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": _provider_of(call),
            "gen_ai.request.model": model,
            "interviewer.purpose": call.purpose.value,
            "interviewer.prompt.name": call.prompt,
            "interviewer.prompt.version": call.version,
            "interviewer.prompt.digest": call.digest,
        },
        record_exception=False,  # its message may hold what was sent
        set_status_on_exception=False,
    ) as current:

        def tell(ended: ModelCall) -> None:
            current.set_attributes(
                {
                    "gen_ai.usage.input_tokens": ended.tokens_in,
                    "gen_ai.usage.output_tokens": ended.tokens_out,
                    "interviewer.usage.estimated": ended.estimated,
                }
            )

        try:
            yield tell
        except BaseException as error:
            current.set_attribute("error.type", failure_of(error).fault.value)
            current.set_status(StatusCode.ERROR)
            raise


def unseen() -> AbstractContextManager[None]:
    """Around an interview's graph, whose state holds what the candidate wrote: LangSmith is shown none of it, whatever
    LANGSMITH_TRACING says, so that without a model nothing leaves the machine."""
    return tracing_context(enabled=False)


def seen_as_configured() -> AbstractContextManager[None]:
    """Around a call of a model inside: LangSmith is shown it if LANGSMITH_TRACING says so, as the model is, redacted or not."""
    return tracing_context(enabled=tracing_is_enabled({"enabled": None}))


@lru_cache(maxsize=1)
def provider() -> TracerProvider | None:
    """Made once a process: one that exports over HTTP. None, with a line in the log, where that can't be had."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        _log.warning(
            "INTERVIEWER_TELEMETRY is on, but %s is not installed, so no spans are exported; everything else goes on. "
            "`pip install 'pytorch-interviewer[telemetry]'` installs it.",
            error.name,
        )
        return None
    try:
        resource = Resource.create()
        if str(resource.attributes[SERVICE_NAME]).startswith("unknown_service"):
            resource = resource.merge(Resource({SERVICE_NAME: _SERVICE}))
        made = TracerProvider(resource=resource)
        made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    except Exception as error:  # OTEL_* is read here, and a wrong value is no reason to lose a turn
        _log.warning("No spans are exported, since OTEL_* can't be used (%s); everything else goes on.", error)
        return None
    return made


def _model(call: ModelCall) -> str:
    """Without the provider, and without the folder of a file."""
    kind, _, name = call.model.partition(":")
    return PurePath(name).name if kind in _FILES else name


def _provider_of(call: ModelCall) -> str:
    kind = call.model.partition(":")[0]
    return _PROVIDERS.get(kind, kind)
