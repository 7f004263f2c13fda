"""An audit as Markdown. The document's words are escaped, and what was printed is fenced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interviewer.markdown import escape, fenced, one_line
from interviewer.models import Doubt, Fault
from interviewer.surfaces.render import indented

if TYPE_CHECKING:
    from interviewer.proof.audit import Audit

_FAULTS = {
    Fault.UNKNOWN_NAME: "There is no such name",
    Fault.OUTDATED: "Out of date",
    Fault.CONTRADICTED: "Not so",
    Fault.FAILS: "The code fails",
    Fault.NOT_RUN: "Could not be run here",
    Fault.CUT_OFF: "Cut off",
}


def audit_markdown(audit: Audit, heading: str = "#") -> str:
    """All findings, question by question, below a ``heading`` of this rank. The document's words are escaped, and what was
    printed is fenced."""
    doubted = [q for q in audit.questions if q.doubts]
    blocks = sum(q.blocks for q in audit.questions)
    found = [
        f"{heading} Audit of {escape(audit.title)}",
        f"{len(audit.doubts)} findings in {len(doubted)} of {len(audit.questions)} questions; "
        f"{sum(q.ran for q in audit.questions)} of {blocks} code blocks ran to their end.",
        *(f"> {note}" for note in audit.notes),
    ]
    for question in doubted:
        found.append(f"{heading}# {question.number}. {question.question}")
        found.append("\n".join(_doubt_line(doubt) for doubt in question.doubts))
    return "\n\n".join(found)


def _doubt_line(doubt: Doubt) -> str:
    theirs = doubt.fault in (Fault.FAILS, Fault.NOT_RUN)  # the error may hold the document's words
    why = escape(doubt.why) if theirs else doubt.why
    line = f"- **{_FAULTS[doubt.fault]}:** `{one_line(doubt.text).replace('`', '')}`. {why}"
    if doubt.assumed:
        line += f" Assumed: {escape('; '.join(doubt.assumed))}."
    if doubt.printed:
        line += (
            f" The bank's experiment on this ({doubt.question}) prints:\n\n{indented(fenced(doubt.printed.rstrip()))}\n"
        )
    return line
