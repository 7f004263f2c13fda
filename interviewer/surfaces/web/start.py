"""What to choose before an interview begins. Every choice has a good default, and the browser remembers what was chosen."""

from __future__ import annotations

from typing import Any

import gradio as gr
from pydantic import ValidationError

from interviewer.interview.roles import JobRole
from interviewer.models import Level, Plan, Topic, Value

MINUTES = (15, 30, 45, 60, 90)
_MODES = [("Practice: feedback after every question", "each"), ("Exam: feedback in the report, at the end", "end")]
_INTRO = (
    "## A mock interview\n\nYou answer in your own words, and in code where it is asked for. Every point that counts is "
    "counted by words you said or by a run of your code."
)


class Choice(Value):
    """What was chosen, as the browser keeps it."""

    role: JobRole = JobRole.GENERALIST
    level: Level = Level.MID
    topics: tuple[Topic, ...] = ()
    minutes: int = 30
    feedback: str = "each"
    code: bool = True

    @property
    def plan(self) -> Plan:
        return Plan.model_validate(self.model_dump(exclude={"role"}))


def choice_of(*values: Any) -> Choice:
    """From the boxes, in the order of ``Start.inputs``."""
    return Choice.model_validate(dict(zip(Choice.model_fields, values, strict=True)))


class StartPanel:
    def __init__(self) -> None:
        first = Choice()
        # Not a secret: fixed, so that a browser knows its choice again when the server was started anew.
        self.kept = gr.BrowserState({}, storage_key="interviewer-choice", secret="interviewer")
        with gr.Column(visible=False, elem_id="start") as self.panel:
            gr.Markdown(_INTRO, elem_id="intro")
            self.last = gr.HTML(visible=False, elem_id="last")
            self.role = gr.Radio([role.value for role in JobRole], value=first.role.value, label="Role")
            self.level = gr.Radio([level.value for level in Level], value=first.level.value, label="Level")
            self.topics = gr.CheckboxGroup(
                [t.value for t in Topic],
                label="Topics",
                elem_id="topics",
                info="A role ticks its own; change them as you like. With none ticked, all are asked.",
            )
            self.minutes = gr.Radio([(f"{m} min", m) for m in MINUTES], value=first.minutes, label="Time")
            self.feedback = gr.Radio(_MODES, value=first.feedback, label="Feedback")
            self.code = gr.Checkbox(first.code, label="With coding tasks", elem_id="with-code")
            with gr.Row(elem_id="begin-row"):
                self.begin = gr.Button("Begin", variant="primary", elem_id="begin", scale=0, min_width=160)
                self.due = gr.Button("What is due again", scale=0, min_width=140)
                self.worst = gr.Button("What I am worst at", scale=0, min_width=140)

    @property
    def inputs(self) -> list[Any]:
        return [self.role, self.level, self.topics, self.minutes, self.feedback, self.code]

    @property
    def outputs(self) -> list[Any]:
        return [self.panel, self.last, self.kept, *self.inputs]

    def wire(self) -> None:
        """What happens without a session: a role ticks its topics."""
        self.role.input(
            lambda role: [topic.value for topic in JobRole(role).topics],
            self.role,
            self.topics,
            show_progress="hidden",
            api_visibility="private",
        )

    def show(self, last: str = "") -> dict[Any, Any]:
        """``last``: the session that ended last in this browser."""
        link = (
            f'<p>Your last interview has ended. <a href="/?session={last}">Its report</a> is kept.</p>' if last else ""
        )
        return {self.panel: gr.Column(visible=True), self.last: gr.HTML(link, visible=bool(last))}

    def hide(self) -> dict[Any, Any]:
        return {self.panel: gr.Column(visible=False)}

    def as_kept(self, kept: object) -> dict[Any, Any]:
        """What was chosen last time in this browser, as far as it is still on offer."""
        try:
            values = Choice.model_validate(kept or {}).model_dump(mode="json")
        except ValidationError:  # of an older page
            return {}
        return {box: values[name] for name, box in zip(Choice.model_fields, self.inputs, strict=True)}
