"""The commands about the sandbox: does it hold on this machine?"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.errors import SandboxUnavailable
from interviewer.settings import load_settings
from interviewer.surfaces.console import Json, print_json, print_line, spinner

if TYPE_CHECKING:
    from interviewer.sandbox import Isolation
    from interviewer.sandbox.attacks import Result

sandbox_app = typer.Typer(help="The sandbox that candidates' code runs in.", no_args_is_help=True)

_MARKS = {True: "held", False: "NOT HELD", None: "skipped"}
_IN_FORCE = ("network", "files", "memory", "processes", "time", "system_calls")
_TITLES = {"verdict": "Forging a verdict", "host": "Reaching this machine", "resources": "Taking more than a share"}


@sandbox_app.callback()
def sandbox() -> None:
    """Keeps ``check`` a command of its own, as long as there is no other."""


@sandbox_app.command("check")
def sandbox_check(
    quick: Annotated[bool, typer.Option("--quick", help="Only what matters most, in seconds.")] = False,
    as_json: Json = False,
) -> None:
    """Hostile programs against this machine's sandbox, and which of them it held. Takes about a minute."""
    from interviewer.sandbox import Sandbox
    from interviewer.sandbox.attacks import attacks, run_attacks
    from interviewer.sandbox.attacks import quick as quick_names

    settings = load_settings()
    box = Sandbox(settings.model_copy(update={"sandbox_runs": max(2, settings.sandbox_runs)}))
    isolation = box.isolation()
    if not isolation.available:
        _print(isolation, [], 0.0, as_json)
        raise SandboxUnavailable(f"No attack was run, because there is no sandbox: {isolation.reason} {isolation.mend}")
    names = [attack.name for attack in attacks(quick_names() if quick else None)]
    began = time.monotonic()
    with spinner("Starting the sandbox") as say:
        results = run_attacks(box, names, lambda name: say(f"{names.index(name) + 1} of {len(names)}: {name}"))
    _print(isolation, results, time.monotonic() - began, as_json)
    box.close()
    if any(result.held is False for result in results):
        raise typer.Exit(1)


def _print(isolation: Isolation, results: list[Result], seconds: float, as_json: bool) -> None:
    if as_json:
        shown = [result.model_dump(mode="json", include={"name", "held", "detail"}) for result in results]
        print_json({"isolation": isolation.model_dump(mode="json"), "attacks": shown})
        return
    print_line(f"In force: {isolation.kind}", "bold")
    for name in _IN_FORCE:
        print_line(f"  {name.replace('_', ' ')}: {getattr(isolation, name)}")
    for group, title in _TITLES.items():
        if chosen := [result for result in results if result.group == group]:
            print_line(f"\n{title}", "bold")
            _print_group(chosen)
    if results:
        print_line(f"\n{_sum(results)} It took {seconds:.0f} s.")


def _print_group(results: list[Result]) -> None:
    for result in results:
        print_line(f"  {_MARKS[result.held]:8}  {result.name}: {result.tries}")
        if not result.held:
            print_line(f"            {result.detail}", "red" if result.held is False else "dim")


def _sum(results: list[Result]) -> str:
    tried = [result for result in results if result.held is not None]
    held = sum(1 for result in tried if result.held)
    skipped = len(results) - len(tried)
    return f"{held} of {len(tried)} attacks held{f', {skipped} skipped' if skipped else ''}."
