"""The conversation: what was said, the box for an answer, and a button for each thing that can be asked for in a word."""

from __future__ import annotations

from typing import Any

import gradio as gr

from interviewer.surfaces.web.desk import Screen
from interviewer.surfaces.web.view import Status, View

REQUESTS = ("Hint", "Repeat", "Skip", "Dispute")
_NOT_IN_EXAMS = ("Hint", "Dispute")  # there are no hints there, and no grades yet that one could dispute
_ASK_TO_END = (
    "End here? What you said is graded and the report is written; an unfinished interview can't be taken up again."
)


class Talk:
    def __init__(self) -> None:
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
            layout="bubble",
        )
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
        with gr.Row(elem_id="requests") as self.row:
            self.requests = {word: gr.Button(word, size="sm", scale=0, min_width=60) for word in REQUESTS}
            self.write_code = gr.Button("Write code", size="sm", scale=0, min_width=90, elem_id="write-code")
            self.end = gr.Button("End", size="sm", scale=0, min_width=60, elem_id="end")
        with gr.Row(visible=False, elem_id="ending") as self.ending:
            gr.Markdown(_ASK_TO_END, elem_id="ask-to-end")
            self.end_now = gr.Button("End the interview", variant="stop", size="sm", scale=0, min_width=140)
            self.go_on = gr.Button("Go on", size="sm", scale=0, min_width=80, elem_id="go-on")

    @property
    def outputs(self) -> list[Any]:
        return [
            *(self.chat, self.answer, self.send, self.row, self.ending),
            *(self.end, self.write_code, *self.requests.values()),
        ]

    def wire(self) -> None:
        """The question whether to end: in place of the requests, the safe answer having the focus."""
        quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        asked = self.end.click(self._asking(True), None, [self.row, self.ending], **quiet)
        asked.then(fn=None, js="() => setTimeout(() => document.querySelector('#go-on')?.focus(), 50)", **quiet)
        kept = self.go_on.click(self._asking(False), None, [self.row, self.ending], **quiet)
        kept.then(fn=None, js="() => setTimeout(() => document.querySelector('#end')?.focus(), 50)", **quiet)

    def _asking(self, whether: bool) -> Any:
        return lambda: (gr.Row(visible=not whether), gr.Row(visible=whether))

    def show(self, screen: Screen, *, keep_typed: bool = False) -> dict[Any, Any]:
        view, idle = screen.view, not screen.pending
        going = idle and not view.ended
        typed: dict[str, Any] = {} if keep_typed or screen.text is None else {"value": screen.text}
        return {
            self.chat: _messages(screen),
            self.answer: gr.Textbox(interactive=idle, **typed),
            self.send: gr.Button(interactive=idle),
            self.row: gr.Row(visible=not view.ended),
            self.ending: gr.Row(visible=False),
            self.end: gr.Button(interactive=going),
            self.write_code: gr.Button(interactive=going),
            **{button: self._request(word, view, going) for word, button in self.requests.items()},
        }

    def as_typed(self, draft: dict[str, str]) -> dict[Any, Any]:
        """What stood in the box when this question was last seen in this browser."""
        return {self.answer: gr.Textbox(draft["answer"], interactive=True)} if draft.get("answer") else {}

    def _request(self, word: str, view: View, going: bool) -> Any:
        return gr.Button(interactive=going, visible=not (view.exam and word in _NOT_IN_EXAMS))


def status_html(status: Status | None) -> str:
    """Where the interview stands, with a line that fills as its time goes; COUNT_TIME goes on from there in the browser."""
    if status is None:
        return ""
    if status.ended:
        return f"<p>{status}</p>"
    time = f'<span data-seconds="{status.seconds}" data-planned="{status.planned}">{status.time}</span>'
    return (
        f"<p>{str(status).replace(status.time, time)}</p>"
        f'<progress max="{status.planned}" value="{status.minutes}" aria-label="Time gone"></progress>'
    )


def _messages(screen: Screen) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [dict(message) for message in screen.view.messages]
    if screen.said:
        messages.append({"role": "user", "content": screen.said})
    if screen.saying:
        messages.append({"role": "assistant", "content": screen.saying})
    if screen.pending:
        pending = {"title": screen.pending, "status": "pending"}
        messages.append({"role": "assistant", "content": "", "metadata": pending})
    return messages
