"""What earns nothing, whatever it resembles: orders to the grader, forms with verdicts, restated questions, keyword lists,
claims that are named and left open, and pasted results of runs, which only a run can bring.

Each is decided from its words alone, for one sentence, or for the block of lines that make up a form; the rest of the reply
is graded as usual. Does not detect a wrong answer, only text that isn't an answer.
"""

from __future__ import annotations

import re

from interviewer.grading.text import FUNCTION_WORDS, Unit, content, plain, sentence_units, words

_TO_THE_GRADER = re.compile(
    r"\b(?:full|maximum|max|top|perfect|high(?:est)?)\s+(?:marks?|scores?|points?|grades?|credit)\b"
    r"|\b(?:give|award|grant|assign|mark|grade|score|rate)\s+(?:me|this|my|it|the (?:answer|reply|candidate|response))\b.{0,40}"
    r"(?:\b(?:marks?|scores?|points?|grades?|credit|correct|pass|full|perfect|100|10|5)\b|/)"
    r"|\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|rubric|rules|prompt|above|previous|grading)\b"
    r"|\b(?:rubric|grader|grading|evaluator|marking scheme|answer key|system prompt|reference answer)\b"
    r"|\b(?:all|every|each)(?: of the)? (?:rubric )?points? (?:is|are|was|were|has|have|been|should)?\s*(?:be\s+)?(?:covered|met|satisfied|correct|awarded)\b"
    r"|\b(?:verdict|score|grade|mark|points?)[\"']?\s*[:=]\s*[\"']?(?:\d|covered|correct|full|pass|max)"
    r"|^\s*(?:system|assistant|developer|instruction)\s*:"
    r"|\byou (?:must|should|will|have to|are (?:required|instructed))\b.{0,40}\b(?:marks?|scores?|points?|grades?|correct|pass|accept)\b"
    r"|\bas an? (?:ai|language model|llm|expert|senior)\b.{0,60}\b(?:correct|full|pass|accept|trust)\b"
    r"|\b(?:my|this|the above) (?:answer|reply|response) (?:is|covers|contains|addresses|deserves)\b",
    re.IGNORECASE | re.DOTALL,
)
_VERDICT = r"(?:covered|satisfied|awarded)"
_FILED = re.compile(
    rf"^\W*{_VERDICT}\s*[:=|]"  # COVERED: …
    rf"|[|,:=]\s*[\"']?{_VERDICT}\b\s*(?:[|,\"'}}\]]|$)"  # … | covered | …, "verdict": "covered"
    r"|<\s*/?\s*(?:verdict|score|points?|rubric)\b"
    r"|^\s*[-*+]\s*\[[xX]\]",  # a ticked box
    re.IGNORECASE,
)
_RESULT_OF_A_RUN = re.compile(
    r"(?<!=)={4,}(?!=)[^\n=]{0,60}\b(?:test session|passed|failed|errors?|summary)\b"  # the rules of a test report
    r"|\b\d+ passed\b.{0,20}(?:\bfailed\b|\bin \d|$)"
    r"|^[ \t]*tool (?:result|output) ?:"
    r"|^[ \t]*(?:outcome|exit status|exit code) ?:? ?(?:passed|ok|success|0)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LEFT_OPEN = re.compile(
    r"^\W*(?:is|could|might|can) it (?:be )?(?:(?:so|true|right|the case) )?that\b.*\?\W*$"
    r"|\bI (?:(?:do not|don['’]?t) know|(?:cannot|can['’]?t) (?:say|tell)|have no (?:opinion|idea))\b[^,;:.!?]{0,12}\W*$"
    r"|^\W*either\b.*\bor (?:it(?:['’]s| is) )?the other way (?:a)?round\b",
    re.IGNORECASE | re.DOTALL,
)
_VERB_LIKE = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|does|do|did|can|will|would|should|must|may|isn|aren|doesn|don|cannot|\w{3,}(?:s|ed|es|ing))\b",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[,;/|\n•·]+|\s[-–—]\s")
_BLOCK = re.compile(r"(?:^[^\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_LIST_FRAGMENTS = 4
_RESTATED = 0.8  # share of a unit's content that stands in the question


def addressed_to_grader(unit: str) -> bool:
    """Text that speaks about its own grading instead of the subject."""
    return bool(_TO_THE_GRADER.search(plain(unit)))


def restates(unit: str, question: str) -> bool:
    """Whether a unit adds (nearly) nothing to the words of the question."""
    said = content(unit)
    if not said:
        return True
    return len(said & content(question)) / len(said) >= _RESTATED


def result_of_a_run(unit: str) -> bool:
    """What a test report or a tool prints, not what somebody says."""
    return bool(_RESULT_OF_A_RUN.search(plain(unit)))


def left_open(unit: str) -> bool:
    """Something asked back, or said together with not knowing whether it is so."""
    return bool(_LEFT_OPEN.search(plain(unit)))


def keyword_list(unit: str) -> bool:
    """Names strung together without saying anything of them."""
    unit = plain(unit)
    fragments = [f for f in _SEPARATORS.split(unit) if f.strip()]
    lengths = sorted(len(f.split()) for f in fragments)
    alone = sum(length for length in lengths if length <= 2)  # words; "a, b, c, then d() to fill e" says something
    if len(fragments) >= _LIST_FRAGMENTS and lengths[len(lengths) // 2] <= 2 and 2 * alone >= sum(lengths):
        return True
    said = words(unit)
    linking = sum(w in FUNCTION_WORDS for w in said)
    return len(said) >= 5 and linking == 0 and len(_VERB_LIKE.findall(unit)) <= len(said) // 8


def forms(reply: str) -> list[tuple[int, int]]:
    """Where lines file verdicts, as a table, a checklist or a record does: (start, end) of each block of lines without a gap
    that holds one. What stands in such a form was not said by the candidate, whoever wrote it."""
    blocks = [(m.start(), m.end()) for m in _BLOCK.finditer(reply)]
    return [(start, end) for start, end in blocks if any(_FILED.search(line) for line in reply[start:end].splitlines())]


def earning(reply: str, asked: str) -> tuple[Unit, ...]:
    """The sentences of ``reply`` that may earn something; ``asked``: the words of the question."""
    filed = forms(reply)
    return tuple(
        unit
        for unit in sentence_units(reply)
        if not any(start <= unit.start < end for start, end in filed)
        and not (
            addressed_to_grader(unit.text)
            or result_of_a_run(unit.text)
            or left_open(unit.text)
            or restates(unit.text, asked)
            or keyword_list(unit.text)
        )
    )
