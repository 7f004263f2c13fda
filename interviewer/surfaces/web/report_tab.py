"""The report in a tab of its own: what it says, in which forms it can be taken along, and the way to a person who looks again."""

from __future__ import annotations

import re
from typing import Any

import gradio as gr

from interviewer.access import Person
from interviewer.markdown import one_line
from interviewer.models import Report
from interviewer.surfaces.report_html import report_body
from interviewer.surfaces.web.desk import Screen

_FORMS = {"pdf": "PDF", "html": "HTML", "md": "Markdown", "json": "JSON"}
_MOST_SHOWN = 90  # characters of a question in the list of those that can be disputed
_QUESTION_LINK = re.compile(r'<a href="#([\w-]+)"><code>')


class ReportTab:
    def __init__(self) -> None:
        self.ways = gr.HTML(elem_id="ways")
        self.body = gr.HTML(elem_id="report")
        with gr.Column(elem_id="dispute", visible=False) as self.disputing:
            gr.Markdown("## Disagree with a grade?\n\nSay why, and a person will look at it with your words beside it.")
            self.which = gr.Dropdown([], label="Question", elem_id="which", filterable=False)
            self.why = gr.Textbox(label="What the grade misses", lines=2, max_lines=8, elem_id="why")
            self.dispute = gr.Button("Dispute the grade", elem_id="file-dispute", scale=0, min_width=160)

    @property
    def outputs(self) -> list[Any]:
        return [self.ways, self.body, self.disputing, self.which, self.why]

    def show(self, screen: Screen, person: Person) -> dict[Any, Any]:
        report = screen.view.report
        if report is None:
            return {self.ways: "", self.body: "", self.disputing: gr.Column(visible=False)}
        questions = [(f"{n}. {_short(a.text)}", n) for n, a in enumerate(report.answered, 1)]
        return {
            self.ways: ways_html(report),
            self.body: body_html(report, person),
            self.disputing: gr.Column(visible=bool(questions)),
            self.which: gr.Dropdown(choices=questions, value=1 if questions else None),
        }


def ways_html(report: Report) -> str:
    """Links to the report in its other forms, and to the replay."""
    at = f"/sessions/{report.session}"
    forms = " ".join(f'<a href="{at}/report.{ending}" download>{name}</a>' for ending, name in _FORMS.items())
    return f'<p class="ways"><span>Download</span> {forms} <a class="replay" href="{at}/replay">Replay the interview</a></p>'


def body_html(report: Report, person: Person) -> str:
    """What there is to study leads into the bank where somebody may look at it, else to the question in this report."""
    body = report_body(report)
    if not person.may_administer:
        return body
    return _QUESTION_LINK.sub(r'<a href="/bank/\1"><code>', body)


def dispute_of(number: int, why: str) -> str:
    """The message that disputes a grade."""
    return f"dispute question {number}: {one_line(why)}"


def _short(question: str) -> str:
    line = one_line(question)
    return line if len(line) <= _MOST_SHOWN else line[: _MOST_SHOWN - 1].rsplit(" ", 1)[0] + "…"
