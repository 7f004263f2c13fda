from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.errors import UsageError
from interviewer.interview.session import Session
from interviewer.models import Plan, Standing
from interviewer.settings import Settings
from interviewer.surfaces.chat import transcript
from interviewer.surfaces.cli_report import ReportFormat, hand_over, report_bytes
from tests.interview.reviewing import FIRST, interview
from tests.surfaces.reports import full_report
from tests.surfaces.shell import ENTRY, Shell


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def finished(home: Path, *, exam: bool = False, ended: bool = True) -> Session:
    rooms, _ = interview(Settings(home=home), ({"adds": (Standing.COVERED, 0.9)}, 0.9))
    session = rooms.begin(Plan(only=(FIRST,), feedback="end" if exam else "each"))
    session.reply("They add up.")
    if ended:
        session.reply("end")
    return session


def test_every_format_goes_to_standard_output_or_into_a_file(home: Path, tmp_path: Path) -> None:
    session, file = finished(home), tmp_path / "report.pdf"
    shell = Shell(home)
    assert "They add up." in shell.said("report", session.id)
    assert shell.json("report", session.id, "--format", "json")["score"] == session.report().score
    assert shell.said("report", session.id, "--format", "html").startswith("<!doctype html>")
    done = shell("report", session.id, "--format", "pdf", "--output", str(file))
    assert done.returncode == 0 and done.stdout == "" and str(file) in done.stderr
    assert file.read_bytes().startswith(b"%PDF-")


def test_a_pdf_goes_into_a_pipe_as_bytes_and_on_a_terminal_into_a_file_that_is_named(
    home: Path, tmp_path: Path
) -> None:
    session = finished(home)
    env = {"INTERVIEWER_HOME": str(home), "PATH": "/usr/bin:/bin", "HOME": str(home), "TERM": "dumb"}
    command = [sys.executable, "-c", ENTRY, "report", session.id, "--format", "pdf"]
    piped = subprocess.run(command, capture_output=True, env=env, cwd=tmp_path, timeout=200, check=True)
    assert piped.stdout == report_bytes(session.report(), ReportFormat.PDF)
    ours, theirs = pty.openpty()
    shown = subprocess.run(
        command, stdout=theirs, stderr=subprocess.PIPE, env=env, cwd=tmp_path, timeout=200, check=True
    )
    os.close(theirs)
    os.close(ours)
    name = f"interview-report-{session.id}.pdf"
    assert name in shown.stderr.decode() and (tmp_path / name).read_bytes() == piped.stdout


def test_a_file_that_cannot_be_written_is_a_sentence(home: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name another file"):
        hand_over(finished(home), ReportFormat.JSON, tmp_path / "missing" / "report.json")


def test_an_exam_that_goes_on_has_no_report_yet(home: Path) -> None:
    with pytest.raises(UsageError, match="comes when it ends"):
        hand_over(finished(home, exam=True, ended=False), ReportFormat.MD, None)


def test_the_transcript_of_an_exam_that_goes_on_tells_no_grade(home: Path, tmp_path: Path) -> None:
    told = transcript(finished(home, exam=True, ended=False))
    assert told["report"] is None and "Claim about" not in json.dumps(told)
    assert transcript(finished(tmp_path / "other", exam=True))["report"]["answered"]


def test_an_unknown_format_is_wrong_usage(home: Path) -> None:
    done = Shell(home)("report", "abc", "--format", "docx")
    assert done.returncode == 2 and "pdf" in done.stderr


@pytest.mark.parametrize("format", list(ReportFormat))
def test_the_same_report_is_the_same_bytes_in_every_format(format: ReportFormat) -> None:
    assert report_bytes(full_report(), format) == report_bytes(full_report(), format)
