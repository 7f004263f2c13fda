"""The interview's page in Gradio: its parts, and which door of the desk each of their buttons calls.

The session's id, the last turn shown and a fresh key for every message live in the browser, so that a page left open goes on after
the server was started anew. Every event asks anew whose it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr

from interviewer.access import Person
from interviewer.interview.plan import Wish
from interviewer.surfaces.web.at_once import TOO_MANY, AtOnce, in_place
from interviewer.surfaces.web.bench import Bench
from interviewer.surfaces.web.changes import only_changed
from interviewer.surfaces.web.desk import Desk, Screen, Start
from interviewer.surfaces.web.editor import Drafts, Editor, Memory, Tries
from interviewer.surfaces.web.head import head_of
from interviewer.surfaces.web.report_tab import ReportTab, dispute_of
from interviewer.surfaces.web.runs import Runs, asks
from interviewer.surfaces.web.scripts import (
    COUNT_TIME,
    FRESH_KEY,
    LOOK_AT_ANSWER,
    LOOK_AT_RUN,
    LOOK_AT_START,
    NAME_SESSION,
)
from interviewer.surfaces.web.start import StartPanel, choice_of
from interviewer.surfaces.web.talk import Talk, status_html

Updates = dict[Any, Any]

_TURNS_AT_ONCE = 24  # of each kind of event, over all browsers
_THREADS = 64  # of Gradio's own; with its usual 40 it would take those in which all other requests are answered
_NOTHING_TO_SAY = "Say first what the grade misses; nothing was sent yet."
_QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


class Page:
    def __init__(self, desk: Desk, bench: Bench):
        self._desk, self._bench, self._at_once = desk, bench, AtOnce()
        with gr.Blocks(title="PyTorch interview", analytics_enabled=False, fill_height=True) as self.blocks:
            self._lay_out()
            self._wire()
        self.blocks.max_threads = _THREADS
        self.blocks.queue(default_concurrency_limit=_TURNS_AT_ONCE)

    # --- what there is ----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        # Not a secret: fixed, so that a browser knows its session again when the server was started anew.
        self.session = gr.BrowserState("", storage_key="interviewer-session", secret="interviewer")
        self.shown = gr.Textbox(visible=False)  # the session on the screen; empty while another one is chosen
        self.seen = gr.Number(-1, precision=0, visible=False)
        self.key = gr.Textbox(visible=False)
        self.clock = gr.Timer(5)
        with gr.Row(elem_id="top"):
            self.head = gr.HTML(elem_id="head")
            self.status = gr.HTML(elem_id="status")
        self.notice = gr.Markdown(visible=False, elem_id="notice")
        self.start = StartPanel()
        memory = Memory()
        with gr.Column(visible=False, elem_id="room") as self.room, gr.Tabs(elem_id="tabs") as self.tabs:
            with gr.Tab("Interview", id="interview"), gr.Row(elem_id="desk"):
                with gr.Column(scale=1, min_width=320, elem_id="talk"):
                    self.talk = Talk()
                self.editor = Editor(memory)
                self.runs = Runs(self._desk, self._bench, self._at_once, self.editor)
            with gr.Tab("Report", id="report", visible=False) as self.report_tab, gr.Column(elem_id="report-pane"):
                self.report = ReportTab()

    def _outputs(self) -> list[Any]:
        own = [self.session, self.shown, self.seen, self.head, self.status, self.notice]
        return [
            *own,
            self.room,
            self.tabs,
            self.report_tab,
            *self.start.outputs,
            *self.talk.outputs,
            *self.editor.outputs,
            *self.report.outputs,
        ]

    # --- what it does -----------------------------------------------------------------------------

    def _wire(self) -> None:
        spoken = [self.key, self.shown, self.seen, self.editor.tries]
        sending: dict[str, Any] = {"outputs": self._outputs(), "js": FRESH_KEY, **_QUIET}
        self.start.wire()
        self.talk.wire()

        kept = [self.session, self.start.kept, self.editor.drafts, self.editor.tries]
        opened = self.blocks.load(self._open, kept, self._outputs(), **_QUIET)
        opened.then(self._desk.warm, api_visibility="private")
        buttons = {self.start.begin: None, self.start.due: Wish.DUE, self.start.worst: Wish.WORST}
        begun = [
            button.click(self._beginning(wish), self.start.inputs, self._outputs(), **_QUIET)
            for button, wish in buttons.items()
        ]
        for shown in (opened, *begun):
            shown.then(fn=None, js=NAME_SESSION, inputs=[self.shown], **_QUIET)
            self._then(shown, LOOK_AT_ANSWER)
        self._then(opened, LOOK_AT_START)

        asked = {button: word.lower() for word, button in self.talk.requests.items()} | {self.talk.end_now: "end"}
        for button, word in asked.items():
            self._then(button.click(self._asking_for(word), spoken, **sending), LOOK_AT_ANSWER)
        answered = gr.on(
            [self.talk.answer.submit, self.talk.send.click], self._answer, [*spoken, self.talk.answer], **sending
        )
        submitted = self.editor.submit.click(self._submit, [*spoken, self.talk.answer, self.editor.code], **sending)
        for sent in (answered, submitted):
            self._then(sent, LOOK_AT_ANSWER)
        self.editor.wire(self.talk.answer, [answered, submitted])
        self.report.dispute.click(self._dispute, [*spoken, self.report.which, self.report.why], **sending)
        self.talk.write_code.click(lambda: gr.Column(visible=True), None, self.editor.pane, **_QUIET)
        self._then(self.runs.wire(self.shown), LOOK_AT_RUN)
        self.clock.tick(fn=None, js=COUNT_TIME, **_QUIET)

    def _then(self, done: Any, script: str) -> None:
        done.then(fn=None, js=script, api_visibility="private")

    def _open(self, session: str, kept: object, drafts: Drafts, tries: Tries, request: gr.Request) -> Iterator[Updates]:
        person = asks(request)
        asked, afresh = request.query_params.get("session", ""), "new" in request.query_params

        def steps() -> Iterator[Updates]:
            for screen in self._desk.open(person, asked, session, afresh=afresh):
                updates = self._updates(screen, person, tries) | {self.head: head_of(person)}
                if isinstance(screen, Start):
                    updates |= self.start.as_kept(kept)
                elif screen.view.ended:
                    updates[self.tabs] = gr.Tabs(selected="report")
                elif not screen.pending:
                    draft = drafts.get(screen.view.place, {})
                    updates |= self.talk.as_typed(draft) | self.editor.as_typed(draft)
                yield updates

        yield from in_place(self._at_once, person, steps(), {self.head: head_of(person)} | self._told(TOO_MANY))

    def _beginning(self, wish: Wish | None) -> Callable[..., Iterator[Updates]]:
        def begin(
            role: str, level: str, topics: list[str], minutes: int, feedback: str, code: bool, request: gr.Request
        ) -> Iterator[Updates]:
            person = asks(request)
            choice = choice_of(role, level, topics, minutes, feedback, code)
            kept = {self.start.kept: choice.model_dump(mode="json")}
            steps = (self._updates(screen, person, {}) | kept for screen in self._desk.begin(person, choice.plan, wish))
            yield from in_place(self._at_once, person, steps, self._told(TOO_MANY))

        return begin

    def _asking_for(self, word: str) -> Callable[..., Iterator[Updates]]:
        def ask(key: str, session: str, seen: int, tries: Tries, request: gr.Request) -> Iterator[Updates]:
            yield from self._reply(request, key, session, seen, tries, word, keep_typed=True)

        return ask

    def _answer(
        self, key: str, session: str, seen: int, tries: Tries, text: str, request: gr.Request
    ) -> Iterator[Updates]:
        if text.strip():
            yield from self._reply(request, key, session, seen, tries, text)

    def _submit(
        self, key: str, session: str, seen: int, tries: Tries, text: str, code: str, request: gr.Request
    ) -> Iterator[Updates]:
        if code.strip():
            for updates in self._reply(request, key, session, seen, tries, text, code):
                yield updates | self.editor.clear_result()

    def _dispute(
        self, key: str, session: str, seen: int, tries: Tries, number: int | None, why: str, request: gr.Request
    ) -> Iterator[Updates]:
        if number is None or not why.strip():
            yield self._told(_NOTHING_TO_SAY)
            return
        done = {self.report.why: ""}
        yield from self._reply(request, key, session, seen, tries, dispute_of(number, why), keep_typed=True, done=done)

    def _reply(
        self,
        request: gr.Request,
        key: str,
        session: str,
        seen: int,
        tries: Tries,
        text: str,
        code: str = "",
        keep_typed: bool = False,
        done: Updates | None = None,
    ) -> Iterator[Updates]:
        """``done``: what else changes once it was answered."""
        person = asks(request)

        def steps() -> Iterator[Updates]:
            going = False
            for screen in self._desk.reply(person, session, text, code, key=key, after=seen):
                updates = self._updates(screen, person, tries, keep_typed=keep_typed)
                if isinstance(screen, Screen):
                    going = going or not screen.view.ended
                    if going and screen.view.ended:
                        updates[self.tabs] = gr.Tabs(selected="report")
                    if done and not screen.pending and not screen.notice:
                        updates |= done
                yield updates

        yield from in_place(self._at_once, person, only_changed(steps()), self._told(TOO_MANY))

    # --- what it shows ----------------------------------------------------------------------------

    def _told(self, notice: str) -> Updates:
        return {self.notice: gr.Markdown(notice, visible=bool(notice))}

    def _updates(self, screen: Start | Screen, person: Person, tries: Tries, *, keep_typed: bool = False) -> Updates:
        notice = self._told(screen.notice)
        if isinstance(screen, Start):
            gone = {self.shown: "", self.room: gr.Column(visible=False), self.status: ""}
            return {**notice, **gone, **self.start.show(screen.last)}
        view = screen.view
        return {
            **notice,
            **self.start.hide(),
            self.session: view.session,
            self.shown: view.session,
            self.seen: view.seen,
            self.status: status_html(view.status),
            self.room: gr.Column(visible=True),
            self.report_tab: gr.Tab(visible=view.ended),
            **self.talk.show(screen, keep_typed=keep_typed),
            **self.editor.show(screen, tries),
            **self.report.show(screen, person),
        }
