"""The page's boxes and buttons in Gradio, and which of the desk's doors each of them calls.

The session's id, the last turn shown and a fresh key for every message live in the browser, so that a page left
open goes on after the server was started anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import gradio as gr

from interviewer.models import Level, Plan, Topic
from interviewer.surfaces.web.desk import Desk, Screen

Updates = dict[Any, Any]

REQUESTS = ("Hint", "Repeat", "Skip", "Dispute", "End")
_TURNS_AT_ONCE = 8  # of each kind of event, over all browsers
_KEPT_FOR = 24 * 3600  # seconds: copies of reports that Gradio made for a download

_FRESH_KEY = (
    "(key, ...rest) => [Array.from(crypto.getRandomValues(new Uint32Array(4)), n => n.toString(16)).join('-'), ...rest]"
)
_NAME_SESSION = """(session) => {
  const address = new URL(location);
  address.searchParams.set('session', session);
  history.replaceState(null, '', address);
}"""
# Gradio scrolls to the end of the talk; of an answer taller than the window one wants to read the beginning.
_LOOK = """() => setTimeout(() => {
  const talk = document.querySelector('#chat [role=log]');
  const last = talk && [...talk.querySelectorAll('.message.bot')].at(-1);
  if (last && last.offsetHeight > talk.clientHeight)
    talk.scrollTop += last.getBoundingClientRect().top - talk.getBoundingClientRect().top - 16;
  if (matchMedia('(pointer: fine)').matches) document.querySelector('#answer textarea')?.focus({preventScroll: true});
}, 250)"""


class Page:
    def __init__(self, desk: Desk):
        self._desk = desk
        with gr.Blocks(
            title="PyTorch interview", analytics_enabled=False, fill_height=True, delete_cache=(_KEPT_FOR, _KEPT_FOR)
        ) as self.blocks:
            self._lay_out()
            self._wire()
        self.blocks.queue(default_concurrency_limit=_TURNS_AT_ONCE)

    # --- what there is ----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        # Not secrets: fixed, so that a browser knows its session again when the server was started anew.
        self.session = gr.BrowserState("", storage_key="interviewer-session", secret="interviewer")
        self.seen = gr.Number(-1, precision=0, visible=False)
        self.key = gr.Textbox(visible=False)
        self.clock = gr.Timer(30)
        with gr.Row(elem_id="top"):
            gr.Markdown("# PyTorch interview", elem_id="title")
            self.status = gr.Markdown(elem_id="status")
        with gr.Tabs(selected="interview", elem_id="tabs") as self.tabs:
            with gr.Tab("Interview", id="interview"):
                self._lay_out_interview()
            with gr.Tab("Report", id="report", interactive=False) as self.report_tab:
                self.download = gr.DownloadButton("Download as Markdown", size="sm", elem_id="download")
                self.report = gr.Markdown(elem_id="report", latex_delimiters=[], line_breaks=False)
            with gr.Tab("New interview", id="new"):
                self._lay_out_plan()

    def _lay_out_interview(self) -> None:
        with gr.Row(elem_id="desk"):
            with gr.Column(scale=3, min_width=320, elem_id="talk"):
                self.chat = gr.Chatbot(
                    label="Conversation",
                    show_label=False,
                    elem_id="chat",
                    height="100%",
                    placeholder="Choosing your first question",
                    buttons=[],
                    feedback_options=None,
                    latex_delimiters=[],
                    allow_tags=False,
                    group_consecutive_messages=False,
                )
                self.notice = gr.Markdown(visible=False, elem_id="notice")
                with gr.Row(elem_id="say"):
                    self.answer = gr.Textbox(
                        label="Your answer",
                        placeholder="Your answer. Enter sends, Shift+Enter begins a new line.",
                        lines=1,
                        max_lines=12,
                        show_label=False,
                        container=False,
                        elem_id="answer",
                        scale=1,
                    )
                    self.send = gr.Button("Send", variant="primary", scale=0, min_width=80)
                with gr.Row(elem_id="requests"):
                    self.requests = {word: gr.Button(word, size="sm", scale=0, min_width=60) for word in REQUESTS}
                    self.write_code = gr.Button("Write code", size="sm", scale=0, min_width=90, elem_id="write-code")
            with gr.Column(scale=2, min_width=320, visible=False, elem_id="code") as self.code_pane:
                self.code = gr.Code(
                    language="python", label="Your code", interactive=True, lines=18, buttons=[], elem_id="editor"
                )
                self.send_code = gr.Button("Send code", variant="primary")

    def _lay_out_plan(self) -> None:
        plan = Plan()
        with gr.Column(elem_id="plan"):
            self.level = gr.Radio([level.value for level in Level], value=plan.level.value, label="Level")
            self.topics = gr.CheckboxGroup([t.value for t in Topic], label="Topics", info="None ticked: all of them.")
            self.minutes = gr.Slider(5, 180, value=plan.minutes, step=5, label="Minutes")
            self.with_code = gr.Checkbox(plan.code, label="With questions that want code")
            self.new = gr.Button("New interview", variant="primary")

    # --- what it does -----------------------------------------------------------------------------

    def _wire(self) -> None:
        spoken = [self.key, self.session, self.seen]
        common: dict[str, Any] = {"outputs": self._outputs(), "show_progress": "hidden", "api_visibility": "private"}
        sending: dict[str, Any] = {**common, "js": _FRESH_KEY}
        named = {"fn": None, "js": _NAME_SESSION, "inputs": [self.session], "api_visibility": "private"}

        opened = self.blocks.load(self._open, [self.session], **common)
        opened.then(self._desk.warm, api_visibility="private")
        begun = self.new.click(self._begin, [self.level, self.topics, self.minutes, self.with_code], **common)
        for shown in (opened, begun):
            shown.then(**named)
            self._then_look(shown)
        for button, word in [(button, word) for word, button in self.requests.items()]:
            self._then_look(button.click(partial(self._request, word), spoken, **sending))
        self._then_look(gr.on([self.answer.submit, self.send.click], self._answer, [*spoken, self.answer], **sending))
        self._then_look(self.send_code.click(self._code, [*spoken, self.answer, self.code], **sending))
        self.write_code.click(
            lambda: gr.Column(visible=True), None, self.code_pane, show_progress="hidden", api_visibility="private"
        )
        self.clock.tick(
            self._desk.status, [self.session], [self.status], show_progress="hidden", api_visibility="private"
        )

    def _then_look(self, sent: Any) -> None:
        sent.then(fn=None, js=_LOOK, api_visibility="private")

    def _open(self, session: str, request: gr.Request) -> Iterator[Updates]:
        yield from map(self._updates, self._desk.open(request.query_params.get("session", ""), session))

    def _begin(self, level: str, topics: list[str], minutes: int, code: bool) -> Iterator[Updates]:
        plan = Plan(level=Level(level), topics=tuple(map(Topic, topics)), minutes=minutes, code=code)
        for screen in self._desk.begin(plan):
            yield {**self._updates(screen), self.tabs: gr.Tabs(selected="interview")}

    def _request(self, word: str, key: str, session: str, seen: int) -> Iterator[Updates]:
        for screen in self._desk.reply(session, word.lower(), key=key, after=seen):
            yield self._updates(replace(screen, text=None))  # what is being typed stays

    def _answer(self, key: str, session: str, seen: int, text: str) -> Iterator[Updates]:
        if text.strip():
            yield from map(self._updates, self._desk.reply(session, text, key=key, after=seen))

    def _code(self, key: str, session: str, seen: int, text: str, code: str) -> Iterator[Updates]:
        if code.strip():
            yield from map(self._updates, self._desk.reply(session, text, code, key=key, after=seen))

    # --- what it shows ----------------------------------------------------------------------------

    def _outputs(self) -> list[Any]:
        return [
            *(self.session, self.seen, self.status, self.chat, self.notice, self.answer, self.code_pane, self.code),
            *(self.send, self.send_code, self.write_code, *self.requests.values()),
            *(self.tabs, self.report_tab, self.report, self.download),
        ]

    def _updates(self, screen: Screen) -> Updates:
        view, idle = screen.view, not screen.pending
        updates: Updates = {
            self.session: view.session,
            self.seen: view.seen,
            self.status: view.status,
            self.chat: self._messages(screen),
            self.notice: gr.Markdown(screen.notice, visible=bool(screen.notice)),
            self.answer: gr.Textbox(interactive=idle)
            if screen.text is None
            else gr.Textbox(screen.text, interactive=idle),
            self.code: gr.Code(interactive=idle) if screen.code is None else gr.Code(screen.code, interactive=idle),
            self.report_tab: gr.Tab(interactive=view.ended),
            self.report: view.report,
            self.download: gr.DownloadButton(
                interactive=view.ended, value=self._report_file(view.session, view.report)
            ),
        }
        updates |= {button: gr.Button(interactive=idle) for button in (self.send, self.send_code, self.write_code)}
        updates |= {
            button: gr.Button(interactive=idle and (word == "Dispute" or not view.ended))
            for word, button in self.requests.items()
        }
        if screen.code is not None:
            updates[self.code_pane] = gr.Column(visible=bool(screen.code))
        return updates

    def _messages(self, screen: Screen) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = [dict(message) for message in screen.view.messages]
        if screen.said:
            messages.append({"role": "user", "content": screen.said})
        if screen.saying:
            messages.append({"role": "assistant", "content": screen.saying})
        if screen.pending:
            messages.append(
                {"role": "assistant", "content": "", "metadata": {"title": screen.pending, "status": "pending"}}
            )
        return messages

    def _report_file(self, session: str, report: str) -> str | None:
        if not report:
            return None
        self._desk.reports.mkdir(parents=True, exist_ok=True)
        path = self._desk.reports / f"interview-{session}.md"
        path.write_text(report, encoding="utf-8")
        return str(path)
