"""Turns and reports as Markdown, once for all surfaces.

Promises that a candidate's words and a program's output can't break out of their place: quotes are escaped,
output is fenced with a fence longer than any in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.interview.ability import level_of
from interviewer.markdown import escape, fenced, one_line
from interviewer.models import (
    MAX_SCORE,
    Answered,
    CodeRun,
    Judgement,
    Part,
    PartKind,
    PointVerdict,
    Report,
    ReviewKind,
    Role,
    Shown,
    Standing,
    Study,
    TopicEstimate,
    Turn,
    Verdict,
)

MARKS = {Standing.COVERED: "✓", Standing.PARTIAL: "◐", Standing.MISSING: "○", Standing.CONTRADICTED: "✗"}

_UNNAMED = ("embedded", "nothing to judge")  # the usual ones


def turn_markdown(turn: Turn) -> str:
    """What was said in one turn. A candidate's own Markdown is theirs: it is shown as they wrote it."""
    if turn.role is Role.CANDIDATE:
        return turn.text
    blocks = [part_markdown(part) for part in turn.parts]
    return "\n\n".join([*blocks, usage_markdown(turn)] if turn.calls else blocks)


def usage_markdown(turn: Turn) -> str:
    """What a language model was asked for this turn, and what the session has used."""
    models = ", ".join(dict.fromkeys(call.model for call in turn.calls))
    requests = sum(call.attempts for call in turn.calls)
    tokens = sum(call.tokens_in + call.tokens_out for call in turn.calls)
    about = "about " if any(call.estimated for call in turn.calls) else ""
    seconds = sum(call.seconds for call in turn.calls)
    cost = f", ${turn.spent.money:.4f}" if turn.spent.money else ""
    used = f"{_counted(requests, 'request')}, {about}{tokens:,} tokens, {seconds:.1f} s"
    so_far = f"{_counted(turn.spent.calls, 'request')}, {turn.spent.tokens:,} tokens{cost}"
    return f"*{escape(models)}: {used}; in this interview {so_far}*"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("s" if count != 1 else "")


def part_markdown(part: Part) -> str:
    match part.kind:
        case PartKind.QUESTION:
            return f"**Question.** {part.text}"
        case PartKind.FOLLOW_UP:
            return f"**{part.text}**"
        case PartKind.HINT | PartKind.NOTICE:
            return f"*{part.text}*"
        case PartKind.CORRECTION:
            return f"→ {part.text}"
        case PartKind.EVIDENCE if part.verdict:
            return "\n\n".join(filter(None, [part.text, verdict_markdown(part.verdict)]))
        case PartKind.RUN if part.run:
            return run_markdown(part.run, part.text)
        case PartKind.EXPERIMENT if part.shown:
            return f"▶ {part.text}\n\n{experiment_markdown(part.shown)}"
        case PartKind.REPORT if part.report:
            return report_markdown(part.report)
        case _:
            return part.text


def verdict_markdown(verdict: Verdict) -> str:
    """Score and points, each with the words or the run that earned it."""
    lines = [
        f"**{score_text(verdict.score)}** · how sure: {verdict.confidence:.0%} · ✓ said ◐ half said ○ not said ✗ wrong"
    ]
    lines += ["", *(_point_line(p) for p in verdict.points)]
    remarks = [*([_judged_by(verdict)] if verdict.judge not in _UNNAMED else []), verdict.unscored, *verdict.notes]
    lines += [line for remark in filter(None, remarks) for line in ("", f"*{remark}*")]
    return "\n".join(lines)


def _judged_by(verdict: Verdict) -> str:
    differ = f" They differ on {_counted(len(verdict.disagreed), 'point')}." if verdict.disagreed else ""
    return f"Judged by {escape(verdict.judge)}.{differ}"


def score_text(score: float | None) -> str:
    return f"{score:.1f} of {MAX_SCORE:.0f}" if score is not None else "not scored"


def _point_line(p: PointVerdict) -> str:
    proof = "your code showed it" if p.proven_by_run else f"“{escape(one_line(p.quote))}”" if p.quote else ""
    return f"- {MARKS[p.verdict]} {p.claim}" + (f" — {proof}" if proof else "")


def run_markdown(run: CodeRun, sentence: str) -> str:
    """A run's checks and output. The output is the program's own text and is fenced."""
    lines = [f"▶ {sentence}"]
    if run.checks:
        lines += ["", *(f"- {'✓' if c.passed else '✗'} **{c.name}**{_detail(c.detail)}" for c in run.checks)]
    if beside := _beside_the_reference(run):
        lines += ["", beside]
    if run.output.strip():
        lines += ["", "It printed:", "", fenced(run.output.rstrip())]
    return "\n".join(lines)


def experiment_markdown(shown: Shown) -> str:
    """The code, what it printed and, where that may be told, what it means."""
    blocks = [fenced(shown.code.rstrip(), "python"), "It printed:", fenced(shown.printed.rstrip())]
    return "\n\n".join([*blocks, shown.means] if shown.means else blocks)


def _beside_the_reference(run: CodeRun) -> str:
    """Time and memory of one call beside those of the reference solution, as far as they were measured."""
    parts = []
    if run.submission_seconds is not None and run.reference_seconds is not None:
        parts.append(
            f"{run.submission_seconds * 1000:.3g} ms (the reference solution {run.reference_seconds * 1000:.3g} ms)"
        )
    if run.peak_memory is not None:
        beside = (
            "" if run.reference_memory is None else f" (the reference solution {run.reference_memory / 2**20:.3g} MiB)"
        )
        parts.append(f"{run.peak_memory / 2**20:.3g} MiB of memory at the peak{beside}")
    on = "" if run.device == "cpu" else f", on {run.device}"
    return f"Measured: {', '.join(parts)}{on}." if parts else f"It ran on {run.device}." if on else ""


def _detail(detail: str) -> str:
    return f"\n\n{indented(fenced(detail))}\n" if "\n" in detail else f": {escape(detail)}" if detail else ""


# --- the report -----------------------------------------------------------------------------------


def report_markdown(report: Report) -> str:
    """The whole report."""
    blocks = [report_head(report), study_markdown(report.study)]
    blocks += ["\n\n".join(question_blocks(n, a)) for n, a in enumerate(report.answered, 1)]
    return "\n\n".join(filter(None, [*blocks, report_foot(report)]))


def report_head(report: Report) -> str:
    """The score, what to know before trusting it, and the levels."""
    blocks = [f"# Report · {score_text(report.score)}"]
    if report.notes:
        blocks.append("\n".join(f"> {note}" for note in report.notes))
    if report.topics:
        blocks.append(_topics_table(report.topics))
    return "\n\n".join(blocks)


def study_markdown(study: Sequence[Study]) -> str:
    """What to study next; empty where there is nothing."""
    lines = [f"{number}. {_study_line(each)}" for number, each in enumerate(study, 1)]
    return "\n".join(["## Study next", "", *lines]) if study else ""


def _study_line(s: Study) -> str:
    why = {Standing.CONTRADICTED: "said wrong", Standing.PARTIAL: "half said"}.get(s.standing, "not said")
    facts = [f"*{s.topic.value}, {why} in* `{s.question}`*{'; the grader is not sure of it' if s.unsure else ''}.*"]
    facts += [s.correction] if s.correction else []
    facts += [f"The experiment “{s.experiment}” shows it."] if s.experiment else []
    facts += ["First " + ", ".join(f"`{name}`" for name in s.prerequisites) + "."] if s.prerequisites else []
    return " ".join([s.claim, *facts])


def report_foot(report: Report) -> str:
    return f"*Session {report.session}. Disagree with a grade? Say `dispute question 1` and why; a person will look.*"


def _topics_table(topics: Sequence[TopicEstimate]) -> str:
    rows = [f"| {t.topic.value} | {level_text(t.ability)} | {interval_text(t)} | {t.asked} |" for t in topics]
    return "\n".join(["| Topic | Level shown | Likely between | Questions |", "|---|---|---|---|", *rows])


def level_text(ability: float) -> str:
    """The level nearest to an ability on the scale of level ranks."""
    return level_of(ability).value


def interval_text(estimate: TopicEstimate) -> str:
    """The levels within one standard deviation."""
    low, high = level_text(estimate.ability - estimate.sd), level_text(estimate.ability + estimate.sd)
    return low if low == high else f"{low} and {high}"


def question_blocks(number: int, a: Answered) -> list[str]:
    """A question as the report shows it: its heading, then facts about it, then how it was graded and what there is to read."""
    facts = [a.topic.value, a.level.value]
    facts += [f"{a.hints} hint{'s' if a.hints != 1 else ''}"] if a.hints else []
    facts += [f"{a.follow_ups} follow-up{'s' if a.follow_ups != 1 else ''}"] if a.follow_ups else []
    facts += ["skipped"] if a.skipped else []
    blocks = [f"## {number}. {a.text}", f"*{' · '.join(facts)}*", verdict_markdown(a.verdict)]
    blocks += [f"→ You wrote “{escape(one_line(m.quote))}”. {m.correction}" for m in a.verdict.misconceptions]
    blocks += [f"▶ Run on “{escape(one_line(s.quote))}”:\n\n{experiment_markdown(s)}" for s in a.shown]
    if a.run:
        passed = sum(c.passed for c in a.run.checks)
        blocks.append(
            f"Your code: {a.run.outcome.value}, {passed} of {len(a.run.checks)} checks passed."
            if a.run.checks
            else f"Your code: {a.run.outcome.value}."
        )
    blocks += _review_blocks(a)
    blocks.append("**A good answer**\n\n" + "\n".join(f"> {line}".rstrip() for line in a.reference.splitlines()))
    if a.doubts:
        doubts = [f"- “{escape(one_line(d.text))}”: {d.why}" for d in a.doubts]
        blocks.append("\n".join(["**Not graded by, since it is wrong or old in that document**", "", *doubts]))
    if a.read:
        blocks.append("To read: " + ", ".join(f"<{r}>" if r.startswith("http") else f"`{r}`" for r in a.read))
    return blocks


def _review_blocks(a: Answered) -> list[str]:
    """What waits for a person, and what a person decided; a corrected verdict stands beside the grader's own."""
    blocks = []
    if a.awaits(ReviewKind.UNSURE):
        blocks.append(f"A person will look at this grade. {a.unsure}")
    if a.disputed:
        waiting = " A person will look at it." if a.awaits(ReviewKind.DISPUTE) else ""
        blocks.append(f"Disputed: “{escape(one_line(a.disputed))}”.{waiting}")
    for ruling in a.rulings:
        lead = (
            "Corrected by a reviewer" if ruling.judgement is Judgement.CHANGED else "Looked at by a reviewer; it stands"
        )
        blocks.append(f"**{lead}:** {escape(one_line(ruling.comment))}")
    if a.graded:
        blocks.append(f"The grader's own verdict was:\n\n{verdict_markdown(a.graded)}")
    return blocks


def indented(text: str) -> str:
    """As the content of an item of a list."""
    return "\n".join("  " + line for line in text.splitlines())
