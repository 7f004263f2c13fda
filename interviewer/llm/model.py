"""The door to the language model: one LanguageModel a process, one TurnModel for each turn of an interview.

Promises: every call ends within the time of its own and of the turn's, and within what turn and session may use; a server
that fails again and again is left alone for a while; every call is told of, answered or not. Safe to use from several
threads.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableSequence
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from interviewer.llm.asking import Said, ask, json_of, run
from interviewer.llm.cache import Answer, AnswerCache, key_of
from interviewer.llm.failures import WORTH_ANOTHER_TRY, ModelFailed, failure_of
from interviewer.llm.logs import log_answer, log_end, log_sent, quiet_libraries
from interviewer.llm.opening import Opened, open_judge, open_voice
from interviewer.llm.redaction import Redacted, redacted
from interviewer.llm.request import Attempts, ModelRequest
from interviewer.llm.telemetry import seen_as_configured, span
from interviewer.models import ModelCall, ModelFault, Purpose, Spent
from interviewer.prompts import Rendered
from interviewer.settings import Settings

_ATTEMPTS = 2
_PAUSE = 0.4  # seconds before another try, where the server named none
_LEFT_ALONE = {ModelFault.KEY: 300.0, ModelFault.REJECTED: 60.0}  # seconds, at once
_LEFT_ALONE_ELSE = 30.0
_LEFT_ALONE_AT_MOST = 300.0
_FAILURES_IN_A_ROW = 3
_LEAST_SECONDS = 0.05  # less is no time to answer in, and would count as a failure of the model
_NOT_ACCEPTED = (ValueError, TypeError, LookupError, AttributeError)
_log = logging.getLogger(__name__)

T = TypeVar("T")


class LanguageModel:
    """``judge`` judges and experiments, ``voice`` phrases; they may be the same. ``cache``: where answers are kept and looked
    for first."""

    def __init__(self, settings: Settings, judge: Opened, voice: Opened, cache: AnswerCache | None = None):
        self.settings = settings
        self.judge = judge
        self.voice = voice
        self.cache = cache
        self._lock = threading.Lock()
        self._failures: dict[str, int] = {}
        self._until: dict[str, float] = {}

    @property
    def name(self) -> str:
        return self.judge.name

    def turn(self, spent: Spent | None = None) -> TurnModel:
        """For one turn. ``spent``: what the session has used before it."""
        return TurnModel(self, spent or Spent())

    def resting(self, name: str) -> bool:
        with self._lock:
            return time.monotonic() < self._until.get(name, 0.0)

    def note(self, name: str, fault: ModelFault | None, wait: float | None = None) -> None:
        """Counts what became of a call: after three failures in a row, a refused key, or where it asks for that by ``wait``
        (seconds), the model is left alone."""
        with self._lock:
            self._failures[name] = self._failures.get(name, 0) + 1 if fault else 0
            seconds = _LEFT_ALONE.get(fault, 0.0) if fault else 0.0
            if self._failures[name] >= _FAILURES_IN_A_ROW:
                seconds = max(seconds, _LEFT_ALONE_ELSE)
            seconds = max(seconds, min(wait or 0.0, _LEFT_ALONE_AT_MOST))
            if seconds:
                self._until[name] = time.monotonic() + seconds


class TurnModel:
    """What the steps of one turn ask. ``calls`` tells what was asked so far; every method raises ModelFailed."""

    def __init__(self, house: LanguageModel, spent: Spent):
        self._house = house
        self._settings = house.settings
        self._session = spent
        self._turn = Spent()
        self.calls: list[ModelCall] = []
        self._told = 0

    @property
    def judge_name(self) -> str:
        return self._house.judge.name

    @property
    def spent(self) -> Spent:
        """By the session, with what this turn has used so far."""
        return self._session

    def new_calls(self) -> list[ModelCall]:
        """Those that were not told of before."""
        new = self.calls[self._told :]
        self._told += len(new)
        return new

    def redacted(self, text: str) -> Redacted:
        """``text`` as the model is to see it: as it is, unless the settings ask for placeholders."""
        return redacted(text) if self._settings.redact else Redacted(text)

    def data(self, purpose: Purpose, prompt: Rendered, accept: Callable[[Any], T]) -> T:
        """JSON of the prompt's schema, as ``accept`` makes of it; what that refuses, by ValueError or TypeError, is malformed
        and asked for once more."""
        opened = self._house.judge
        schema = _titled(prompt)
        structured = opened.chat.with_structured_output(schema)
        # The model alone, without LangChain's parser behind it: with that, a deadline doesn't reach the connection, and JSON
        # that was cut is mended instead of refused, in quadratic time.
        assert isinstance(structured, RunnableSequence)
        asked = self._request(purpose, opened, structured.first, prompt, wanted=schema)
        return self._answer(asked, lambda said: accept(json_of(said)))

    def text(self, purpose: Purpose, prompt: Rendered, on_text: Callable[[str], None] | None = None) -> str:
        """Text, handed to ``on_text`` piece by piece from another thread, which all calls share: it must not block. Not tried
        again once a piece was handed over."""
        opened = self._house.voice
        return self._answer(self._request(purpose, opened, opened.chat, prompt), _text_of, on_text)

    def message(
        self, purpose: Purpose, prompt: Rendered, so_far: Sequence[BaseMessage], tools: Sequence[BaseTool]
    ) -> Said:
        """The next message of an agent: text, or calls of ``tools``. ``so_far``: what followed the prompt."""
        opened = self._house.judge
        wanted = [convert_to_openai_tool(tool) for tool in tools]
        asked = self._request(purpose, opened, opened.chat.bind_tools(tools), prompt, so_far, wanted)
        return self._answer(asked, lambda said: said)

    def _request(
        self,
        purpose: Purpose,
        opened: Opened,
        model: Runnable[Any, Any],
        prompt: Rendered,
        so_far: Sequence[BaseMessage] = (),
        wanted: Any = None,
    ) -> ModelRequest:
        messages = [SystemMessage(prompt.system), HumanMessage(prompt.user), *so_far]
        sent = [_redacted(message) for message in messages] if self._settings.redact else messages
        return ModelRequest(purpose, opened, model, prompt, sent, wanted)

    def _answer(
        self, asked: ModelRequest, accept: Callable[[Said], T], on_text: Callable[[str], None] | None = None
    ) -> T:
        """What was kept, where there is a cache that holds it and it is still accepted; else what the model says now."""
        if (cache := self._house.cache) is None:
            return self._call(asked, accept, on_text)
        key, heard = key_of(asked.opened, asked.sent, asked.wanted), list[Said]()

        def accept_and_hear(said: Said) -> T:
            answer = accept(said)
            heard.append(said)
            return answer

        if kept := cache.get(key):
            try:
                answer = accept(kept.said)
            except _NOT_ACCEPTED:
                pass
            else:
                self.calls.append(_call_of(kept, asked))
                if on_text:
                    on_text(kept.said.text)
                return answer
        answer = self._call(asked, accept_and_hear, on_text)
        cache.put(key, Answer(said=heard[-1], seconds=self.calls[-1].seconds))
        return answer

    def _call(self, asked: ModelRequest, accept: Callable[[Said], T], on_text: Callable[[str], None] | None) -> T:
        attempts = Attempts(asked)
        began = time.monotonic()
        failure: ModelFailed | None = None
        try:
            with span(self._settings, attempts.call) as tell, seen_as_configured():
                self._check_budget(asked, attempts.call)
                seconds = min(self._settings.call_seconds, self._settings.all_calls_seconds - self._turn.seconds)
                answer = run(self._tried(asked, attempts, accept, on_text, seconds), seconds)
                tell(attempts.call)
                return answer
        except Exception as error:
            failure = failure_of(error)
            attempts.settle()
            attempts.call = attempts.call.model_copy(update={"fault": failure.fault})
            _log.warning("%s, asked for %s: %s", asked.opened.name, asked.purpose.value, failure)
            raise failure from None  # the provider's own error may hold what was sent, and the key
        finally:
            ended = attempts.call.model_copy(update={"seconds": round(time.monotonic() - began, 3)})
            log_end(ended)
            self._keep(asked.opened, ended, failure.wait if failure else None)

    async def _tried(
        self,
        asked: ModelRequest,
        attempts: Attempts,
        accept: Callable[[Said], T],
        on_text: Callable[[str], None] | None,
        seconds: float,
    ) -> T:
        until = time.monotonic() + seconds
        handed = False

        def hand(text: str) -> None:
            nonlocal handed
            if time.monotonic() > until:
                raise TimeoutError  # whoever asked may have gone on
            handed = True
            if on_text:
                on_text(text)

        def again(error: BaseException) -> bool:
            failure = failure_of(error)
            waits = _PAUSE if failure.wait is None else failure.wait
            in_time = time.monotonic() + waits < until
            may = in_time and not (handed and on_text) and not self._used_up(asked, attempts.call)
            return may and failure.fault in WORTH_ANOTHER_TRY

        trying = AsyncRetrying(
            retry=retry_if_exception(again), wait=_wait, stop=stop_after_attempt(_ATTEMPTS), reraise=True
        )
        async for attempt in trying:
            with attempt:
                attempts.begin()
                log_sent(self._settings, attempts.call, asked.sent)
                try:
                    said = await ask(asked.model, asked.sent, asked.config(), until - time.monotonic(), hand)
                except ModelFailed as failure:
                    attempts.count(failure.took)
                    raise
                attempts.count(said.took)
                log_answer(self._settings, attempts.call, said)
                try:
                    return accept(said)
                except _NOT_ACCEPTED as error:
                    raise ModelFailed(ModelFault.MALFORMED, type(error).__name__) from error
        raise AssertionError("tenacity raises what the last attempt raised")

    def _check_budget(self, asked: ModelRequest, call: ModelCall) -> None:
        """Raises ModelFailed where the model is left alone or something is used up."""
        if self._house.resting(asked.opened.name):
            raise ModelFailed(ModelFault.RESTING)
        if used_up := self._used_up(asked, call):
            raise ModelFailed(ModelFault.BUDGET, used_up)

    def _used_up(self, asked: ModelRequest, call: ModelCall) -> str:
        """Which limit another attempt of ``call`` would break, given what its attempts took so far; empty where none."""
        settings, turn, session = self._settings, self._turn.plus(call), self._session.plus(call)
        tokens = asked.tokens
        used_up = {
            "calls of this turn": turn.calls >= settings.turn_calls,
            "tokens of this turn": turn.tokens + tokens > settings.turn_tokens,
            "seconds of this turn": turn.seconds > settings.all_calls_seconds - _LEAST_SECONDS,
            "calls of this session": session.calls >= settings.session_calls,
            "tokens of this session": session.tokens + tokens > settings.session_tokens,
            "money of this session": settings.session_dollars is not None and session.money >= settings.session_dollars,
        }
        return next((what for what, so in used_up.items() if so), "")

    def _keep(self, opened: Opened, call: ModelCall, wait: float | None) -> None:
        self.calls.append(call)
        self._turn, self._session = self._turn.plus(call), self._session.plus(call)
        if call.attempts:
            self._house.note(opened.name, call.fault, wait)


def open_language_model(settings: Settings, cache: AnswerCache | None = None) -> LanguageModel | None:
    """None where the settings name none. Raises ModelUnavailable where one is named that can't be set up."""
    if settings.model is None:
        return None
    judge = open_judge(settings)
    voice = open_voice(settings, judge)
    quiet_libraries()
    return LanguageModel(settings, judge, voice, cache)


def _call_of(kept: Answer, asked: ModelRequest) -> ModelCall:
    return asked.as_call().model_copy(
        update={
            **kept.said.took._asdict(),
            "seconds": kept.seconds,
            "money": asked.opened.money(0, 0),
            "cached": True,
        }
    )


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    wait = failure_of(error).wait if error else None
    return _PAUSE if wait is None else wait


def _text_of(said: Said) -> str:
    if not said.text:
        raise ValueError("calls of tools that nobody offered")
    return said.text


def _redacted(message: BaseMessage) -> BaseMessage:
    if isinstance(message, AIMessage):
        return message  # the model's own, made of what it was shown
    return message.model_copy(update={"content": redacted(message.text).text}) if message.text else message


def _titled(prompt: Rendered) -> dict[str, Any]:
    assert prompt.schema_ is not None, f"the prompt {prompt.name} has no output schema"
    return {"title": prompt.name, "description": f"The answer to {prompt.name}.", **prompt.schema_}
