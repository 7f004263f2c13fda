"""Markdown and code as HTML for our own pages, code in colours.

Promises that what others wrote stays text: HTML in it is shown as it was typed, and whatever came out is cleaned once more.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from interviewer.interview.speak import run_sentence
from interviewer.models import CodeRun
from interviewer.surfaces.quoted import words_and_code
from interviewer.surfaces.render import run_markdown

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer


def markdown(text: str) -> Markup:
    """Markdown of ours or of a document. Pictures are left out: they would be fetched from elsewhere."""
    import nh3

    allowed = {**nh3.ALLOWED_ATTRIBUTES, "span": {"class"}}
    html = nh3.clean(_markdown().render(text), tags=nh3.ALLOWED_TAGS - {"img"}, attributes=allowed)
    return Markup(
        html.replace("<pre>", '<pre tabindex="0">')
    )  # it may be wider than the page: scrolled by keyboard too


def inline(text: str) -> Markup:
    """A sentence with its emphasis and code, without a paragraph around it."""
    import nh3

    return Markup(nh3.clean(_markdown().renderInline(text), tags={"code", "em", "strong"}))


def code(text: str) -> Markup:
    """A block of Python."""
    return Markup(f'<pre tabindex="0"><code>{_coloured(text.rstrip(), "python", "")}</code></pre>')


def words(text: str) -> Markup:
    """What somebody said: their words as they typed them, their fenced code in colours."""
    blocks = [code(each) if is_code else Markup("<p>{}</p>").format(each) for is_code, each in words_and_code(text)]
    return Markup("\n").join(blocks) or Markup("<p class=muted>(nothing)</p>")


def run(told: CodeRun) -> Markup:
    """A run with each of its checks."""
    return markdown(run_markdown(told, run_sentence(told)))


def _coloured(text: str, language: str, _: str) -> str:
    """What isn't said to be something else is taken for Python, which is what is spoken here."""
    from pygments import highlight

    if (language or "python").lower() not in ("python", "py", "python3", "pycon"):
        return str(escape(text))
    return highlight(text, _lexer(), _formatter())


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "highlight": _coloured}).enable("table")


@cache
def _lexer() -> PythonLexer:
    from pygments.lexers import PythonLexer

    return PythonLexer(stripnl=False, ensurenl=False)


@cache
def _formatter() -> HtmlFormatter[str]:
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(nowrap=True, classprefix="t-")
