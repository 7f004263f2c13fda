"""What went wrong with a call, told apart without knowing whose library raised it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from interviewer.models import ModelFault

_MEANS = {
    ModelFault.TIMEOUT: "did not answer in time",
    ModelFault.RATE_LIMITED: "takes no more requests for now",
    ModelFault.SERVER: "has an error of its own",
    ModelFault.NETWORK: "could not be reached",
    ModelFault.CUT_OFF: "broke off in the middle of its answer",
    ModelFault.EMPTY: "gave an empty answer",
    ModelFault.MALFORMED: "gave an answer of the wrong form",
    ModelFault.ENDLESS: "did not come to an end",
    ModelFault.REFUSED: "declined to answer",
    ModelFault.REJECTED: "does not take this kind of request",
    ModelFault.KEY: "refused the key",
    ModelFault.BUDGET: "was not asked, since a limit on its use is reached",
    ModelFault.RESTING: "was not asked, since it failed just before",
    ModelFault.BROKEN: "failed in an unknown way",
}
WORTH_ANOTHER_TRY = frozenset(
    {
        ModelFault.RATE_LIMITED,
        ModelFault.SERVER,
        ModelFault.NETWORK,
        ModelFault.CUT_OFF,
        ModelFault.EMPTY,
        ModelFault.MALFORMED,
    }
)


# By name, and with the names of all that a class inherits from: providers' libraries carry different copies of the same HTTP
# client, whose classes are called alike and are not the same. Looked for in this order, since causes contradict each other.
_CLASSES = (
    (ModelFault.TIMEOUT, {"TimeoutError", "TimeoutException", "APITimeoutError"}),
    (ModelFault.CUT_OFF, {"RemoteProtocolError", "ReadError", "IncompleteReadError", "ClientPayloadError"}),
    (ModelFault.NETWORK, {"TransportError", "ConnectionError", "APIConnectionError", "gaierror"}),
    (ModelFault.ENDLESS, {"LengthFinishReasonError"}),
    (ModelFault.REFUSED, {"ContentFilterFinishReasonError"}),
    (ModelFault.MALFORMED, {"OutputParserException", "ValidationError", "JSONDecodeError", "UnicodeDecodeError"}),
    (ModelFault.SERVER, {"APIError"}),  # told in the middle of a stream, without a status
)


class Took(NamedTuple):
    """Tokens in and out. ``estimated``: the server didn't say, they are counted from characters."""

    tokens_in: int
    tokens_out: int
    estimated: bool


class ModelFailed(Exception):
    """No usable answer came. Caught by whoever asked, who goes on without; never shown to a person as it is.
    ``wait``: the seconds after which the server asked to be tried again. ``took``: what the attempt used, where that is known."""

    def __init__(self, fault: ModelFault, detail: str = "", wait: float | None = None):
        self.fault = fault
        self.detail = detail
        self.wait = wait
        self.took: Took | None = None
        super().__init__(f"{fault.value}: {detail}" if detail else fault.value)


def in_words(fault: ModelFault) -> str:
    """What the model did, as the end of a sentence that begins with "The language model"."""
    return _MEANS[fault]


def failure_of(error: BaseException) -> ModelFailed:
    """``error`` as one of ours. Goes by status codes and by the names of classes, anywhere in the chain of causes; the detail
    never holds what was sent or received."""
    if isinstance(error, ModelFailed):
        return error
    chain = list(_causes(error))
    for each in chain:
        if (status := _status(each)) is not None:
            return ModelFailed(_fault_of_status(status), f"HTTP {status}", _retry_after(each))
    for fault, names in _CLASSES:
        for each in chain:
            if any(kind.__name__ in names for kind in type(each).__mro__):
                return ModelFailed(fault, type(each).__name__)
    return ModelFailed(ModelFault.BROKEN, type(error).__name__)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    for value in (
        getattr(error, "status_code", None),
        getattr(error, "code", None),
        getattr(getattr(error, "response", None), "status_code", None),
    ):
        if isinstance(value, int) and 400 <= value < 600:
            return value
    return None


def _fault_of_status(status: int) -> ModelFault:
    if status in (401, 402, 403):
        return ModelFault.KEY
    if status in (408, 504):
        return ModelFault.TIMEOUT
    if status == 429:
        return ModelFault.RATE_LIMITED
    return ModelFault.SERVER if status >= 500 else ModelFault.REJECTED


def _retry_after(error: BaseException) -> float | None:
    """Seconds, from the header of that name: a number or a date."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
