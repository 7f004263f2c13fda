"""Question files (Markdown with front matter) into Questions.

Promises that every mistake in every file is reported at once, each with file and line, and that a corpus
with a mistake yields no questions at all. Does not run the code of tasks: the tests do that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin
from pydantic import ValidationError

from interviewer.bank.sections import CODE_SECTIONS, PROSE_SECTIONS, Sections, read_sections
from interviewer.bundled import bundled
from interviewer.errors import BankError, Mistake
from interviewer.markdown import one_line
from interviewer.models import Question, Reference
from interviewer.settings import Settings

BANK_SOURCE = "bank"

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML was built with it, is ten times quicker
_markdown = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)


def bundled_corpus() -> Path:
    """The folder of the questions that come with the package."""
    return bundled("corpus")


@cache
def own_questions() -> tuple[Question, ...]:
    """The bundled bank, read once a process."""
    return read_corpus(bundled_corpus())


def questions_of(settings: Settings) -> tuple[Question, ...]:
    """Those of the folder that ``settings`` name, or the bundled ones."""
    return read_corpus(settings.corpus) if settings.corpus else own_questions()


def read_corpus(folder: Path) -> tuple[Question, ...]:
    """All questions below ``folder``, sorted by id. Raises BankError with every mistake found."""
    paths = sorted(folder.rglob("*.md"))
    if not paths:
        raise BankError([Mistake(str(folder), 1, "there is no question file (*.md) in this folder")])
    mistakes: list[Mistake] = []
    questions: dict[str, Question] = {}
    places: dict[str, Path] = {}
    for path in paths:
        question = _read_question(path, mistakes)
        if question is None:
            continue
        if question.id in questions:
            mistakes.append(Mistake(str(path), 1, f"the id {question.id!r} is taken by {places[question.id]}"))
        questions[question.id], places[question.id] = question, path
    for question in questions.values():
        for unknown in sorted(set(question.prerequisites) - {p.stem for p in paths}):
            place = str(places[question.id])
            mistakes.append(Mistake(place, 1, f"prerequisites: there is no question {unknown!r}"))
    if mistakes:
        raise BankError(mistakes)
    return tuple(sorted(questions.values(), key=lambda q: q.id))


def _read_question(path: Path, mistakes: list[Mistake]) -> Question | None:
    """One file; appends to ``mistakes`` and returns None where it has any."""
    file = _QuestionFile.parse(path, mistakes)
    if file is None:
        return None
    data = file.merged()
    before = len(mistakes)
    try:
        question = Question.model_validate(data)
    except ValidationError as error:
        mistakes.extend(Mistake(str(path), file.line_of(e["loc"]), _sentence(e)) for e in error.errors())
        return None
    for at, submission in enumerate(question.task.submissions if question.task else ()):
        if unknown := sorted(set(submission.fails) - set(question.task.names if question.task else ())):
            message = f"{submission.name}: there is no check {', '.join(unknown)} that it could fail"
            mistakes.append(Mistake(str(path), file.line_of(("task", "submissions", at)), message))
    if question.id != path.stem:
        mistakes.append(Mistake(str(path), file.line_of(("id",)), f"the file of {question.id!r} must be named so"))
    return question if len(mistakes) == before and not file.broken else None


@dataclass
class _QuestionFile:
    path: Path
    front: dict[str, Any]
    nodes: yaml.MappingNode
    sections: Sections
    broken: bool

    @classmethod
    def parse(cls, path: Path, mistakes: list[Mistake]) -> _QuestionFile | None:
        before = len(mistakes)
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            mistakes.append(Mistake(str(path), 1, f"not UTF-8 (byte {error.start})"))
            return None
        tokens = _markdown.parse(text)
        if not tokens or tokens[0].type != "front_matter":
            mistakes.append(Mistake(str(path), 1, "a question file begins with front matter between two lines of ---"))
            return None
        try:
            loader = _Loader(tokens[0].content)
            node = loader.get_single_node()
            front: dict[str, Any] = loader.construct_document(node) if isinstance(node, yaml.MappingNode) else {}
        except (yaml.YAMLError, ValueError) as error:  # ValueError: a date that no calendar has
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or one_line(str(error))
            mistakes.append(Mistake(str(path), mark.line + 2 if mark else 1, f"front matter: {problem}"))
            return None
        if not isinstance(node, yaml.MappingNode):
            mistakes.append(Mistake(str(path), 1, "front matter must be a list of `key: value` lines"))
            return None
        _find_doubled_keys(node, path, mistakes)
        sections, wrong = read_sections(tokens, text.splitlines(), has_task="task" in front)
        mistakes.extend(Mistake(str(path), line, message) for line, message in wrong)
        return cls(path, front, node, sections, broken=len(mistakes) > before)

    def merged(self) -> dict[str, Any]:
        """Front matter and sections as one mapping, ready for Question."""
        data = dict(self.front)
        data["references"] = [
            Reference(source=BANK_SOURCE, text=self.sections.texts[name].content)
            for name in PROSE_SECTIONS
            if name in self.sections.texts
        ]
        data["experiments"] = [experiment.content for experiment in self.sections.experiments]
        if isinstance(data.get("task"), dict):
            texts = self.sections.texts
            code = {name.lower(): texts[name].content for name in CODE_SECTIONS if name in texts}
            submissions = [submission.content for submission in self.sections.submissions]
            data["task"] = {**data["task"], **code, "submissions": submissions}
        return data

    def line_of(self, loc: tuple[int | str, ...]) -> int:
        """The line on which the value at ``loc`` stands, or its nearest parent's."""
        if loc[:2] == ("task", "submissions") and len(loc) > 2 and isinstance(loc[2], int):
            return self.sections.submissions[loc[2]].line
        if loc[:1] == ("experiments",) and len(loc) > 1 and isinstance(loc[1], int):
            return self.sections.experiments[loc[1]].line
        node: yaml.Node = self.nodes
        line = 2
        for step in loc:
            if isinstance(node, yaml.MappingNode):
                match = next(((k, v) for k, v in node.value if k.value == step), None)
                if match is None:
                    break
                line, node = match[0].start_mark.line + 2, match[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                line = node.start_mark.line + 2
        return line


def _find_doubled_keys(node: yaml.Node, path: Path, mistakes: list[Mistake]) -> None:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                mistakes.append(Mistake(str(path), key.start_mark.line + 2, f"{key.value} stands twice"))
            seen.add(key.value)
            _find_doubled_keys(value, path, mistakes)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _find_doubled_keys(value, path, mistakes)


def _sentence(error: Any) -> str:
    where = ".".join(str(step) for step in error["loc"])
    message = error["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message
