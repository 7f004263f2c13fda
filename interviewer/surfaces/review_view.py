"""One review in the terminal: the candidate's words and the verdict's evidence side by side.

Promises that what others wrote can't steer the terminal: characters that aren't shown are written out.
"""

from __future__ import annotations

import unicodedata

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from interviewer.interview.speak import run_sentence
from interviewer.models import Evidence, PointVerdict, Standing, Verdict
from interviewer.store import Review
from interviewer.surfaces.render import score_text

_SIDE_BY_SIDE_FROM = 100  # columns
_STYLES = {Standing.COVERED: "green", Standing.PARTIAL: "yellow", Standing.MISSING: "dim", Standing.CONTRADICTED: "red"}


def visible(text: str) -> str:
    """``text`` with control and formatting characters written as their code, new lines and tabs apart."""
    return "".join(
        f"\\u{ord(c):04x}" if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\n\t" else c for c in text
    )


def review_line(review: Review) -> str:
    """One line of the queue."""
    verdict = review.evidence.answered.verdict if review.evidence else None
    grade = f"{score_text(verdict.score)}, {verdict.confidence:.0%} sure" if verdict else "still open"
    state = review.judgement.value if review.judgement else "waiting"
    return f"{review.id}  {review.kind.value}  {review.question}  {grade}  {state}  {' '.join(visible(review.reason).split())}"


def review_view(review: Review, standing: Verdict | None, console: Console) -> RenderableType:
    """``standing`` is the verdict that the reviewer decides on; None while the question is open."""
    parts: list[RenderableType] = [
        Text(f"Review {review.id} · {review.kind.value} · {review.question} · filed {review.opened}", style="bold"),
        Text(visible(review.reason)),
        Text(),
    ]
    if review.evidence is None or standing is None:
        parts.append(Text("The question is still open in that interview; its evidence comes when it is closed."))
        return Group(*parts)
    evidence = review.evidence
    words, verdict = _words(evidence, standing), _verdict(standing)
    parts += [Text(visible(evidence.question.question), style="italic"), Text()]
    if console.width >= _SIDE_BY_SIDE_FROM:
        both = Table.grid(expand=True, padding=(0, 2))
        both.add_column(ratio=1)
        both.add_column(ratio=1)
        both.add_row(words, verdict)
        parts.append(both)
    else:
        parts += [words, Text(), verdict]
    parts += [Text(), Text("The reference", style="bold"), Text(visible(evidence.answered.reference))]
    if review.judgement:
        parts += [Text(), *_decision(review)]
    return Group(*parts)


def _words(evidence: Evidence, standing: Verdict) -> Group:
    """Every reply whole, with the words that the verdict quotes in the colour of their point."""
    parts: list[RenderableType] = [Text("The candidate's words", style="bold")]
    for number, reply in enumerate(evidence.answered.replies, 1):
        text = Text(visible(reply))
        for point in standing.points:
            if point.quote:
                text.highlight_words([visible(point.quote)], _STYLES[point.verdict])
        parts += [Text(f"Reply {number}", style="dim"), text]
    if not evidence.answered.replies:
        parts.append(Text("Nothing was said."))
    if run := evidence.answered.run:
        parts.append(Text(visible(run_sentence(run)), style="dim"))
        parts += [
            Text(visible(f"{'✓' if c.passed else '✗'} {c.name} {c.detail}".rstrip()), style="dim") for c in run.checks
        ]
    return Group(*parts)


def _verdict(verdict: Verdict) -> Group:
    title = f"The verdict: {score_text(verdict.score)}, {verdict.confidence:.0%} sure ({verdict.judge})"
    parts: list[RenderableType] = [Text(title, style="bold"), *(_point(p) for p in verdict.points)]
    parts += [Text(visible(f"Holds {m.id}: “{m.quote}”. {m.correction}"), style="red") for m in verdict.misconceptions]
    if verdict.unscored:
        parts.append(Text(visible(verdict.unscored)))
    return Group(*parts)


def _point(p: PointVerdict) -> Text:
    shown = "shown by the run" if p.proven_by_run else f"“{visible(p.quote)}”" if p.quote else "no words"
    text = Text(f"{p.point} ", style=_STYLES[p.verdict])
    text.append(f"{p.verdict.value}, {p.probability:.0%} sure, weight {p.weight}\n")
    return text.append(f"  {visible(p.claim)}\n  {shown}", style="none")


def _decision(review: Review) -> list[RenderableType]:
    who = f"{review.judgement} by {visible(review.reviewer)}, {review.decided}: {visible(review.comment)}"
    lines: list[RenderableType] = [Text(who, style="bold")]
    if review.verdict:
        lines.append(_verdict(review.verdict))
    return lines
