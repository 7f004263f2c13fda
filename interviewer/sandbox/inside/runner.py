"""The untrusted side: one process, one submission. Runs the candidate's code and hands tensors to and fro.

Nothing that this process says is believed: it holds no expected value, tolerance, seed or clock, and once the
candidate's code has run, that code may speak in its place. The limits below are set before that.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import importlib.util
import json
import os
import resource
import sys
import threading
import traceback
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from .wire import Header, read_frame, write_frame

SUBMISSION = "submission.py"
MESSAGE_LIMIT = 1000
RESULTS_LIMIT = 32


class Unusable(Exception):
    """What the candidate's function returned cannot be compared."""


def main() -> None:
    """Called with one argument: a JSON object of ``uid``, ``site`` and ``limits``."""
    config = json.loads(sys.argv[1])
    if config["uid"] is not None:
        _become(config)
    incoming, outgoing = _take_channel()
    _limit(config["limits"])
    sys.path.extend(config["site"])
    Runner(incoming, outgoing).serve()


def _become(config: dict[str, Any]) -> None:
    """Give up root and start anew, so that the process that serves has never had a right to lose."""
    uid = config["uid"]
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    os.execv(sys.executable, [*sys.orig_argv[:-1], json.dumps(config | {"uid": None})])


def _take_channel() -> tuple[int, int]:
    """Moves the channel away from 0 and 1, so that the candidate's prints go to the supervisor as text."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing


def _limit(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        kind = getattr(resource, name)
        _, most = resource.getrlimit(kind)
        wanted = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (wanted, wanted))
    with contextlib.suppress(OSError):  # the first to go when the machine runs out of memory
        Path("/proc/self/oom_score_adj").write_text("1000")


class Runner:
    def __init__(self, incoming: int, outgoing: int):
        self._incoming = incoming
        self._outgoing = outgoing
        self._code: CodeType = compile("", SUBMISSION, "exec")
        self._module = ModuleType("submission")
        self._entry = ""
        self._inputs: list[Any] = []
        self._leaves: list[Any] = []
        self._results: list[Any] = []
        self._printed: set[str] = set()
        self._pid = os.getpid()

    def serve(self) -> None:
        """Answers one request after another until the other side goes away."""
        answers = {
            "hello": self._hello,
            "compile": self._compile,
            "preload": self._preload,
            "run": self._run,
            "call": self._call,
            "fetch": self._fetch,
            "end": self._end,
        }
        while True:
            try:
                request, body = read_frame(self._incoming)
            except EOFError:
                return
            try:
                answer, answer_body = answers[request["op"]](request, body)
            except BaseException as error:  # sys.exit() in a submission is a failure like any other
                answer, answer_body = {"failure": _failure(error)}, b""
                self._print_trace(request["op"], error)
            if os.getpid() != self._pid:  # the submission forked and its child came back here
                os._exit(0)
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(Exception):
                    stream.flush()
            write_frame(self._outgoing, {"id": request["id"], **answer}, answer_body)

    def _hello(self, request: Header, body: bytes) -> tuple[Header, bytes]:
        """Says whether this place is fit to run code in: threads may start and torch can be found."""
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
        if importlib.util.find_spec("torch") is None:
            raise ModuleNotFoundError("torch cannot be found or read inside the sandbox")
        return {}, b""

    def _compile(self, request: Header, body: bytes) -> tuple[Header, bytes]:
        Path(SUBMISSION).write_bytes(body)
        self._code = compile(body.decode(), SUBMISSION, "exec", dont_inherit=True)
        return {}, b""

    def _preload(self, request: Header, body: bytes) -> tuple[Header, bytes]:
        for name in request["modules"]:
            importlib.import_module(name)
        return {}, b""

    def _run(self, request: Header, body: bytes) -> tuple[Header, bytes]:
        """Executes the submission, as a program where no entry is asked for, else as a module."""
        self._entry = request["entry"]
        self._module = ModuleType("submission" if self._entry else "__main__")
        self._module.__file__ = SUBMISSION
        sys.modules[self._module.__name__] = self._module
        try:
            exec(self._code, self._module.__dict__)
        except SystemExit as end:
            if self._entry or end.code not in (None, 0):
                raise
        return {"callable": callable(getattr(self._module, self._entry, None)) if self._entry else True}, b""

    def _call(self, request: Header, body: bytes) -> tuple[Header, bytes]:
        """Calls the entry; what it returned is announced here and handed over by ``fetch``."""
        from .tensors import dtype_name, split

        args = request["args"]
        tensors = split([arg["tensor"] for arg in args if "tensor" in arg], body)
        self._inputs = tensors
        self._leaves = [t.requires_grad_() for t in tensors if request["gradient"] and t.is_floating_point()]
        remaining = iter(tensors)
        values = [next(remaining) if "tensor" in arg else arg["value"] for arg in args]
        returned = getattr(self._module, self._entry)(*values)
        several = isinstance(returned, tuple | list)
        results = list(returned) if several else [returned]
        if len(results) > RESULTS_LIMIT:
            raise Unusable(f"it returned {len(results)} results")
        self._results = [_plain(each) for each in results]
        specs = [{"dtype": dtype_name(t.dtype), "shape": list(t.shape)} for t in self._results]
        return {"several": several, "results": specs}, b""

    def _fetch(self, request: Header, body: bytes) -> tuple[Header, bytes]:
        """The announced results, the inputs as they are now and, given gradients of the results, those of the inputs."""
        import torch

        from .tensors import split, to_bytes

        tensors = [*self._results, *self._inputs]
        if request["upstream"]:
            results = [t for t in self._results if t.is_floating_point()]
            upstream = split(request["upstream"], body)
            found = torch.autograd.grad(results, self._leaves, upstream, allow_unused=True)
            pairs = zip(found, self._leaves, strict=True)
            tensors += [torch.zeros_like(leaf) if grad is None else grad for grad, leaf in pairs]
        return {}, b"".join(to_bytes(t) for t in tensors)

    def _end(self, request: Header, body: bytes) -> tuple[Header, bytes]:
        return {}, b""

    def _print_trace(self, op: str, error: BaseException) -> None:
        """The candidate's own frames, as Python would print them, into the captured output; each trace once."""
        if op not in ("run", "call", "fetch"):
            return
        with contextlib.suppress(Exception):
            trace = traceback.TracebackException.from_exception(error)
            trace.stack = traceback.StackSummary.from_list([f for f in trace.stack if f.filename == SUBMISSION])
            text = "".join(trace.format())
            if text not in self._printed:
                print(text, file=sys.stderr, end="")
                self._printed.add(text)


def _plain(returned: Any) -> Any:
    """A dense tensor on the CPU, still joined to its graph."""
    import torch

    from .tensors import DTYPES, dtype_name

    if not isinstance(returned, torch.Tensor):
        raise Unusable(f"it returned {_article(type(returned).__name__)}; a tensor was expected")
    if returned.layout is not torch.strided or dtype_name(returned.dtype) not in DTYPES:
        raise Unusable(f"it returned a {returned.layout} tensor of {returned.dtype}, which cannot be compared")
    return returned.cpu()


def _article(name: str) -> str:
    return name if name == "NoneType" else f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _failure(error: BaseException) -> Header:
    """What is said of an exception: its type, its message and the last line of the submission that it passed."""
    line, source = None, ""
    if isinstance(error, SyntaxError) and error.filename == SUBMISSION:
        line, source = error.lineno, error.text or ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == SUBMISSION:
            line, source = frame.lineno, frame.line or ""
    try:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:
        message = ""
    return {
        "type": "" if isinstance(error, Unusable) else type(error).__name__[:MESSAGE_LIMIT],
        "message": builtins.str(message)[:MESSAGE_LIMIT],
        "line": line,
        "source": source.strip()[:MESSAGE_LIMIT],
    }
