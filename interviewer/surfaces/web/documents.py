"""A session's papers: its report, to read here or to take along, and the replay of all that was said.

Promises that a session is there for its owner and for who may read it, and for nobody else; and that an exam tells no grade
while somebody can go on with it.
"""

from __future__ import annotations

from fastapi import APIRouter
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import Response

from interviewer.access import Invitations, Person, may_read
from interviewer.errors import UnknownSession
from interviewer.house import House
from interviewer.interview.session import Session
from interviewer.surfaces.cli_report import ReportFormat, report_bytes
from interviewer.surfaces.report_html import report_body
from interviewer.surfaces.web.guard import SignedIn
from interviewer.surfaces.web.html import page
from interviewer.surfaces.web.replay import replay_of

_TYPES = {
    ReportFormat.HTML: "text/html; charset=utf-8",
    ReportFormat.PDF: "application/pdf",
    ReportFormat.MD: "text/markdown; charset=utf-8",
    ReportFormat.JSON: "application/json",
}


def document_pages(house: House) -> APIRouter:
    pages = APIRouter(prefix="/sessions/{session_id}")
    invitations = Invitations(house.interviews.store, house.settings.locks)

    def withholds(person: Person, session: Session) -> bool:
        """An exam whose guest was shut out ends for who reads it then, since nobody else can end it."""
        if not session.withholds_grades or _owns(person, session):
            return session.withholds_grades
        invitation = invitations.of_session(session.id)
        return invitation is not None and invitation.open

    @pages.get("/report")
    def report(person: SignedIn, session_id: str) -> Response:
        session = _readable(house, person, session_id)
        if withholds(person, session):
            return _withheld(session, person)
        told = session.report()
        body = Markup(report_body(told))
        return page("report.html", person, session=session, own=_owns(person, session), body=body, formats=ReportFormat)

    @pages.get("/report.{format}")
    def download(person: SignedIn, session_id: str, format: str) -> Response:
        session = _readable(house, person, session_id)
        if format not in set(ReportFormat):
            raise HTTPException(404)
        if withholds(person, session):
            return _withheld(session, person)
        kind = ReportFormat(format)
        name = f"interview-report-{session.id}.{format}"
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(report_bytes(session.report(), kind), media_type=_TYPES[kind], headers=headers)

    @pages.get("/replay")
    def replay(person: SignedIn, session_id: str) -> Response:
        session = _readable(house, person, session_id)
        turns = replay_of(house.interviews, session)
        withheld = withholds(person, session)
        return page("replay.html", person, session=session, own=_owns(person, session), turns=turns, withheld=withheld)

    return pages


def _readable(house: House, person: Person, session_id: str) -> Session:
    """Somebody else's session is not there, as one that never was."""
    try:
        row = house.interviews.store.session(session_id)
    except UnknownSession:
        raise HTTPException(404) from None
    if not may_read(person, row):
        raise HTTPException(404)
    return house.interviews.open(row.id)


def _owns(person: Person, session: Session) -> bool:
    return person.may_open(session.id, session.user)


def _withheld(session: Session, person: Person) -> Response:
    return page("withheld.html", person, status=409, session=session, own=_owns(person, session))
