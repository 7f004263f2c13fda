"""The wiring of one turn, and the only place that knows the order of the steps.

    listen ─┬─ an answer ──► retrieve ► run_code ► grade ► show ► verify ─┐
            └─ anything else ─────────────────────────────────────────────┴─► decide ► speak

Each run of the graph answers one message; the checkpoint under ``thread_id`` carries the state to the next
and, after a kill, lets the run go on from the last finished step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from interviewer.interview.decide import decide
from interviewer.interview.grade import grade
from interviewer.interview.listen import listen
from interviewer.interview.retrieve import retrieve
from interviewer.interview.run_code import run_code
from interviewer.interview.show import show
from interviewer.interview.speak import speak
from interviewer.interview.state import GRADED, Heard, Rooms, State
from interviewer.interview.verify import verify

Step = Callable[[State, Rooms], State]
Graph = CompiledStateGraph[State, Rooms, State, State]

STEPS: dict[str, Step] = {
    "listen": lambda state, _: listen(state),
    "retrieve": retrieve,
    "run_code": run_code,
    "grade": grade,
    "show": show,
    "verify": verify,
    "decide": decide,
    "speak": speak,
}


def build_graph(checkpointer: BaseCheckpointSaver[Any], steps: dict[str, Step] = STEPS) -> Graph:
    """The compiled graph; every step's result is on disk before the next begins (see session.py)."""
    graph: StateGraph[State, Rooms, State, State] = StateGraph(State, context_schema=Rooms)
    for name, step in steps.items():
        graph.add_node(name, _node(step))
    graph.add_conditional_edges(START, _greeting_or_reply, ["listen", "decide"])
    graph.add_conditional_edges("listen", _graded_or_not, ["retrieve", "decide"])
    graph.add_edge("retrieve", "run_code")
    graph.add_edge("run_code", "grade")
    graph.add_edge("grade", "show")
    graph.add_edge("show", "verify")
    graph.add_edge("verify", "decide")
    graph.add_edge("decide", "speak")
    graph.add_edge("speak", END)
    return graph.compile(checkpointer=checkpointer)


def _node(step: Step) -> Any:
    def node(state: State, runtime: Runtime[Rooms]) -> State:
        return _with_calls(step(state, runtime.context), state, runtime.context)

    return node


def _with_calls(update: State, state: State, rooms: Rooms) -> State:
    """``update``, and what the step asked of the language model."""
    if rooms.model is None or not (new := rooms.model.new_calls()):
        return update
    before = update.get("calls", state.get("calls", []))
    return {
        **update,
        "calls": [*before, *(call.model_dump(mode="json") for call in new)],
        "spent": rooms.model.spent.model_dump(mode="json"),
    }


def _greeting_or_reply(state: State) -> str:
    return "decide" if state["turn"] < 0 else "listen"


def _graded_or_not(state: State) -> str:
    on_the_table = state.get("current") is not None
    return "retrieve" if on_the_table and Heard.model_validate(state["heard"]).intent in GRADED else "decide"
