"""The editor beside the conversation: running code and handing it in are two things, and earlier code can be put back.

What was typed and tried is kept by the browser, for the newest questions alone; what was handed in is in the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gradio as gr

from interviewer.surfaces.web.bench import Tried
from interviewer.surfaces.web.desk import Screen
from interviewer.surfaces.web.markup import markdown
from interviewer.surfaces.web.view import Attempt, View

Drafts = dict[str, dict[str, str]]  # by place: what stands in the boxes
Tries = dict[str, list[list[str]]]  # by place: attempts

_MOST_PLACES = 6
_MOST_TRIES = 20
_WAYS = "Esc, then Tab leaves the editor by keyboard."
# Keeps what is being typed for a question, and lets go of what was typed for old ones.
_KEEP = """(drafts, place, answer, code) => {
  const {[place]: _, ...others} = drafts ?? {};
  const newest = Object.entries(others).slice(-MOST);
  return {...Object.fromEntries(newest), [place]: {answer, code}};
}""".replace("MOST", str(_MOST_PLACES - 1))
_PUT_BACK = "(code, now) => code || now"


class Memory:
    """What the browser keeps. Has to stand where it is always shown: what stands in a hidden box is read too late."""

    def __init__(self) -> None:
        # Not secrets: fixed, so that a browser finds its own again when the server was started anew.
        self.drafts = gr.BrowserState({}, storage_key="interviewer-drafts", secret="interviewer")
        self.tries = gr.BrowserState({}, storage_key="interviewer-tries", secret="interviewer")


class Editor:
    def __init__(self, memory: Memory) -> None:
        self.drafts, self.tries = memory.drafts, memory.tries
        self.place = gr.Textbox(visible=False)  # of the question on the table
        self.starter = gr.Textbox(visible=False)
        with gr.Column(scale=1, min_width=320, visible=False, elem_id="code") as self.pane:
            self.code = gr.Code(
                language="python", label="Your code", interactive=True, lines=14, buttons=[], elem_id="editor"
            )
            with gr.Row(elem_id="code-row"):
                self.run = gr.Button("Run", elem_id="run", scale=0, min_width=80)
                self.submit = gr.Button("Submit", variant="primary", elem_id="submit", scale=0, min_width=90)
                self.stop = gr.Button("Stop", variant="stop", visible=False, elem_id="stop", scale=0, min_width=80)
                self.earlier = gr.Dropdown(
                    [], label="Earlier code", show_label=False, container=False, elem_id="earlier", filterable=False,
                    min_width=140, visible=False,
                )  # fmt: skip
                self.reset = gr.Button("Reset", elem_id="reset", scale=0, min_width=70)
            self.result = gr.HTML(_tip(), html_template='<div role="status">${value}</div>', elem_id="result")

    @property
    def outputs(self) -> list[Any]:
        return [
            *(self.place, self.starter, self.pane, self.code, self.run, self.submit, self.stop),
            *(self.earlier, self.reset, self.result),
        ]

    def wire(self, answer: gr.Textbox, sent: Sequence[Any]) -> None:
        """What needs no server: keeping what is typed, also once some was ``sent``, and putting back what was."""
        quiet: dict[str, Any] = {"fn": None, "show_progress": "hidden", "api_visibility": "private"}
        keep: dict[str, Any] = {
            **quiet,
            "js": _KEEP,
            "inputs": [self.drafts, self.place, answer, self.code],
            "outputs": self.drafts,
        }
        gr.on([answer.input, self.code.input], **keep)
        for each in sent:
            each.then(**keep)
        back = self.earlier.input(js=_PUT_BACK, inputs=[self.earlier, self.code], outputs=self.code, **quiet)
        reset = self.reset.click(js=_PUT_BACK, inputs=[self.starter, self.code], outputs=self.code, **quiet)
        for changed in (back, reset):
            changed.then(**keep)

    def show(self, screen: Screen, tries: Tries) -> dict[Any, Any]:
        view, idle = screen.view, not screen.pending
        shown: dict[str, Any] = {} if screen.code is None else {"value": screen.code}
        updates: dict[Any, Any] = {
            self.place: view.place,
            self.starter: view.starter,
            self.code: gr.Code(interactive=idle, **shown),
            self.run: gr.Button(interactive=idle),
            self.submit: gr.Button(interactive=idle),
            self.reset: gr.Button(interactive=idle, visible=bool(view.starter)),
            self.earlier: self.choices(view, tries),
        }
        if screen.code is not None:
            updates |= {self.pane: gr.Column(visible=bool(screen.code)), self.result: _tip()}
        return updates

    def as_typed(self, draft: dict[str, str]) -> dict[Any, Any]:
        """What stood in the editor when this question was last seen in this browser."""
        if not draft.get("code"):
            return {}
        return {self.code: gr.Code(draft["code"], interactive=True), self.pane: gr.Column(visible=True)}

    def show_run(self, tried: Tried) -> dict[Any, Any]:
        return {
            self.result: str(markdown(tried.told)),
            self.run: gr.Button(interactive=not tried.running),
            self.stop: gr.Button(visible=tried.can_stop),
        }

    def clear_result(self) -> dict[Any, Any]:
        """What the last run said is of no use any more."""
        return {self.result: _tip()}

    def choices(self, view: View, tries: Tries) -> Any:
        """What can be put back, the newest first."""
        found = attempts_at(view, tries)
        choices = [(f"{n}. {each.what}", each.code) for n, each in enumerate(found, 1)]
        return gr.Dropdown(choices=[("Put back…", ""), *reversed(choices)], value="", visible=bool(choices))


def attempts_at(view: View, tries: Tries) -> list[Attempt]:
    """What was run and handed in for the question on the table, in the order of time."""
    tried = [Attempt(*each) for each in tries.get(view.place, [])]
    return sorted([*tried, *view.attempts], key=lambda each: each.at)


def with_try(tries: Tries, place: str, attempt: Attempt) -> Tries:
    """``tries`` and one more, so many as are kept."""
    others = {name: kept for name, kept in tries.items() if name != place}
    newest = list(others)[-(_MOST_PLACES - 1) :]
    here: Sequence[list[str]] = [*tries.get(place, []), [attempt.at, attempt.what, attempt.code]]
    return {**{name: others[name] for name in newest}, place: list(here[-_MOST_TRIES:])}


def _tip() -> str:
    return f"<p class='tip'><b>Run</b> tries your code and doesn't count; <b>Submit</b> hands it in. {_WAYS}</p>"
