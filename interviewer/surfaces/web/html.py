"""Our own pages: Jinja templates, everything escaped unless it was cleaned before.

Promises that a name, a reply or a document's words stay text. Which links the head shows goes by the person's duty.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from interviewer.access import Person
from interviewer.surfaces.web import markup

_TEMPLATES = Path(__file__).parent / "templates"


def page(template: str, person: Person | None, *, status: int = 200, **values: Any) -> HTMLResponse:
    """The template's page for ``person``; all that it names has to be in ``values``."""
    body = _environment().get_template(template).render(person=person, **values)
    return HTMLResponse(body, status, headers={"cache-control": "no-store"})


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"sentence": markup.inline, "markdown": markup.markdown, "code": markup.code, "day": _day}
    return environment


def _day(stamp: str | date) -> str:
    """A day, or a time as the store writes it, as "3 Nov 2026"."""
    day = datetime.fromisoformat(stamp) if isinstance(stamp, str) else stamp
    return f"{day.day} {day:%b %Y}"
