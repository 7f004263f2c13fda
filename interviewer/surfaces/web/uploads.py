"""Question documents that come through the page: checked, kept in the home, read into the bank like any other, and audited.

Promises that a document is refused whole, before anything that was stored has changed; and that a file's name can't lead
elsewhere. A document is the file's name: one of the same name is a new version of it.
"""

from __future__ import annotations

import re
import secrets
import shutil
import unicodedata
from pathlib import Path

from interviewer.bank.documents import read_document
from interviewer.bank.documents_kept import KeptDocument
from interviewer.bank.results import IngestResult
from interviewer.errors import DocumentRefused, UsageError
from interviewer.house import House
from interviewer.models import Value
from interviewer.proof.audit import Audit, audit
from interviewer.surfaces.web.work import Say

LARGEST = 2 * 2**20  # bytes
KINDS = (".md", ".markdown", ".txt")
_UNUSUAL = re.compile(r"[^\w .()+-]+")
_LONGEST_NAME = 200  # bytes, since file systems count those, of which they take 255


class Findings(Value):
    """What is known of a document beside its questions: what the last reading through the page changed, and what its audit found in the
    bytes with this ``sha256``."""

    read: IngestResult | None = None
    audit: Audit | None = None
    sha256: str = ""


class Uploads:
    def __init__(self, house: House):
        self._house = house
        self._documents = house.settings.home / "documents"
        self._incoming = self._documents / "incoming"
        self._findings = house.settings.home / "audits"
        shutil.rmtree(self._incoming, ignore_errors=True)  # of a process that ended before it had read them

    def receive(self, name: str, content: bytes) -> Path:
        """Where the document waits to be taken in. Raises UsageError or DocumentRefused, and keeps nothing, where it can't be one."""
        name = safe_name(name)
        if len(content) > LARGEST:
            raise DocumentRefused(name, "the file is larger than 2 MB. Split it into smaller documents.")
        waiting = self._incoming / secrets.token_hex(8) / name
        waiting.parent.mkdir(parents=True)
        waiting.write_bytes(content)
        try:
            read_document(waiting)
        except DocumentRefused as refused:
            self.drop(waiting)
            raise DocumentRefused(name, refused.reason) from None
        return waiting

    def take_in(self, waiting: Path, say: Say) -> KeptDocument:
        """Reads a received document into the bank. Where that fails, the version before stays."""
        say("Reading it into the bank")
        place = self._documents / waiting.name
        before = place.read_bytes() if place.exists() else None
        waiting.replace(place)
        try:
            [result] = self._house.bank.ingest([place])
        except BaseException:
            place.unlink() if before is None else place.write_bytes(before)
            raise
        document = next(d for d in self._house.bank.documents() if d.path == str(place.resolve()))
        self._keep(document, Findings(read=result))
        return document

    def drop(self, waiting: Path) -> None:
        """What is left of a received document, read or not."""
        shutil.rmtree(waiting.parent, ignore_errors=True)

    def audit(self, document: KeptDocument, say: Say) -> None:
        """Tries what the document says, and keeps what was found. Takes seconds a question; ``say`` may stop it."""
        path, bank = Path(document.path), self._house.bank
        say("Loading the models")
        sha256 = read_document(path).sha256
        found = audit(path, bank.own_questions(), bank.encode, self._house.sandbox, say)
        kept = self.findings(document)
        self._keep(document, kept.model_copy(update={"audit": found, "sha256": sha256}))

    def findings(self, document: KeptDocument) -> Findings:
        """Empty where nothing was found out yet."""
        try:
            return Findings.model_validate_json((self._findings / f"{document.slug}.json").read_bytes())
        except (FileNotFoundError, ValueError):
            return Findings()

    def _keep(self, document: KeptDocument, findings: Findings) -> None:
        self._findings.mkdir(parents=True, exist_ok=True)
        fresh = self._findings / f".{document.slug}-{secrets.token_hex(4)}"
        fresh.write_text(findings.model_dump_json(), encoding="utf-8")
        fresh.replace(self._findings / f"{document.slug}.json")


def safe_name(name: str) -> str:
    """A file's name without folders and unusual characters. Raises UsageError where it isn't one of a text document."""
    plain = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    stem, dot, kind = _UNUSUAL.sub("-", plain).strip(" .").rpartition(".")
    stem = stem.strip(" .-").encode()[:_LONGEST_NAME].decode(errors="ignore").rstrip(" .-")
    if not stem or dot + kind.lower() not in KINDS:
        raise UsageError(
            f"“{plain or 'This'}” was not read: a document is a text file whose name ends in {', '.join(KINDS[:-1])} or {KINDS[-1]}. "
            "Nothing that was stored has changed; save the document as Markdown or plain text."
        )
    return f"{stem}.{kind.lower()}"
