"""Trains the reader of the embedded judge, chooses its thresholds, and writes both with a card that says how well it does.

Learns from the replies of ``train`` (one in ten is left out, to measure questions that were seen), from the statements, and
from answers of public sets where a folder of them is given. Thresholds are chosen on ``dev``. ``test`` is not read.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file

from eval.cases import Case, our_cases, read_cases
from eval.metrics import agreement
from eval.training.choosing import Read, cross_scores, fit_rules, read_all, scores
from eval.training.examples import Example, Held, brief, composed, from_case, spoilt
from eval.training.fit import Group, fit
from eval.training.statements import STATEMENTS, ClaimSet, bank_statements, general_sets, of_question
from interviewer.bank.corpus import own_questions
from interviewer.bank.rubric import question_from_reference
from interviewer.grading.guard import addressed_to_grader
from interviewer.grading.judge import RuleBook
from interviewer.grading.network import adapt, learned
from interviewer.grading.reader import CARD, ROOM, WAYS, WEIGHTS, ClaimReader, base_network
from interviewer.grading.text import sentences
from interviewer.models import Question, Standing

PASSES = 8
RATE = 5e-4
# Replies composed for a claim set of the bank, of another field, and of brief statements.
_COMPOSED, _COMPOSED_GENERAL, _BRIEF = 8, 12, 14
_GENERAL = 30  # sets of other fields in a pass
_PUBLIC_TOGETHER = 48

Progress = Callable[[str], None]


def train_reader(out: Path = ROOM, *, public: Path | None = None, passes: int = PASSES, seed: int = 0) -> None:
    """Writes ``reader.safetensors`` into ``out``, and into ``card.json`` what it learned from. ``public``: graded answers,
    as ``read_cases`` takes them, on which a first pass is made. Both networks are trained side by side, each by a process of its
    own that says on standard error how far it is."""
    out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(len(WAYS), mp_context=get_context("spawn")) as pool:
        networks = list(pool.map(partial(_trained, public, passes, seed), WAYS))
    named = {f"{way}.{name}": value for way, found in zip(WAYS, networks, strict=True) for name, value in found.items()}
    save_file(named, str(out / WEIGHTS))
    trained_on = {
        "labelled replies": len(_train_cases()),
        "statements about the bank": sum(map(len, bank_statements().values())),
        "brief statements": sum(map(len, bank_statements(STATEMENTS / "brief").values())),
        "statements about other fields, and wordings of their claims": sum(len(s.statements) for s in general_sets()),
        "answers of public sets": len(read_cases([public])) if public else 0,
        "passes": passes,
        "seed": seed,
    }
    _write(out / CARD, {"trained_on": trained_on})


def _trained(public: Path | None, passes: int, seed: int, way: str) -> dict[str, NDArray[np.float16]]:
    """What a network learned, by name. Runs in a process of its own."""
    questions, cases = _questions(), _train_cases()
    answers = read_cases([public]) if public else []
    material = _material(cases, questions)
    shown: list[Callable[[random.Random], Sequence[Group]]] = []
    if answers:
        shown.append(lambda chance: of_public(answers, chance))
    shown += [lambda chance: _own(cases, questions, material, chance)] * passes
    torch.set_num_threads(max(1, (os.cpu_count() or 1) // len(WAYS)))
    torch.manual_seed(seed)
    tokenizer, network = base_network()
    adapt(network)
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    say = partial(print, f"sentences {way},", file=sys.stderr, flush=True)
    fit(network, tokenizer, shown, seed=seed, rate=RATE, way=way, progress=say)
    return {name: value.cpu().half().numpy() for name, value in learned(network).items()}


def _train_cases() -> list[Case]:
    return [case for case in our_cases("train") if not left_out(case)]


def fit_rules_of(out: Path = ROOM, *, progress: Progress = print) -> dict[str, Any]:
    """Fits the rules that go with the weights in ``out``, writes them and their figures into its card, and returns that."""
    card: dict[str, Any] = json.loads((out / CARD).read_text(encoding="utf-8"))
    questions = _questions()
    reader = ClaimReader(out / WEIGHTS)
    progress("reading the replies of dev")
    cases = our_cases("dev")
    dev = read_all(cases, questions, reader)
    seen = read_all([case for case in our_cases("train") if left_out(case)], questions, reader)
    derived = _read_by_derived_rubrics(cases, questions, reader)
    progress("fitting the rules")
    rules, crossed = fit_rules(dev)
    bare = [r.points_alone() for r in dev]
    alone, crossed_alone = fit_rules(bare)
    card["rules"] = RuleBook(beside_misconceptions=rules, points_alone=alone).model_dump()
    card["figures"] = {
        "new questions (dev, cross-fitted)": _figures(dev, crossed),
        "the same as if they named no misconceptions": _figures(dev, crossed_alone),
        "the same by rubrics derived from their answers": _figures(
            derived, cross_scores(bare, derived, alone.thresholds)
        ),
        "known questions, new replies": _figures(seen, scores(seen, rules)),
    }
    _write(out / CARD, card)
    return card


def _read_by_derived_rubrics(cases: Sequence[Case], questions: dict[str, Question], reader: ClaimReader) -> list[Read]:
    """Without the questions that set a task: there a person's score also counts what a run has shown, and a derived rubric
    doesn't."""
    spoken = [case for case in cases if not questions[case.question_id].task]
    asked = [questions[name] for name in {case.question_id for case in spoken}]
    derived = {q.id: question_from_reference(q.question, q.references[0].text) for q in asked}
    return read_all(spoken, derived, reader)


def _questions() -> dict[str, Question]:
    return {q.id: q for q in own_questions()}


def _write(path: Path, card: dict[str, Any]) -> None:
    path.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def left_out(case: Case) -> bool:
    """One reply in ten, by its id: what it teaches stays unknown, so that replies to known questions can be measured."""
    return hashlib.sha256(case.id.encode()).digest()[0] % 10 == 0


def of_public(answers: Sequence[Case], chance: random.Random) -> list[Group]:
    """Answers held against their own reference, some also against another's; of like length together."""
    examples = []
    for answer in answers:
        text = f"{answer.question} {answer.reference}" if chance.random() < 0.3 else answer.reference
        held = [Held(text, _standings(answer))]
        other = chance.choice(answers)
        if chance.random() < 0.3 and other.reference != answer.reference:
            held.append(Held(other.reference, frozenset({Standing.MISSING}), 0.5))
        examples.append(Example(answer.answer, tuple(held)))
    examples.sort(key=lambda example: len(example.reply) + 40 * chance.random())
    groups: list[Group] = [examples[at : at + _PUBLIC_TOGETHER] for at in range(0, len(examples), _PUBLIC_TOGETHER)]
    chance.shuffle(groups)
    return groups


def _standings(answer: Case) -> frozenset[Standing]:
    match answer.label:
        case "contradictory":
            return frozenset({Standing.CONTRADICTED})
        case "correct":
            return frozenset({Standing.COVERED})
        case "incorrect":
            return frozenset({Standing.MISSING, Standing.PARTIAL})
    share = answer.score / answer.max_score
    if share >= 0.85:
        return frozenset({Standing.COVERED})
    return frozenset({Standing.PARTIAL}) if share > 0.2 else frozenset({Standing.MISSING, Standing.CONTRADICTED})


@dataclass(frozen=True)
class _Material:
    """Claim sets of the bank by question, those with brief statements alone, and of other fields; sentences that say nothing, and that give
    orders."""

    bank: dict[str, ClaimSet]
    brief: list[ClaimSet]
    general: list[ClaimSet]
    elsewhere: list[str]
    orders: list[str]


def _material(cases: Sequence[Case], questions: dict[str, Question]) -> _Material:
    statements = bank_statements()
    named = sorted({case.question_id for case in cases})
    bank = {name: of_question(questions[name], statements.get(name, ())) for name in named}
    few = [replace(bank[name], statements=said) for name, said in bank_statements(STATEMENTS / "brief").items()]
    empty = [s for c in cases if c.style in ("offtopic", "dontknow", "vague") for s in sentences(c.answer)]
    orders = [s for c in cases if c.style == "manipulation" for s in sentences(c.answer) if addressed_to_grader(s)]
    return _Material(bank, few, general_sets(), empty, orders)


def _own(
    cases: Sequence[Case], questions: dict[str, Question], material: _Material, chance: random.Random
) -> list[Group]:
    """One pass: for each question its labelled replies and some composed ones, replies of brief statements, and composed ones on
    other claims."""
    groups: list[Group] = []
    for name, claims in material.bank.items():
        seed = chance.random()  # one way to say each claim for the whole batch
        examples = [from_case(c, questions[name], random.Random(seed)) for c in cases if c.question_id == name]
        examples += [composed(claims, chance, random.Random(seed)) for _ in range(_COMPOSED)]
        groups.append(examples)
    for claims in material.brief:
        seed = chance.random()
        groups.append([brief(claims, chance, random.Random(seed)) for _ in range(_BRIEF)])
    for claims in chance.sample(material.general, min(_GENERAL, len(material.general))):
        seed = chance.random()
        groups.append([composed(claims, chance, random.Random(seed)) for _ in range(_COMPOSED_GENERAL)])
    chance.shuffle(groups)
    return [[spoilt(e, chance, material.elsewhere, material.orders) for e in group if e.held] for group in groups]


def _figures(read: Sequence[Read], given: NDArray[np.float64]) -> dict[str, float]:
    figures = agreement(given.tolist(), [r.person for r in read])
    return {name: round(value, 3) for name, value in figures.items()}
