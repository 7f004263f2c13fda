"""The JSON Schema of a question file's front matter, made from the models so that it can't drift from them."""

from __future__ import annotations

from typing import Any

from interviewer.models import Question, Task

_FROM_SECTIONS = {
    Question: ("references", "experiments", "derived"),
    Task: ("starter", "judge", "solution", "submissions"),
}


def question_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) for what stands between the two ``---`` lines of a question file."""
    schema = Question.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Front matter of a question file"
    _drop(schema, _FROM_SECTIONS[Question])
    _drop(schema["$defs"]["Task"], _FROM_SECTIONS[Task])
    for name in ("Reference", "Experiment", "Submission"):
        schema["$defs"].pop(name)
    return schema


def _drop(schema: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        schema["properties"].pop(name)
        if name in schema.get("required", []):
            schema["required"].remove(name)
