"""The report as a PDF: all that the Markdown holds, the picture of the levels, and what the candidate said, marked.

The same report gives the same bytes. A candidate's words are set as words: nothing in them is read as a command.
"""

from __future__ import annotations

import io

from interviewer.models import Answered, Report, Standing
from interviewer.surfaces.picture import levels_png, levels_text
from interviewer.surfaces.quoted import Block, Piece, marked
from interviewer.surfaces.render import MARKS, question_blocks, report_foot, report_head, study_markdown
from interviewer.surfaces.sheet import LINK, Colour, Sheet, printable

_COLOURS: dict[Standing, Colour] = {
    Standing.COVERED: (22, 110, 56),
    Standing.PARTIAL: (140, 96, 0),
    Standing.CONTRADICTED: (176, 42, 32),
}
_FRAMES = "*A character in a frame is of a script that this document has no font for. Copied, it is itself; the report as HTML shows it.*"
_PICTURE = 117.0  # mm: the size that it is drawn in


def report_pdf(report: Report) -> bytes:
    """The whole document."""
    head, study, foot = report_head(report), study_markdown(report.study), report_foot(report)
    questions = [(answered, question_blocks(number, answered)) for number, answered in enumerate(report.answered, 1)]
    texts = [head, study, foot, *(text for a, blocks in questions for text in (*blocks, *a.replies))]
    sheet = Sheet("Interview report", f"Interview report · session {report.session}", texts)
    sheet.markdown(head)
    if report.topics:
        picture = levels_png(report.topics)
        sheet.keep_together(60)
        sheet.image(io.BytesIO(picture), w=_PICTURE, alt_text=levels_text(report.topics))
        sheet.gap(3)
    sheet.markdown(study)
    for answered, (heading, facts, *graded) in questions:
        sheet.markdown(f"{heading}\n\n{facts}")
        _set_replies(sheet, answered)
        sheet.markdown("\n\n".join(graded))
    sheet.markdown(foot)
    if sheet.lacks_glyphs:
        sheet.markdown(_FRAMES)
    return bytes(sheet.output())


def _set_replies(sheet: Sheet, answered: Answered) -> None:
    if not any(reply.strip() for reply in answered.replies):
        return
    sheet.markdown("**What you said**")
    for blocks in marked(tuple(printable(reply) for reply in answered.replies), answered.verdict):
        with sheet.indented(4, rule=LINK):
            for block in blocks:
                _set_block(sheet, block)
            if not blocks:
                sheet.markdown("*(nothing)*")
        sheet.gap(2)


def _set_block(sheet: Sheet, block: Block) -> None:
    if block.code:
        sheet.code("".join(piece.text for piece in block.pieces))
        return
    for piece, after in zip(block.pieces, [*block.pieces[1:], Piece("", ())], strict=True):
        _set_piece(sheet, piece, after)
    sheet.ln(5)
    sheet.gap(1)


def _set_piece(sheet: Sheet, piece: Piece, after: Piece) -> None:
    if not piece.marks:
        sheet.words(piece.text)
        return
    colour = _COLOURS.get(piece.marks[0].standing)
    with sheet.emphasised("U"):
        sheet.words(piece.text, colour=colour)
    if ended := _signs(piece, after):
        sheet.words(f" {ended}", 7.5, colour=colour)


def _signs(piece: Piece, after: Piece) -> str:
    return "".join(dict.fromkeys(MARKS[mark.standing] for mark in piece.marks if mark not in after.marks))
