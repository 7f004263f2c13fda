"""The untrusted side: one process, one submission. Runs the candidate's code and hands tensors to and fro.

Nothing that this process says is believed: it holds no expected value, tolerance, clock or generator of inputs, and once the
candidate's code has run, that code may speak in its place. The limits below are set before that.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import gc
import importlib.util
import os
import sys
import threading
import traceback
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from .forbidden import first_use
from .wire import PREFIX, FrameError, Header, pack, read_frame, unpack_header, write_frame

SUBMISSION = "submission.py"
MESSAGE_LIMIT = 1000
RESULTS_LIMIT = 32
DIMENSIONS_LIMIT = 64
STATE_LIMIT = 256
NAME_LIMIT = 200
STATE_NAMES_LIMIT = 8_000


def rehearse(device: str) -> None:
    """What a runner does in any run, once with a program of ours: the first time costs the most, and nobody waits yet."""
    import torch

    from .tensors import memory_of, spec_of

    runner = Runner(-1, -1)
    program = "import torch\ndef twice(x: torch.Tensor, n: int = 2) -> torch.Tensor:\n    return x * n\n"
    runner._compile({"forbids": ["exec"]}, program.encode())
    runner._run({"entry": "twice", "device": device}, b"")
    x = torch.ones(2, 3)
    spec, body = spec_of(x), bytes(memory_of(x))
    call = {"args": [{"tensor": spec}, {"value": 2}], "gradient": True, "mode": None, "seed": None}
    runner._call({**call, "inputs": True, "bytes": 2 * len(body)}, body)
    wanted = {"wanted": ["results", "inputs", "gradients"], "upstream": [spec], "of": [0], "parameters": []}
    unpack_header(pack({**call, **wanted})[PREFIX.size :])
    runner._fetch(wanted, body)
    del sys.modules["submission"]
    Path(SUBMISSION).unlink()


class Unusable(Exception):
    """What the candidate's function returned cannot be compared."""


class Runner:
    def __init__(self, incoming: int, outgoing: int):
        self._incoming = incoming
        self._outgoing = outgoing
        self._code: CodeType = compile("", SUBMISSION, "exec")
        self._module = ModuleType("submission")
        self._entry = ""
        self._device = "cpu"
        self._object: Any = None  # the function, or the nn.Module that was made
        self._arguments: list[Any] = []
        self._inputs: list[Any] = []
        self._given: list[Any] = []  # the dtypes and shapes of the inputs as they came
        self._leaves: list[Any] = []
        self._results: list[Any] = []
        self._state: list[Any] = []
        self._printed: set[str] = set()
        self._pid = os.getpid()

    def serve(self) -> None:
        """Answers one request after another until the other side goes away."""
        answers = {
            "hello": self._hello,
            "compile": self._compile,
            "run": self._run,
            "make": self._make,
            "load": self._load,
            "state": self._announce_state,
            "give": self._give,
            "settle": self._settle,
            "call": self._call,
            "poke": self._poke,
            "fetch": self._fetch,
            "end": self._end,
        }
        while True:
            try:
                request, body = read_frame(self._incoming)
            except EOFError:
                return
            parts: list[memoryview] = []
            try:
                answer = answers[request["op"]](request, body)
                parts = answer.pop("parts", parts)
            except BaseException as error:  # sys.exit() in a submission is a failure like any other
                answer = {"failure": _failure(error)}
                self._print_trace(request["op"], error)
            if os.getpid() != self._pid:  # the submission forked and its child came back here
                os._exit(0)
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(Exception):
                    stream.flush()
            try:
                write_frame(self._outgoing, {"id": request["id"], **answer}, parts)
            except FrameError as error:  # nothing has been written yet
                write_frame(self._outgoing, {"id": request["id"], "failure": _failure(Unusable(str(error)))})

    def _hello(self, request: Header, body: bytes) -> Header:
        """Says whether this place is fit to run code in: threads may start and torch can be found."""
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
        if importlib.util.find_spec("torch") is None:
            raise ModuleNotFoundError("torch cannot be found or read inside the sandbox")
        return {}

    def _compile(self, request: Header, body: bytes) -> Header:
        source = body.decode()
        Path(SUBMISSION).write_bytes(body)
        self._code = compile(source, SUBMISSION, "exec", dont_inherit=True)
        use = first_use(source, request["forbids"]) if request["forbids"] else None
        return {"forbidden": {"name": use[0], "line": use[1]}} if use else {}

    def _run(self, request: Header, body: bytes) -> Header:
        """Executes the submission, as a program where no entry is asked for, else as a module."""
        self._entry, self._device = request["entry"], request["device"]
        if torch := sys.modules.get("torch"):  # processes forked from the same one would all draw the same numbers
            torch.default_generator.seed()
            if self._device != "cpu":
                torch.cuda.seed()
        self._module = ModuleType("submission" if self._entry else "__main__")
        self._module.__file__ = SUBMISSION
        sys.modules[self._module.__name__] = self._module
        try:
            exec(self._code, self._module.__dict__)
        except SystemExit as end:
            if self._entry or end.code not in (None, 0):
                raise
        self._object = getattr(self._module, self._entry, None)
        return {"callable": callable(self._object) if self._entry else True}

    def _make(self, request: Header, body: bytes) -> Header:
        """A new object of the submission's class, for the calls that follow."""
        import torch

        values, _ = self._unpack(request["args"], body)
        made = getattr(self._module, self._entry)(*values)
        if not isinstance(made, torch.nn.Module):
            raise Unusable(f"{self._entry}(...) is {_article(type(made).__name__)}; an nn.Module was expected")
        self._object = (made.double() if request["double"] else made).to(self._device)
        return {}

    def _load(self, request: Header, body: bytes) -> Header:
        _, tensors = self._unpack([{"tensor": spec} for spec in request["specs"]], body)
        self._object.load_state_dict(dict(zip(request["names"], tensors, strict=True)))
        return {}

    def _announce_state(self, request: Header, body: bytes) -> Header:
        """The names, dtypes and shapes of the object's state, which ``fetch`` hands over."""
        import torch

        state = self._object.state_dict()
        lengths = [len(name) for name in state]
        if len(state) > STATE_LIMIT or max(lengths, default=0) > NAME_LIMIT or sum(lengths) > STATE_NAMES_LIMIT:
            raise Unusable(f"its state_dict() has {len(state)} entries, or names that are too long")
        if other := [name for name, value in state.items() if not isinstance(value, torch.Tensor)]:
            raise Unusable(f"its state_dict() has entries that are no tensors: {', '.join(other)}")
        self._state = list(state.values())
        return {"state": [{"name": name, **_form(value)} for name, value in state.items()]}

    def _give(self, request: Header, body: bytes) -> Header:
        """The arguments of the next call."""
        self._arguments, self._inputs = self._unpack(request["args"], body)
        smooth = [tensor for tensor in self._inputs if tensor.is_floating_point()]
        self._leaves = [tensor.requires_grad_() for tensor in smooth] if request["gradient"] else []
        self._given = [(tensor.dtype, tensor.shape) for tensor in self._inputs]
        return {}

    def _settle(self, request: Header, body: bytes) -> Header:
        """Gives back what memory is free, so that it isn't counted as being in use; the last results go, with their graph."""
        self._results = []
        gc.collect()
        libc = ctypes.CDLL(None)
        libc.malloc_trim(0)
        libc.mallopt(-3, 128 * 1024)  # M_MMAP_THRESHOLD, fixed: it grows by itself, and holes in the heap count as need
        if self._device != "cpu":
            sys.modules["torch"].cuda.empty_cache()
        return {}

    def _call(self, request: Header, body: bytes) -> Header:
        """Calls the function or the object and announces what it returned.

        ``fetch`` hands that over, or this answer does, where it has exactly the ``bytes`` that the judge has foreseen.
        """
        import torch

        from .tensors import memory_of

        if "args" in request:
            self._give(request, body)
        if request["mode"]:
            self._object.train(request["mode"] == "train")
        if request["seed"] is not None:
            torch.manual_seed(request["seed"])
        returned = self._object(*self._arguments)
        several = isinstance(returned, tuple | list)
        results = list(returned) if several else [] if returned is None else [returned]
        if len(results) > RESULTS_LIMIT:
            raise Unusable(f"it returned {len(results)} results")
        self._results = [_plain(each) for each in results]
        specs = [{**_form(t), "stride": list(t.stride()), "device": t.device.type} for t in self._results]
        answer: Header = {"several": several, "results": specs}
        if "bytes" not in request:
            return answer
        tensors = self._results + (self._inputs_as_they_are_now() if request["inputs"] else [])
        if sum(tensor.numel() * tensor.element_size() for tensor in tensors) != request["bytes"]:
            return answer | {"failure": _failure(Unusable("what it returned has another form than was expected"))}
        return answer | {"parts": [memory_of(tensor) for tensor in tensors]}

    def _poke(self, request: Header, body: bytes) -> Header:
        """Overwrites an input of the last call in its place."""
        _, [new] = self._unpack([{"tensor": request["tensor"]}], body)
        self._inputs[request["at"]].detach().copy_(new)
        return {}

    def _fetch(self, request: Header, body: bytes) -> Header:
        """What is asked for, one tensor after another."""
        from .tensors import memory_of

        tensors: list[Any] = []
        for part in request["wanted"]:
            match part:
                case "results":
                    tensors += self._results
                case "memory":  # as it lies there, without regard to strides
                    pairs = zip(self._results, request["elements"], strict=True)
                    tensors += [result.as_strided((count,), (1,)) for result, count in pairs]
                case "inputs":
                    tensors += self._inputs_as_they_are_now()
                case "gradients":
                    tensors += self._gradients(request, body)
                case "state":
                    tensors += self._state
        return {"parts": [memory_of(tensor) for tensor in tensors]}

    def _end(self, request: Header, body: bytes) -> Header:
        return {}

    def _unpack(self, args: list[Any], body: bytes) -> tuple[list[Any], list[Any]]:
        """All arguments, and those of them that are tensors."""
        from .tensors import split

        tensors = split([arg["tensor"] for arg in args if "tensor" in arg], body)
        if self._device != "cpu":
            tensors = [tensor.to(self._device) for tensor in tensors]
        remaining = iter(tensors)
        return [next(remaining) if "tensor" in arg else arg["value"] for arg in args], tensors

    def _inputs_as_they_are_now(self) -> list[Any]:
        if [(tensor.dtype, tensor.shape) for tensor in self._inputs] != self._given:
            raise Unusable("it changed the shape or the dtype of its arguments")
        return self._inputs

    def _gradients(self, request: Header, body: bytes) -> list[Any]:
        """Of the inputs and of the named parameters, given gradients of some results."""
        import torch

        leaves = list(self._leaves)
        if request["parameters"]:
            parameters = dict(self._object.named_parameters())
            if missing := [name for name in request["parameters"] if name not in parameters]:
                raise Unusable(f"it has no parameter {', '.join(missing)}")
            leaves += [parameters[name] for name in request["parameters"]]
        _, upstream = self._unpack([{"tensor": spec} for spec in request["upstream"]], body)
        results = [self._results[at] for at in request["of"]]
        found = torch.autograd.grad(results, leaves, upstream, allow_unused=True)
        pairs = zip(found, leaves, strict=True)
        return [torch.zeros_like(leaf) if grad is None else grad.to_dense() for grad, leaf in pairs]

    def _print_trace(self, op: str, error: BaseException) -> None:
        """The candidate's own frames, as Python would print them, into the captured output; each trace once."""
        if op == "compile":
            return
        with contextlib.suppress(Exception):
            trace = traceback.TracebackException.from_exception(error)
            trace.stack = traceback.StackSummary.from_list([f for f in trace.stack if f.filename == SUBMISSION])
            text = "".join(trace.format())
            if text not in self._printed:
                print(text, file=sys.stderr, end="")
                self._printed.add(text)


def _form(tensor: Any) -> dict[str, Any]:
    from .tensors import dtype_name

    return {"dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape)}


def _plain(returned: Any) -> Any:
    """A dense tensor, still joined to its graph."""
    import torch

    from .tensors import DTYPES, dtype_name

    if not isinstance(returned, torch.Tensor):
        raise Unusable(f"it returned {_article(type(returned).__name__)}; a tensor was expected")
    if returned.layout is not torch.strided or dtype_name(returned.dtype) not in DTYPES:
        raise Unusable(f"it returned a {returned.layout} tensor of {returned.dtype}, which cannot be compared")
    if returned.dim() > DIMENSIONS_LIMIT:
        raise Unusable(f"it returned a tensor of {returned.dim()} dimensions")
    if type(returned) is torch.Tensor:
        return returned
    with torch._C.DisableTorchFunctionSubclass():
        return returned.as_subclass(torch.Tensor)


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
        "message": builtins.str(message)[:MESSAGE_LIMIT].encode(errors="replace").decode(),  # lone surrogates
        "line": line,
        "source": source.strip()[:MESSAGE_LIMIT],
    }
