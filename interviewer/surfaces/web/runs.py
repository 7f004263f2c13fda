"""Run and Stop: what the editor's two buttons do that hand nothing in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gradio as gr

from interviewer.access import Person
from interviewer.surfaces.web.at_once import TOO_MANY, AtOnce, in_place
from interviewer.surfaces.web.bench import Bench, Tried
from interviewer.surfaces.web.desk import Desk
from interviewer.surfaces.web.editor import Editor, Tries, with_try
from interviewer.surfaces.web.guard import signed_in

Updates = dict[Any, Any]

_NOT_KEPT = "This interview is not kept here any more, so nothing was run. Your code is as you left it."
_NO_CODE = "There is no code yet that could be run."


class Runs:
    def __init__(self, desk: Desk, bench: Bench, at_once: AtOnce, editor: Editor):
        self._desk, self._bench, self._at_once, self._editor = desk, bench, at_once, editor

    def wire(self, shown: gr.Textbox) -> Any:
        """The event of a run that has ended. ``shown``: the session on the screen."""
        editor = self._editor
        quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        outputs = [editor.result, editor.run, editor.stop, editor.tries, editor.earlier]
        editor.stop.click(self._stop, [shown], editor.stop, **quiet)
        return editor.run.click(self._run, [shown, editor.place, editor.tries, editor.code], outputs, **quiet)

    def _run(self, session: str, place: str, tries: Tries, code: str, request: gr.Request) -> Iterator[Updates]:
        person, editor = asks(request), self._editor
        view = self._desk.view(person, session)
        if view is None or not code.strip():
            yield editor.show_run(Tried(_NO_CODE if view else _NOT_KEPT))
            return

        def steps() -> Iterator[Updates]:
            for tried in self._bench.try_(session, code):
                updates = editor.show_run(tried)
                if tried.attempt:
                    kept = with_try(tries, place, tried.attempt)
                    updates |= {editor.tries: kept, editor.earlier: editor.choices(view, kept)}
                yield updates

        yield from in_place(self._at_once, person, steps(), editor.show_run(Tried(TOO_MANY)))

    def _stop(self, session: str, request: gr.Request) -> Any:
        if self._desk.view(asks(request), session):
            self._bench.stop(session)
        return gr.Button(visible=False)


def asks(request: gr.Request) -> Person:
    """Who it is; asked at every event, since a page may be open longer than anybody is signed in."""
    assert request.request is not None, "Gradio hands it to every event"
    return signed_in(request.request)
