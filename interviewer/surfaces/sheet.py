"""Markdown set as pages of a PDF, with fonts that hold most alphabets.

DejaVu, which comes with matplotlib, has Latin, Greek, Cyrillic, Hebrew, Arabic and the signs that reports use; letters aren't joined and
lines run from the left whatever the script. Characters that it lacks, such as
Chinese ones, are set in Unicode's Last Resort font: as a frame that names the script, and as themselves for who copies or searches
the text; ``lacks_glyphs`` says that there are some.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import WrapMode, XPos, YPos
from fpdf.fonts import FontFace
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

Colour = tuple[int, int, int]

INK, MUTED, LINE, LINK = (29, 39, 51), (85, 97, 109), (200, 208, 216), (31, 95, 191)
_CODE = (243, 245, 247)
_MARGIN, _INDENT = 20.0, 6.0  # mm, as all lengths here
_TEXT, _CODE_TEXT, _SMALL = 10.0, 8.5, 8.0  # points
_HEADINGS = {1: 18.0, 2: 12.0, 3: 10.5}
_LEADING = 0.5  # mm a point: the height of a line
_PARAGRAPH = 2.4
_STYLES = {"": "", "B": "-Bold", "I": "-Oblique", "BI": "-BoldOblique"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

logging.getLogger("fontTools").setLevel(logging.ERROR)  # tells of every table that it leaves out


class Sheet(FPDF):
    """``foot`` stands on every page, with its number. ``texts``: all that will be set, to know what the fonts lack."""

    def __init__(self, title: str, foot: str, texts: Sequence[str]):
        super().__init__(format="A4")
        self.foot = foot
        self.alias_nb_pages("")  # else "{nb}" in anybody's words would become the number of pages
        self.set_title(title)
        self.set_lang("en")
        self.set_creation_date(datetime(1970, 1, 1, tzinfo=UTC))  # the same report is the same bytes
        self.set_margins(_MARGIN, _MARGIN, _MARGIN)
        self.set_auto_page_break(True, _MARGIN)
        self.c_margin = 0
        self._emphasis = ""
        self._add_fonts(texts)
        self.set_text_color(*INK)
        self.set_font("sans", size=_TEXT)
        self.add_page()

    def _add_fonts(self, texts: Sequence[str]) -> None:
        folder = _fonts()
        for style, suffix in _STYLES.items():
            self.add_font("sans", style, folder / f"DejaVuSans{suffix}.ttf")
        self.add_font("mono", "", folder / "DejaVuSansMono.ttf")
        used = {ord(character) for text in texts for character in printable(text)} - {10}
        self.lacks_glyphs = False
        fallbacks = ["sans"]
        if unknown := sorted(used - set(self.fonts["sans"].cmap)):  # type: ignore[union-attr]
            self.add_font("last", "", folder / "LastResortHE-Regular.ttf", unicode_range=unknown)
            fallbacks.append("last")
            self.lacks_glyphs = True
        self.set_fallback_fonts(fallbacks, exact_match=False)

    def footer(self) -> None:
        self.set_xy(_MARGIN, -_MARGIN + 6)
        with self.look("sans", _SMALL, MUTED):
            self.cell(0, 4, printable(self.foot))
            self.set_x(-_MARGIN - 30)
            self.cell(30, 4, str(self.page_no()), align="R")

    # --- Markdown ---------------------------------------------------------------------------------

    def markdown(self, text: str) -> None:
        """All blocks of ``text``, from the left margin down."""
        self._children(SyntaxTreeNode(_markdown().parse(printable(text))))

    def _children(self, node: SyntaxTreeNode) -> None:
        for child in node.children:
            self._block(child)

    def _block(self, node: SyntaxTreeNode) -> None:
        match node.type:
            case "heading":
                self._heading(node)
            case "paragraph":
                self._line(node, _TEXT)
                self.gap(_PARAGRAPH if not _tight(node) else 0.8)
            case "fence" | "code_block":
                self.code(node.content)
            case "blockquote":
                with self.indented(4, rule=LINE), self.look(colour=MUTED):
                    self._children(node)
                self.gap(_PARAGRAPH / 2)
            case "bullet_list" | "ordered_list":
                self._list(node)
            case "table":
                self._table(node)
            case "hr":
                self.gap(_PARAGRAPH)
            case _:
                self._children(node)

    def _heading(self, node: SyntaxTreeNode) -> None:
        level = int(node.tag[1])
        size = _HEADINGS.get(level, _TEXT)
        self.gap(5 if level == 2 else 2)
        self.keep_together(25)
        self.start_section(_plain(node), level=min(level, 2) - 1, strict=False)
        with self.emphasised("B"):
            self._line(node, size)
        self.gap(_PARAGRAPH)

    def _list(self, node: SyntaxTreeNode) -> None:
        start = int(node.attrs.get("start", 1))
        for number, item in enumerate(node.children, start):
            self.keep_together(10)
            bullet = f"{number}." if node.type == "ordered_list" else "•"
            self.set_font("sans", size=_TEXT)
            self.cell(_INDENT, _LEADING * _TEXT, bullet)
            with self.indented(_INDENT):
                self._children(item)
        self.gap(_PARAGRAPH / 2)

    def _table(self, node: SyntaxTreeNode) -> None:
        rows = [[_plain(cell) for cell in row.children] for part in node.children for row in part.children]
        self.set_font("sans", size=_TEXT - 1)
        self.set_draw_color(*LINE)
        with self.table(
            rows,
            line_height=6,
            padding=(0, 2),
            borders_layout="HORIZONTAL_LINES",
            headings_style=FontFace(emphasis="BOLD", color=MUTED),
            text_align="LEFT",
        ):
            pass
        self.gap(_PARAGRAPH)

    def _line(self, node: SyntaxTreeNode, size: float) -> None:
        for inline in node.children:
            for token in inline.children:
                self._inline(token, size)
        self.ln(_LEADING * size)

    def _inline(self, node: SyntaxTreeNode, size: float, link: str = "") -> None:
        match node.type:
            case "text" | "html_inline":
                self.words(node.content, size, link=link)
            case "code_inline":
                with self.look("mono", size - 0.8):
                    self._flow(node.content, size)
            case "softbreak":
                self.words(" ", size)
            case "hardbreak":
                self.ln(_LEADING * size)
            case "strong" | "em":
                with self.emphasised("B" if node.type == "strong" else "I"):
                    for child in node.children:
                        self._inline(child, size, link)
            case "link":
                href = str(node.attrs.get("href", ""))
                safe = href if href.startswith(("https://", "http://")) else ""
                for child in node.children:
                    self._inline(child, size, safe)
            case _:
                self.words(_plain(node), size)

    # --- what everything is set with --------------------------------------------------------------

    def words(self, text: str, size: float = _TEXT, *, link: str = "", colour: Colour | None = None) -> None:
        """Flowing text, from where the last ended."""
        with self.look("sans", size, colour or (LINK if link else None)):
            self._flow(text, size, link)

    def _flow(self, text: str, size: float, link: str = "") -> None:
        """A first word that doesn't fit in what is left of the line goes to the next: ``write`` would cut it in two."""
        first = self.get_string_width(re.split(r"[ \n]", text, maxsplit=1)[0])
        line = self.w - self.r_margin - self.l_margin
        if self.l_margin < self.get_x() and self.get_x() + first > self.w - self.r_margin and first <= line:
            self.ln(_LEADING * size)
        self.write(_LEADING * size, text, link=link)

    def code(self, text: str) -> None:
        """On a ground of its own; lines that are too long go on in the next."""
        self.set_fill_color(*_CODE)
        with self.look("mono", _CODE_TEXT):
            self.multi_cell(
                0,
                _LEADING * _CODE_TEXT * 0.95,
                text.rstrip().expandtabs(4) or " ",
                fill=True,
                align="L",
                wrapmode=WrapMode.CHAR,
                new_x=XPos.LMARGIN,
                new_y=YPos.NEXT,
                padding=(2, 2.5),  # type: ignore[arg-type]
            )
        self.gap(_PARAGRAPH)

    def gap(self, height: float) -> None:
        """Empty space, but none at the top of a page."""
        self.set_x(self.l_margin)
        if self.get_y() > self.t_margin:
            self.set_y(self.get_y() + height)

    def keep_together(self, height: float) -> None:
        """Goes to the next page where less than ``height`` is left."""
        if self.will_page_break(height):
            self.add_page()

    @contextmanager
    def indented(self, by: float, rule: Colour | None = None) -> Iterator[None]:
        """``rule``: of the colour of a line down the left side."""
        left, page, top = self.l_margin, self.page, self.get_y()
        self.set_left_margin(left + by)
        self.set_x(left + by)
        yield
        if rule:
            self._rule(left + 0.5, page, top, rule)
        self.set_left_margin(left)
        self.set_x(left)

    def _rule(self, x: float, page: int, top: float, colour: Colour) -> None:
        last, bottom = self.page, self.get_y() - _PARAGRAPH / 2
        for number in range(page, last + 1):
            self.page = number
            self.set_draw_color(*colour)
            self.set_line_width(0.7)
            ends = bottom if number == last else self.h - _MARGIN
            self.line(
                x, top if number == page else self.t_margin, x, max(top if number == page else self.t_margin, ends)
            )
        self.page = last
        self.set_line_width(0.2)

    @contextmanager
    def look(self, family: str = "sans", size: float | None = None, colour: Colour | None = None) -> Iterator[None]:
        before = self.font_family, self.font_size_pt, self.text_color
        self.set_font(family, self._emphasis if family == "sans" else "", size or self.font_size_pt)
        if colour:
            self.set_text_color(*colour)
        yield
        self.set_font(before[0], self._emphasis if before[0] == "sans" else "", before[1])
        self.text_color = before[2]

    @contextmanager
    def emphasised(self, style: str) -> Iterator[None]:
        before = self._emphasis
        self._emphasis = "".join(sorted({*before, style}))
        yield
        self._emphasis = before


def printable(text: str) -> str:
    """Without what no font can show."""
    return _UNPRINTABLE.sub("�", text.replace("\r\n", "\n").replace("\r", "\n"))


def _plain(node: SyntaxTreeNode) -> str:
    """The words in ``node``, without how they look."""
    if node.type in ("text", "code_inline", "html_inline"):
        return node.content
    return " " if node.type == "softbreak" else "".join(_plain(child) for child in node.children)


def _tight(node: SyntaxTreeNode) -> bool:
    return bool(node.hidden)


def _fonts() -> Path:
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf"


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")
