"""How well prompts and models judge: for each pair what ``grading`` measures, what the model itself thought, and what it took.

A model's verdict never stands alone: the figures of a pair are those of the panel, the embedded judge with this model
beside it, as in an interview. Replies that the model failed on are counted by fault and left out.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval.cases import Case
from eval.compare import Run, compare
from eval.grading import misconception_figures, point_figures, rounded
from eval.opinions import opinions, quotes
from eval.rows import Row, make_rows
from eval.slices import measured
from eval.trying import Reply, Tried, prepare, try_out
from interviewer.errors import UsageError
from interviewer.grading.opinion import FIRST, SECOND
from interviewer.house import House
from interviewer.llm import LanguageModel
from interviewer.models import Question
from interviewer.prompts import load

Advance = Callable[[], None]
OnStage = Callable[[str, int], Advance]


@dataclass(frozen=True)
class Pair:
    """``label``: the model's name, with its address where one was given. ``jobs``: requests that it is sent at a time."""

    prompt: str
    label: str
    model: LanguageModel
    jobs: int


def run(cases: Sequence[Case], house: House, pairs: Sequence[Pair], jobs: int, stage: OnStage) -> dict[str, Any]:
    """The figures of the embedded judge alone and of each pair. ``stage`` is told what begins and how many replies that has,
    and gives what is to be called after each. Raises UsageError where a prompt is none, before anything is asked."""
    for pair in pairs:
        check_prompt(pair.prompt)
    questions = {question.id: question for question in house.bank.questions()}
    replies = prepare(cases, house, jobs, stage("embedded", len(cases)))
    alone = _rows(replies, [Tried(reply.alone) for reply in replies], questions)
    judged = []
    for pair in pairs:
        advance = stage(f"{pair.prompt}, {pair.label}", len(replies))
        tried = try_out(replies, house.judge, pair.model, (pair.prompt, SECOND), pair.jobs, advance)
        judged.append(_figures_of_pair(pair, replies, tried, _rows(replies, tried, questions), alone))
    return {
        "cases": len(cases),
        "questions": len({row.question for row in alone}),
        "embedded": _figures(alone),
        "pairs": judged,
    }


def check_prompt(name: str) -> None:
    """Raises UsageError where there is no such prompt, or it can't take the place of the one for the first look."""
    prompt, wanted = load(name), load(FIRST)
    if set(prompt.inputs) != set(wanted.inputs) or prompt.output != wanted.output:
        raise UsageError(
            f"The prompt {name} can't judge replies: its inputs and its output must be those of {FIRST}. Nothing was asked."
        )


def sample(cases: Sequence[Case], limit: int | None) -> list[Case]:
    """``limit`` of them in their order, always the same, and all of these among those of any larger limit."""
    if limit is None or limit >= len(cases):
        return list(cases)
    drawn = sorted(
        range(len(cases)),
        key=lambda i: hashlib.sha256(f"{cases[i].id} {cases[i].answer}".encode("utf-8", "replace")).digest(),
    )
    return [cases[i] for i in sorted(drawn[:limit])]


def _rows(replies: Sequence[Reply], tried: Sequence[Tried], questions: Mapping[str, Question]) -> list[Row]:
    return make_rows([reply.case for reply in replies], [each.graded for each in tried], questions)


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    scored = [row for row in rows if row.given is not None]
    figures: dict[str, Any] = {
        "unscored": len(rows) - len(scored),
        "unscored_because": dict(Counter(row.unscored for row in rows if row.given is None).most_common()),
    }
    if scored:
        figures |= {
            "overall": measured(scored),
            "points": point_figures(scored),
            "misconceptions": misconception_figures([row for row in scored if row.labelled]),
        }
    made: dict[str, Any] = rounded(figures)
    return made | {"rows": [row.kept() for row in rows]}


def _figures_of_pair(
    pair: Pair, replies: Sequence[Reply], tried: Sequence[Tried], rows: Sequence[Row], alone: Sequence[Row]
) -> dict[str, Any]:
    figures = _figures(rows)
    own = {
        "prompt": pair.prompt,
        "model": pair.label,
        "digests": {name: load(name).digest for name in (pair.prompt, SECOND)},
        "judged": sum(each.first is not None for each in tried),
        "not_shown": sum(not each.calls for each in tried),
        "looked_twice": sum(each.second is not None for each in tried),
        "disagreed": sum(bool(v and v.disagreed) for v in (each.graded.verdict for each in tried)),
        "notes": dict(Counter(note for each in tried if (v := each.graded.verdict) for note in v.notes)),
        "faults": dict(Counter(call.fault.value for each in tried for call in each.calls if call.fault)),
        "opinion": opinions(replies, tried),
        "quotes": quotes(opinion for each in tried for opinion in (each.first, each.second) if opinion),
        "use": _use(pair.model, tried),
    }
    if any(a.given is not None and b.given is not None for a, b in zip(alone, rows, strict=True)):
        own["beside_embedded"] = compare(Run(rows=tuple(alone)), Run(rows=tuple(rows)))
    return rounded(own) | figures  # type: ignore[no-any-return]


def _use(model: LanguageModel, tried: Sequence[Tried]) -> dict[str, Any]:
    """Of all calls, kept ones as they were when they were asked; ``requests``, ``from_cache`` and ``paid`` tell of this run.
    ``money`` is in US dollars, None where no price is known."""
    calls = [call for each in tried for call in each.calls]
    answered = [call for call in calls if not call.fault]
    seconds = sorted(call.seconds for call in answered)
    tokens_in, tokens_out = sum(call.tokens_in for call in calls), sum(call.tokens_out for call in calls)
    prices = [call.money for call in calls if call.money is not None]
    return {
        "calls": len(calls),
        "tokens_in": tokens_in,
        "tokens_out": tokens_out,
        "estimated": any(call.estimated for call in calls),
        "seconds": sum(call.seconds for call in calls),
        "median_seconds": seconds[len(seconds) // 2] if seconds else None,
        "money": model.judge.money(tokens_in, tokens_out),
        "requests": sum(call.attempts for call in calls),
        "from_cache": sum(call.cached for call in calls) / len(calls) if calls else None,
        "paid": sum(prices) if prices else None,
    }
