"""A file's bytes into text, or a refusal that says what is wrong with the file and what to do."""

from __future__ import annotations

import hashlib
from pathlib import Path

from interviewer.errors import DocumentRefused

LARGEST = 5 * 1024 * 1024
_ENCODING_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_MOST_CONTROL = 0.01


def load(path: Path) -> tuple[str, str]:
    """The text with ``\\n`` line ends and no byte order mark, and the SHA-256 of the bytes. Raises DocumentRefused."""
    data = _read_bytes(path)
    text = _decode(path, data)
    if not text.strip():
        raise DocumentRefused(str(path), "the file is empty. Give a document with questions and answers.")
    return text, hashlib.sha256(data).hexdigest()


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise DocumentRefused(str(path), "this is a folder. Name the documents in it one by one.")
        if not path.exists():
            raise DocumentRefused(str(path), "there is no such file. Check the path.")
        if not path.is_file():
            raise DocumentRefused(str(path), "this is not an ordinary file. Save the document as a text file.")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        reason = f"the file cannot be opened ({why}). Check the path and the right to read it."
        raise DocumentRefused(str(path), reason) from error
    if len(data) > LARGEST:
        limit = LARGEST // (1024 * 1024)
        raise DocumentRefused(str(path), f"the file is larger than {limit} MB. Split it into smaller documents.")
    return data


def _decode(path: Path, data: bytes) -> str:
    if mark := _ENCODING_MARKS.get(data[:2]):
        raise DocumentRefused(str(path), f"the text is {mark}, not UTF-8. Save it as UTF-8.")
    if b"\0" in data:
        raise DocumentRefused(str(path), "the file is binary, not text. Export the document as Markdown or plain text.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"the text is not UTF-8 (byte {error.start}). Save it as UTF-8, or export a binary format as text."
        raise DocumentRefused(str(path), reason) from error
    control = sum(1 for character in text if character < " " and character not in "\t\n\r\f\v")
    if control > _MOST_CONTROL * len(text):
        raise DocumentRefused(str(path), "the file is binary, not text. Export the document as Markdown or plain text.")
    return text.replace("\r\n", "\n").replace("\r", "\n")
