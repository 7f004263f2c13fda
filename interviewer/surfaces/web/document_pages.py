"""Imported question documents for those who keep the bank: upload, audit, retire."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, UploadFile
from fastapi import File as FileField
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from interviewer.access import Person
from interviewer.bank.documents_kept import KeptDocument
from interviewer.errors import UsageError
from interviewer.house import House
from interviewer.surfaces.audit_view import audit_markdown
from interviewer.surfaces.web.guard import Admin
from interviewer.surfaces.web.html import page
from interviewer.surfaces.web.uploads import KINDS, LARGEST, Uploads
from interviewer.surfaces.web.work import Say, Stage, Work

_LOOKS_AGAIN_AFTER = "3"  # seconds
_DOCUMENTS = "/bank/documents"
_FORGOTTEN = (
    "This work is not known here any more: it ended long ago, or a restart of the page ended it. Look among the documents what came "
    "of it; one that isn't there was not read, so upload it again."
)
_NO_FILE = "No file was chosen, so nothing was read. Choose a document first."


def question_document_pages(house: House) -> APIRouter:
    pages = APIRouter(prefix="/bank")
    uploads, work = Uploads(house), Work()

    @pages.get("/documents")
    def documents(person: Admin) -> Response:
        return _list(person)

    @pages.post("/documents")
    def upload(person: Admin, file: Annotated[UploadFile | None, FileField()] = None) -> Response:
        if file is None or not file.filename:
            return _list(person, wrong=_NO_FILE)
        try:
            waiting = uploads.receive(file.filename, file.file.read(LARGEST + 1))
        except UsageError as refused:
            return _list(person, wrong=str(refused))

        def take_in_and_audit(say: Say) -> str:
            document = uploads.take_in(waiting, say)
            uploads.audit(document, say)
            return f"{_DOCUMENTS}/{document.slug}"

        def drop() -> None:
            uploads.drop(waiting)

        return _to_work(work.begin(f"Reading {waiting.name}", take_in_and_audit, leads_to=_DOCUMENTS, afterwards=drop))

    @pages.get("/documents/{slug}")
    def document(person: Admin, slug: str) -> Response:
        found = _document(slug)
        findings = uploads.findings(found)
        return page(
            "document.html",
            person,
            document=found,
            questions=house.bank.questions_of(found),
            findings=findings,
            audit=audit_markdown(findings.audit, "##") if findings.audit else "",
            outdated=bool(findings.audit) and findings.sha256 != found.sha256,
        )

    @pages.post("/documents/{slug}/audit")
    def audit(person: Admin, slug: str) -> Response:
        found, address = _document(slug), f"{_DOCUMENTS}/{slug}"

        def run(say: Say) -> str:
            uploads.audit(found, say)
            return address

        return _to_work(work.begin(f"Audit of {found.source}", run, leads_to=address))

    @pages.post("/documents/{slug}/retire")
    def retire(person: Admin, slug: str) -> Response:
        house.bank.retire(_document(slug).slug)
        return RedirectResponse(f"{_DOCUMENTS}/{slug}", 303)

    @pages.get("/work/{piece_id}")
    def progress(person: Admin, piece_id: str, still: bool = False) -> Response:
        piece = work.get(piece_id)
        if piece is None:
            raise HTTPException(404, _FORGOTTEN)
        if piece.stage is Stage.DONE:
            return RedirectResponse(piece.leads_to, 303)
        goes_on = piece.stage is Stage.GOES_ON
        answer = page("work.html", person, piece=piece, goes_on=goes_on, still=still)
        if goes_on and not still:
            answer.headers["refresh"] = _LOOKS_AGAIN_AFTER
        return answer

    @pages.post("/work/{piece_id}/cancel")
    def cancel(person: Admin, piece_id: str) -> Response:
        work.cancel(piece_id)
        return _to_work(piece_id)

    def _list(person: Person, wrong: str = "") -> Response:
        status = 422 if wrong else 200
        return page("documents.html", person, status=status, documents=house.bank.documents(), kinds=KINDS, wrong=wrong)

    def _document(slug: str) -> KeptDocument:
        found = next((each for each in house.bank.documents() if each.slug == slug), None)
        if found is None:
            raise HTTPException(404)
        return found

    return pages


def _to_work(piece_id: str) -> Response:
    return RedirectResponse(f"/bank/work/{piece_id}", 303)
