"""The command line. Each command puts the rooms together, calls one door and prints what came back.

Exit codes: 0 done, 1 the answer is no, 2 wrong usage or input, 3 a needed part is missing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from interviewer.errors import InterviewerError, MissingPart, UsageError
from interviewer.models import Level, Outcome, Plan, Question, Topic
from interviewer.settings import load_settings
from interviewer.surfaces.cli_bank import add_bank_commands
from interviewer.surfaces.cli_practice import practice
from interviewer.surfaces.cli_report import ReportFormat, hand_over
from interviewer.surfaces.cli_review import review_app
from interviewer.surfaces.cli_sandbox import sandbox_app
from interviewer.surfaces.cli_user import user_app
from interviewer.surfaces.console import (
    Json,
    err,
    house_of_settings,
    print_json,
    print_line,
    print_markdown,
    spinner,
)

app = typer.Typer(
    help="A mock interviewer for PyTorch jobs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
add_bank_commands(app)
app.command()(practice)
app.add_typer(review_app, name="review")
app.add_typer(sandbox_app, name="sandbox")
app.add_typer(user_app, name="user")


def main() -> None:
    """Entry point: errors end as one sentence and an exit code."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    try:
        app()
    except InterviewerError as error:
        err.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(error.exit_code)


# --- interviews -----------------------------------------------------------------------------------


@app.command()
def chat(
    level: Annotated[Level, typer.Option(help="What to begin with.")] = Level.MID,
    topic: Annotated[list[Topic] | None, typer.Option(help="Ask about this only; may be given several times.")] = None,
    minutes: Annotated[int, typer.Option(min=5, max=180)] = 30,
    questions: Annotated[int | None, typer.Option(min=1, max=50, help="End after so many questions.")] = None,
    ask: Annotated[list[str] | None, typer.Option(help="Ask exactly these question ids, in this order.")] = None,
    code: Annotated[bool, typer.Option(help="With or without questions that want code.")] = True,
    exam: Annotated[bool, typer.Option("--exam", help="Feedback at the end alone, and no hints.")] = False,
    resume: Annotated[str | None, typer.Option(metavar="SESSION", help="Go on with a session.")] = None,
    script: Annotated[Path | None, typer.Option(help="A file that plays the candidate: a reply a line.")] = None,
    as_json: Json = False,
) -> None:
    """An interview in the terminal."""
    from interviewer.surfaces.chat import converse, play, transcript

    house = house_of_settings()
    if unknown := sorted(set(ask or ()) - {q.id for q in house.bank.questions()}):
        raise UsageError(f"There is no question {', '.join(unknown)}. `interviewer search TEXT` finds ids.")
    plan = Plan(
        level=level,
        topics=tuple(topic or ()),
        minutes=minutes,
        questions=questions,
        only=tuple(ask or ()),
        code=code,
        feedback="end" if exam else "each",
    )
    session = house.interviews.open(resume) if resume else house.interviews.begin(plan)
    house.warm_in_background()
    if script:
        play(session, script, quiet=as_json)
    else:
        converse(session, quiet=as_json)
    if as_json:
        print_json(transcript(session))


@app.command()
def serve() -> None:
    """The page, at INTERVIEWER_HOST and INTERVIEWER_PORT."""
    from interviewer.surfaces.web.serving import serve as serve_page

    serve_page(load_settings())


@app.command()
def slack() -> None:
    """Interviews in Slack, over Socket Mode or HTTP; docs/slack.md says what to set."""
    try:
        import slack_bolt  # noqa: F401
    except ImportError as error:
        raise MissingPart(
            "Slack's library is not installed, so nothing was started. `pip install 'pytorch-interviewer[slack]'` brings it, "
            "from a checkout `pip install -e '.[slack]'`."
        ) from error
    from interviewer.surfaces.slack.serving import serve as serve_slack

    serve_slack(load_settings())


@app.command()
def report(
    session: str,
    format: Annotated[ReportFormat, typer.Option(help="What to make of it.")] = ReportFormat.MD,
    output: Annotated[Path | None, typer.Option(help="Write it to this file instead of standard output.")] = None,
) -> None:
    """The report of a session, as it stands."""
    hand_over(house_of_settings().interviews.open(session), format, output)


# --- grading and running --------------------------------------------------------------------------


@app.command()
def grade(
    as_json: Annotated[bool, typer.Option("--json", help="Kept for symmetry: the output is always JSON.")] = True,
) -> None:
    """Replies from stdin, JSONL {"id","question","answer","reference"?}, graded to stdout, a line each."""
    from interviewer.interview.single import grade_lines

    house = house_of_settings()
    for line in grade_lines(sys.stdin, house.bank, house.grader, house.sandbox):
        print_json(line)


@app.command()
def run(task: str, file: Path, as_json: Json = False) -> None:
    """One submission against the task of a question: outcome and checks."""
    from interviewer.surfaces.render import run_markdown

    house = house_of_settings()
    question: Question = house.bank.get(task)
    if question.task is None:
        raise UsageError(f"The question {task} has no task; nothing was run.")
    try:
        code = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} can't be read as text: {error}. Nothing was run.") from error
    with spinner("Running") as say:
        result = house.sandbox.judge(question.task, code, lambda progress: say(str(progress)), compare=True)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        print_markdown(run_markdown(result, f"{result.outcome.value} in {result.seconds:.2g} s. {result.message}"))
    if result.outcome is not Outcome.PASSED:
        raise typer.Exit(3 if result.outcome is Outcome.INFRASTRUCTURE else 1)


@app.command()
def doctor(as_json: Json = False) -> None:
    """What is installed, what is in force, what is missing and how to mend it."""
    from interviewer.surfaces.doctor import examine

    findings = examine(load_settings())
    if as_json:
        print_json({"parts": [f.as_json() for f in findings], "ready": all(f.ok or not f.needed for f in findings)})
    else:
        for f in findings:
            print_line(f"{'ok  ' if f.ok else 'MISSING' if f.needed else 'no  '} {f.name}: {f.detail}")
            if f.mend:
                print_line(f"       {f.mend}", "dim")
    if not all(f.ok or not f.needed for f in findings):
        raise typer.Exit(3)


if __name__ == "__main__":
    main()
