"""Public sets of answers that people graded, read as they are published.

What a path is, is told by its ending and by what stands in it: the XML of SemEval-2013 Task 7 (SciEntsBank and Beetle) and
of Short Answer Feedback, the latter's JSON too; the folder of Mohler's computer science answers, and its tables; the table
of the neural-networks exam (DigiKlausur). Promises that a file is read whole or refused whole, with the place named.
None of these sets comes with us: see their licences where you get them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from eval.adapters.making import refused
from eval.adapters.mohler import find_mohler, read_mohler
from eval.adapters.objects import holds_public, read_json
from eval.adapters.tables import read_table
from eval.adapters.xml import read_xml
from eval.cases import Case

_READERS = {".xml": read_xml, ".csv": read_table, ".tsv": read_table, ".json": read_json, ".jsonl": read_json}


def is_public(path: Path) -> bool:
    """Whether ``path`` is for ``read_public``: a folder without JSON lines at its top, a file of another kind that we know,
    or JSON lines of a public set."""
    if path.is_dir():
        return not any(path.glob("*.jsonl"))
    return path.suffix.lower() in _READERS and (path.suffix.lower() != ".jsonl" or holds_public(path))


def read_public(path: Path) -> list[Case]:
    """The answers in a file, or in all files below a folder, in the order of their names. Raises UsageError for what can't
    be read, and for an answer that stands there twice, as happens where a folder holds a set in several forms."""
    if path.is_dir() and (data := find_mohler(path)):
        return read_mohler(data)
    files = _files(path) if path.is_dir() else [path]
    if not files:
        raise refused(path, "there is no XML, CSV, TSV or JSON file in this folder")
    if path.is_file() and path.suffix.lower() not in _READERS:
        raise refused(path, f"no set that we know comes as {path.suffix or 'a file without ending'}")
    read = [(file, _READERS[file.suffix.lower()](file)) for file in files]
    _no_answer_twice(read)
    return [case for _, cases in read for case in cases]


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() in _READERS and file.is_file())


def _no_answer_twice(read: Sequence[tuple[Path, Sequence[Case]]]) -> None:
    first: dict[str, Path] = {}
    for file, cases in read:
        for case in cases:
            if case.id and (other := first.setdefault(case.id, file)) != file:
                raise refused(file, f"the answer {case.id} stands in {other} as well; name one of their folders")
