"""What is wrong or old in somebody's question document.

Looks names up in the installed PyTorch, runs the code in the sandbox, compares claims with what the bank's experiments
show, and finds answers that stop in mid-sentence. Promises that whatever is reported comes with the document's words,
that code which could not be settled here is called so, and that a contradicted claim with an experiment was tried here
and now. Silence is no proof: what is neither run nor held against an authored misconception is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.bank.claims import claims
from interviewer.bank.documents import Document, DocumentQuestion, read_document
from interviewer.bank.doubts import Contradictions, Encode, doubts_in_names
from interviewer.bank.outdated import WEIGHTS_ONLY, loads_without_a_word
from interviewer.bank.prose import Form, blocks
from interviewer.errors import SandboxUnavailable
from interviewer.markdown import code_blocks, python_blocks
from interviewer.models import Doubt, Fault, Question, Value
from interviewer.proof.fragment import Ran, run_fragment

if TYPE_CHECKING:
    from interviewer.sandbox.door import Door

_ENDS = re.compile(r"[.!?:;…)\]}\"'”’`*>|]$")
_NO_ATTRIBUTE = re.compile(r"(?:module '(torch[\w.]*)'|'(\w+)' object) has no attribute '(\w+)'")
_SENTENCE = 6  # words, from which on a paragraph is expected to end like one
_HANGS = re.compile(r"\b(?:and|or|the|a|an|of|to|in|with|by|for|from|is|are|that|which|as|but|if|,)$", re.IGNORECASE)


class AuditedQuestion(Value):
    """``number`` counts the document's questions from 1. ``ran`` of ``blocks`` Python blocks came to their end."""

    number: int
    question: str
    blocks: int
    ran: int
    doubts: tuple[Doubt, ...]


class Audit(Value):
    path: str
    title: str
    questions: tuple[AuditedQuestion, ...]
    notes: tuple[str, ...] = ()

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        return tuple(doubt for question in self.questions for doubt in question.doubts)


def audit(
    path: Path,
    bank: Sequence[Question],
    encode: Encode,
    sandbox: Door,
    progress: Callable[[str], None] = lambda _: None,
) -> Audit:
    """Reads, looks up and runs the document at ``path``. Raises DocumentRefused where it can't be read.

    Where no code is run on this machine, the rest is done and a note says so.
    """
    document = read_document(path)
    auditor = _Auditor(bank, encode, sandbox)
    audited = []
    for number, question in enumerate(document.questions, 1):
        progress(f"{number} of {len(document.questions)}: {question.question}")
        audited.append(auditor.question(number, question))
    return Audit(path=str(path), title=document.title, questions=tuple(audited), notes=tuple(auditor.notes(document)))


class _Auditor:
    def __init__(self, bank: Sequence[Question], encode: Encode, sandbox: Door):
        self._bank = {question.id: question for question in bank}
        self._contradictions = Contradictions(bank, encode)
        self._sandbox = sandbox
        self._no_sandbox = ""

    def question(self, number: int, read: DocumentQuestion) -> AuditedQuestion:
        code = python_blocks(read.answer)
        runs = list(self._runs(code))
        doubts = [*_in_prose(read.answer), *_in_code(code, runs), *self._contradicted(read)]
        if loads_without_a_word(read.answer):
            doubts.append(Doubt(fault=Fault.OUTDATED, text="torch.load(…)", why=WEIGHTS_ONLY))
        if stump := cut_off(read.answer):
            doubts.append(Doubt(fault=Fault.CUT_OFF, text=stump, why="The answer stops in the middle of a sentence."))
        return AuditedQuestion(
            number=number,
            question=read.question,
            blocks=len(code),
            ran=sum(1 for ran in runs if not ran.error and not ran.missing),
            doubts=_distinct(doubts),
        )

    def notes(self, document: Document) -> Iterator[str]:
        if self._no_sandbox:
            yield f"No code of this document was run. {self._no_sandbox}"
        if any(q.indentation_lost for q in document.questions):
            yield "The page lost the indentation of its code. Such code is not guessed at; it fails as it stands."

    def _runs(self, code: Sequence[str]) -> Iterator[Ran]:
        """Each block after those above it in the same answer, as one would try them."""
        before = ""
        for block in code:
            if self._no_sandbox:
                yield Ran(missing="a sandbox")
                continue
            try:
                ran, before = run_fragment(block, before, self._sandbox)
            except SandboxUnavailable as error:
                self._no_sandbox = str(error)
                ran = Ran(missing="a sandbox")
            yield ran

    def _contradicted(self, read: DocumentQuestion) -> Iterator[Doubt]:
        for doubt in self._contradictions.among(claims(read.question, read.answer)):
            experiment = self._bank[doubt.question].experiment(doubt.experiment)
            if experiment is None or self._no_sandbox:
                yield doubt.model_copy(update={"experiment": ""})
                continue
            try:
                run = self._sandbox.experiment(experiment.code)
            except SandboxUnavailable as error:
                self._no_sandbox = str(error)
                yield doubt.model_copy(update={"experiment": ""})
                continue
            if experiment.confirmed_by(run):
                yield doubt.model_copy(update={"printed": run.output})


def _in_prose(answer: str) -> Iterator[Doubt]:
    for block in blocks(answer):
        if block.form is not Form.CODE:
            yield from doubts_in_names(block.text)


def _in_code(code: Sequence[str], runs: Sequence[Ran]) -> Iterator[Doubt]:
    for block, ran in zip(code, runs, strict=True):
        named = doubts_in_names(block + "\n")
        yield from named
        first = next((line.strip() for line in block.splitlines() if line.strip()), "")
        for message in ran.warned:
            if not any(_about(message, doubt) for doubt in named):
                yield Doubt(fault=Fault.OUTDATED, text=first, why=f"PyTorch says when it runs: {message}")
        if ran.error:
            settled = not ran.with_standins or ran.error.startswith("line ") or _torch_lacks(ran.error)
            why = ran.error if settled else f"{ran.error}. What we supplied may be to blame."
            yield Doubt(fault=Fault.FAILS if settled else Fault.NOT_RUN, text=first, why=why, assumed=ran.assumed)
        elif ran.missing:
            yield Doubt(fault=Fault.NOT_RUN, text=first, why=f"It needs {ran.missing}.", assumed=ran.assumed)


def _torch_lacks(error: str) -> bool:
    """Whether the error is that PyTorch has no such thing, whatever it was asked with."""
    if match := _NO_ATTRIBUTE.search(error):
        import torch

        owner = getattr(torch.nn, match[2] or "", None) or getattr(torch, match[2] or "", None)
        return bool(match[1]) or (owner is not None and not hasattr(owner, match[3]))
    return False


def _about(message: str, doubt: Doubt) -> bool:
    """Whether the warning says what was found by looking: they share the name that is meant."""
    names = re.findall(r"[A-Za-z_]{5,}", doubt.text)
    return bool(names) and names[-1].lower() in message.lower()


def cut_off(answer: str) -> str:
    """The last words of an answer that stops in mid-sentence, or ""; an unclosed code fence is such a stop too."""
    if len(re.findall(r"^(?:```|~~~)", answer, re.MULTILINE)) % 2:
        return code_blocks(answer)[-1].strip().splitlines()[-1] if code_blocks(answer) else "```"
    told = blocks(answer)
    if not told or told[-1].form in (Form.CODE, Form.HEADING, Form.ROW):
        return ""
    last = told[-1].text.rstrip()
    unfinished = _HANGS.search(last) or (
        told[-1].form is Form.PARAGRAPH and not _ENDS.search(last) and len(last.split()) >= _SENTENCE
    )
    return " ".join(last.split()[-12:]) if unfinished else ""


def _distinct(doubts: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Each once; of those that say the same, the one that quotes most."""
    found: dict[tuple[Fault, str], Doubt] = {}
    for doubt in doubts:
        key = (doubt.fault, doubt.why)
        if key not in found or found[key].text in doubt.text:
            found[key] = doubt
    return tuple(found.values())
