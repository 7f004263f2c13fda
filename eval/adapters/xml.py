"""One question a file, as XML: SemEval-2013 Task 7 (SciEntsBank, Beetle) and Short Answer Feedback (SAF).

    <question id module>  questionText, referenceAnswers/referenceAnswer[category], studentAnswers/studentAnswer
    SemEval:  <studentAnswer id accuracy="correct">the answer</studentAnswer>
    SAF:      <studentAnswer id>  response, score, verification_feedback

SemEval gives classes and no scores: right counts 1, ``partially_correct_incomplete`` a half, all else 0; compare classes
there. A file that declares entities is refused before any is expanded.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from eval.adapters.making import label_of, make_case, number, refused
from eval.cases import Case

_CREDIT = {
    "correct": 1.0,
    "partially_correct_incomplete": 0.5,
    "contradictory": 0.0,
    "incorrect": 0.0,
    "irrelevant": 0.0,
    "non_domain": 0.0,
}
_BEST = "BEST"


def read_xml(path: Path) -> list[Case]:
    """All student answers to the one question of the file."""
    root, lines = parse(path)
    if root.tag != "question":
        raise refused(f"{path}:{lines[root]}", f"its root is <{root.tag}> and not <question>")
    question = _words(root.find("questionText"))
    references = root.findall("referenceAnswers/referenceAnswer")
    answers = root.findall("studentAnswers/studentAnswer")
    if not question or not references or not answers:
        missing = "question text" if not question else "reference answer" if not references else "student answer"
        raise refused(f"{path}:{lines[root]}", f"the question has no {missing}")
    best = [r for r in references if r.get("category", "").upper() == _BEST] or references
    common = {"question": question, "reference": _words(best[0]), "question_id": root.get("id", "")}
    if answers[0].get("accuracy") is not None:
        return [_of_semeval(f"{path}:{lines[answer]}", answer, common) for answer in answers]
    return _of_saf(path, answers, lines, common)


def _of_semeval(place: str, answer: Element, common: dict[str, str]) -> Case:
    label = label_of(answer.get("accuracy", ""))
    if label not in _CREDIT:
        raise refused(place, f"accuracy is none of {', '.join(_CREDIT)}: {answer.get('accuracy')!r}")
    return make_case(place, id=answer.get("id", ""), answer=_words(answer), score=_CREDIT[label], label=label, **common)


def _of_saf(path: Path, answers: list[Element], lines: dict[Element, int], common: dict[str, str]) -> list[Case]:
    graded = []
    for answer in answers:
        place = f"{path}:{lines[answer]}"
        label = label_of(_words(answer.find("verification_feedback")))
        graded.append((place, answer, label, number(place, "score", _words(answer.find("score")))))
    most = full_score([(label, score) for _, _, label, score in graded])
    return [
        make_case(
            place,
            id=answer.get("id", ""),
            answer=_words(answer.find("response")),
            score=score,
            max_score=most,
            label=label,
            **common,
        )
        for place, answer, label, score in graded
    ]


def full_score(graded: list[tuple[str, float]]) -> float:
    """What a SAF question gives at most, from (class, score) of its answers. The set doesn't say; it calls the full score
    ``correct``, and since its second version some questions give more than 1."""
    right = [score for label, score in graded if label == "correct"]
    return max([*(right or [1.0]), *(score for _, score in graded)])


def parse(path: Path) -> tuple[Element, dict[Element, int]]:
    """The root, and the line of each element. Raises UsageError for what is no XML and for a declared entity: a few of
    them, nested, fill any memory, and no set uses one."""
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    lines: dict[Element, int] = {}

    def start(tag: str, attributes: dict[str, str]) -> None:
        lines[builder.start(tag, attributes)] = parser.CurrentLineNumber

    def entity(*_: object) -> None:
        raise refused(f"{path}:{parser.CurrentLineNumber}", "it declares an entity, which no file of these sets does")

    parser.StartElementHandler = start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(path.read_bytes(), True)
    except OSError as error:
        raise refused(path, f"it can't be read: {error.strerror or error}") from error
    except expat.ExpatError as error:
        raise refused(f"{path}:{error.lineno}", f"this is no XML: {expat.errors.messages[error.code]}") from error
    return builder.close(), lines


def _words(element: Element | None) -> str:
    return "" if element is None else "".join(element.itertext()).strip()
