"""The report as one HTML page that needs nothing else, holds no script, and prints well.

Promises that a candidate's words and a program's output stay text: what is Markdown is rendered without HTML and cleaned, their
replies are escaped. What counted in them is marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from interviewer.models import Answered, Report, Verdict
from interviewer.surfaces.picture import levels_svg
from interviewer.surfaces.quoted import STANDINGS, Block, Piece, marked
from interviewer.surfaces.render import MARKS, question_blocks, report_foot, report_head, study_markdown

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Interview report</title>
<style>
:root{{color-scheme:light dark;--ink:#1d2733;--muted:#55616d;--paper:#fff;--code:#f3f5f7;--line:#d5dbe1;--link:#1f5fbf;
--covered:#cdeed6;--partial:#fbe9b7;--contradicted:#fbd3d0}}
@media screen and (prefers-color-scheme:dark){{:root{{--ink:#e6ebf0;--muted:#a4afba;--paper:#14191f;--code:#1f262e;--line:#3b4652;
--link:#8db8ff;--covered:#1f4d2e;--partial:#574613;--contradicted:#642723}}}}
body{{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--paper);
overflow-wrap:break-word}}
code,pre{{font:14px/1.45 ui-monospace,monospace;background:var(--code);border-radius:4px}}code{{padding:0 .2em}}
pre{{padding:.7rem;overflow-x:auto}}pre code{{padding:0}}a{{color:var(--link)}}
table{{border-collapse:collapse;display:block;overflow-x:auto}}td,th{{border:1px solid var(--line);padding:.3rem .7rem;text-align:left}}
blockquote{{border-left:3px solid var(--line);margin:0 0 1rem;padding:.1rem 1rem;color:var(--muted)}}
h2{{margin-top:2.5rem;font-size:1.25rem}}h3{{margin-bottom:.3rem;font-size:1rem}}
.reply{{border-left:3px solid var(--link);padding:.1rem 1rem;margin:.6rem 0}}.reply p{{white-space:pre-wrap;margin:.4rem 0}}
mark{{color:inherit;border-radius:3px;padding:0 .1em;cursor:help}}
mark.covered{{background:var(--covered)}}mark.partial{{background:var(--partial)}}mark.contradicted{{background:var(--contradicted)}}
sup{{font-size:.7em;color:var(--muted)}}
@media (max-width:32rem){{td,th{{padding:.2rem .4rem;font-size:.85rem}}}}
@media print{{body{{margin:0;max-width:none;font-size:11pt}}pre{{white-space:pre-wrap;overflow:visible}}a{{color:inherit}}
h2,h3{{break-after:avoid}}pre,blockquote,table,svg{{break-inside:avoid}}mark{{print-color-adjust:exact;-webkit-print-color-adjust:exact}}}}
</style></head>
<body>{body}</body></html>
"""


def report_html(report: Report) -> str:
    """The whole page."""
    return _PAGE.format(body=report_body(report))


def report_body(report: Report) -> str:
    """What stands on it, for a page that has a head and a look of its own. What there is to study leads to its question."""
    head = _rendered(report_head(report))
    picture = f"<figure style='margin:1rem 0'>{levels_svg(report.topics)}</figure>" if report.topics else ""
    study = _linked(_rendered(study_markdown(report.study)), report.answered)
    questions = [_question(number, answered) for number, answered in enumerate(report.answered, 1)]
    return "\n".join([head, picture, study, *questions, _rendered(report_foot(report))])


def _question(number: int, answered: Answered) -> str:
    heading, facts, *graded = question_blocks(number, answered)
    rendered = [_rendered("\n\n".join(blocks)) for blocks in ((heading, facts), graded)]
    said = "<h3>What you said</h3>" + replies if (replies := replies_html(answered.replies, answered.verdict)) else ""
    return f'<section id="{answered.question}">{rendered[0]}{said}{rendered[1]}</section>'


def _linked(study: str, answered: Sequence[Answered]) -> str:
    for name in {each.question for each in answered}:
        study = study.replace(f"<code>{name}</code>", f'<a href="#{name}"><code>{name}</code></a>')
    return study


def replies_html(replies: Sequence[str], verdict: Verdict) -> str:
    """What the candidate said, what counted being marked; the title of a mark says for what. Empty where nothing was said."""
    if not any(reply.strip() for reply in replies):
        return ""
    return "".join(f'<div class="reply">{_reply(blocks)}</div>' for blocks in marked(replies, verdict))


def _reply(blocks: Sequence[Block]) -> str:
    if not blocks:
        return "<p>(nothing)</p>"
    return "".join(
        f"<pre><code>{_pieces(block.pieces)}</code></pre>" if block.code else f"<p>{_pieces(block.pieces)}</p>"
        for block in blocks
    )


def _pieces(pieces: Sequence[Piece]) -> str:
    following = [*pieces[1:], Piece("", ())]
    return "".join(_piece(piece, after) for piece, after in zip(pieces, following, strict=True))


def _piece(piece: Piece, after: Piece) -> str:
    """The sign of a mark stands where its quote ends."""
    words = escape(piece.text)
    if not piece.marks:
        return words
    says = escape("; ".join(f"{STANDINGS[mark.standing]}: {mark.says}" for mark in piece.marks))
    ended = "".join(dict.fromkeys(MARKS[mark.standing] for mark in piece.marks if mark not in after.marks))
    sign = f'<sup aria-hidden="true">{ended}</sup>' if ended else ""
    return f'<mark class="{piece.marks[0].standing.value}" title="{says}">{words}</mark>{sign}'


def _rendered(text: str) -> str:
    import nh3

    return nh3.clean(_markdown().render(text), tags=nh3.ALLOWED_TAGS - {"img"})


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")
