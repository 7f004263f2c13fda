"""A session's report as text, page, document or data, to standard output or into a file."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.errors import UsageError
from interviewer.surfaces.console import err, out, print_markdown

if TYPE_CHECKING:
    from interviewer.interview.session import Session
    from interviewer.models import Report


class ReportFormat(StrEnum):
    MD = "md"
    HTML = "html"
    PDF = "pdf"
    JSON = "json"


def hand_over(session: Session, format: ReportFormat, output: Path | None) -> None:
    """Writes the report to ``output``, else to standard output; a PDF that would go to a terminal is put in a file here, whose
    name is said. Raises UsageError where the file can't be written, and while an exam goes on, which tells nothing before its end."""
    if session.withholds_grades:
        raise UsageError(
            f"Session {session.id} is an exam that still goes on; its report comes when it ends. All that was said is kept. "
            f"Go on with: interviewer chat --resume {session.id}"
        )
    report = session.report()
    if output is None and format is ReportFormat.PDF and out.is_terminal:
        output = Path(f"interview-report-{session.id}.pdf")
    if output is None and format is ReportFormat.MD:
        from interviewer.surfaces.render import report_markdown

        print_markdown(report_markdown(report))
    elif output is None:
        sys.stdout.buffer.write(report_bytes(report, format))
        sys.stdout.buffer.flush()
    else:
        _write(output, report_bytes(report, format))
        err.print(f"The report is in {output}.", markup=False, highlight=False, soft_wrap=True)


def report_bytes(report: Report, format: ReportFormat) -> bytes:
    """The same report gives the same bytes. What makes pages is loaded only here."""
    match format:
        case ReportFormat.PDF:
            from interviewer.surfaces.report_pdf import report_pdf

            return report_pdf(report)
        case ReportFormat.HTML:
            from interviewer.surfaces.report_html import report_html

            text = report_html(report)
        case ReportFormat.MD:
            from interviewer.surfaces.render import report_markdown

            text = report_markdown(report) + "\n"
        case ReportFormat.JSON:
            text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False) + "\n"
    return text.encode("utf-8", "replace")


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise UsageError(
            f"The report could not be written to {path}: {error.strerror or error}. It is kept with its session; name another file with --output."
        ) from error
