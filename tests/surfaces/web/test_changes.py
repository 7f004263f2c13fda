"""A step shows what changed with it, and nothing that stands there already."""

from __future__ import annotations

import gradio as gr

from interviewer.surfaces.web.changes import only_changed


def test_what_stands_there_already_is_not_shown_again() -> None:
    steps = [
        {"a": 1, "b": gr.Button(interactive=False), "c": [1]},
        {"a": 1, "b": gr.Button(interactive=False), "c": [1, 2]},
        {"a": 1, "b": gr.Button(interactive=True), "c": [1, 2]},
        {"a": 2},
        {"a": 1},
    ]
    shown = [sorted(step) for step in only_changed(steps)]
    assert shown == [["a", "b", "c"], ["c"], ["b"], ["a"], ["a"]]


def test_a_step_that_changes_nothing_is_left_out() -> None:
    assert list(only_changed([{"a": 1}, {"a": 1}])) == [{"a": 1}]
