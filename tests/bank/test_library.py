"""Imported documents, read once and again, through a real file of the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.errors import DocumentRefused, UsageError
from interviewer.models import Question
from interviewer.settings import Settings

pytestmark = pytest.mark.models

WriteDocument = Callable[[Path, Mapping[str, str]], Path]

ANSWERS = {
    "What is gradient clipping?": "Gradient clipping bounds the norm of the gradients before the step.",
    "How does dropout work?": "Dropout zeroes random activations while the model trains.",
    "What is a learning rate schedule?": "A schedule changes the learning rate as training goes on.",
    "Why do people use residual connections?": "Residual connections let gradients pass deep networks unharmed.",
}


@pytest.fixture
def document(tmp_path: Path, write: WriteDocument) -> Callable[[Mapping[str, str]], Path]:
    return lambda answers: write(tmp_path / "notes.md", answers)


def _counts(bank: Bank, *paths: Path) -> list[tuple[int, int, int, int]]:
    return [(r.added, r.changed, r.unchanged, r.retired) for r in bank.ingest(paths)]


def _ids(bank: Bank, path: Path) -> dict[str, str]:
    return {q.question: q.id for q in bank.ingest([path])[0].questions}


def test_reading_again_changes_nothing(own_bank: Bank, document: Callable[..., Path]) -> None:
    path = document(ANSWERS)
    assert _counts(own_bank, path) == [(4, 0, 0, 0)]
    before = own_bank.questions()
    assert _counts(own_bank, path) == [(0, 0, 4, 0)]
    assert own_bank.questions() == before


def test_ids_are_readable_valid_and_unique(own_bank: Bank, document: Callable[..., Path]) -> None:
    long = "Why " + "would a very long question about gradients be asked here " * 4 + "at all?"
    ids = list(_ids(own_bank, document({**ANSWERS, long: "It is long.", long[:-1] + " ever?": "Longer."})).values())
    assert ids[0] == "doc-notes-what-is-gradient-clipping"
    assert len(set(ids)) == len(ids) == 6
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) and len(name) <= 80 for name in ids)


def test_an_edited_answer_changes_its_question_alone(own_bank: Bank, document: Callable[..., Path]) -> None:
    ids = _ids(own_bank, document(ANSWERS))
    path = document({**ANSWERS, "How does dropout work?": "Dropout zeroes units, and only in training mode."})
    assert _counts(own_bank, path) == [(0, 1, 3, 0)]
    assert "only in training mode" in own_bank.get(ids["How does dropout work?"]).references[0].text


def test_an_edited_question_keeps_its_id_where_it_asks_the_same(own_bank: Bank, document: Callable[..., Path]) -> None:
    ids = _ids(own_bank, document(ANSWERS))
    edited = {q.replace("How does dropout work?", "How does dropout work, exactly?"): a for q, a in ANSWERS.items()}
    path = document(edited)
    assert _counts(own_bank, path) == [(0, 1, 3, 0)]
    assert _ids(own_bank, path)["How does dropout work, exactly?"] == ids["How does dropout work?"]


def test_another_question_in_its_place_retires_the_old_one(own_bank: Bank, document: Callable[..., Path]) -> None:
    ids = _ids(own_bank, document(ANSWERS))
    swapped = {q: a for q, a in ANSWERS.items() if "dropout" not in q}
    path = document({**swapped, "How does layer normalization work?": "It normalizes over the features of one sample."})
    assert _counts(own_bank, path) == [(1, 0, 3, 1)]
    assert ids["How does dropout work?"] not in {q.id for q in own_bank.questions()}


def test_a_retired_question_is_had_by_its_id_and_not_found(own_bank: Bank, document: Callable[..., Path]) -> None:
    ids = _ids(own_bank, document(ANSWERS))
    gone = ids.pop("How does dropout work?")
    _counts(own_bank, document({q: ANSWERS[q] for q in ids}))
    assert own_bank.get(gone).question == "How does dropout work?"
    assert own_bank.references(gone)[0].text.startswith("Dropout")
    assert all(hit.id != gone for hit in own_bank.search("How does dropout work?", 10))


def test_a_question_that_returns_is_the_one_that_it_was(own_bank: Bank, document: Callable[..., Path]) -> None:
    ids = _ids(own_bank, document(ANSWERS))
    _counts(own_bank, document(dict(list(ANSWERS.items())[:3])))
    path = document(ANSWERS)
    assert _counts(own_bank, path) == [(1, 0, 3, 0)]
    assert _ids(own_bank, path) == ids


def test_moved_questions_are_unchanged(own_bank: Bank, document: Callable[..., Path]) -> None:
    ids = _ids(own_bank, document(ANSWERS))
    path = document({"What is momentum?": "A running mean of gradients.", **dict(reversed(ANSWERS.items()))})
    assert _counts(own_bank, path) == [(1, 0, 4, 0)]
    assert ids.items() <= _ids(own_bank, path).items()


def test_files_of_one_name_in_two_folders_are_two_documents(
    own_bank: Bank, tmp_path: Path, write: WriteDocument
) -> None:
    one, other = write(tmp_path / "a" / "notes.md", ANSWERS), write(tmp_path / "b" / "notes.md", ANSWERS)
    assert _counts(own_bank, one, other) == [(4, 0, 0, 0), (4, 0, 0, 0)]
    assert not set(_ids(own_bank, one).values()) & set(_ids(own_bank, other).values())
    sources = {r.source for r in own_bank.references(_ids(own_bank, one)["How does dropout work?"])}
    assert sources == {"notes.md", "b/notes.md"}


def test_one_file_is_one_document_by_whatever_path(
    own_bank: Bank, document: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = document(ANSWERS)
    link = path.with_name("link.md")
    link.symlink_to(path)
    monkeypatch.chdir(path.parent)
    assert _counts(own_bank, path, Path("notes.md"), link) == [(4, 0, 0, 0)]
    assert _counts(own_bank, Path("notes.md")) == [(0, 0, 4, 0)]


def test_a_refused_document_leaves_everything_as_it_was(own_bank: Bank, document: Callable[..., Path]) -> None:
    path = document(ANSWERS)
    own_bank.ingest([path])
    before = own_bank.questions()
    path = document({**ANSWERS, "What is momentum?": "A running mean of gradients."})
    empty, missing = path.with_name("empty.md"), path.with_name("missing.md")
    empty.touch()
    with pytest.raises(DocumentRefused) as refused:
        own_bank.ingest([path, empty, missing])
    assert own_bank.questions() == before
    assert all(str(name) in str(refused.value) for name in (empty, missing))


def test_nothing_is_stored_when_the_work_breaks_off(
    settings: Settings, document: Callable[..., Path], embedder: Embedder
) -> None:
    class Failing(Embedder):
        def encode(self, texts: object) -> object:  # type: ignore[override]
            raise MemoryError

    bank = Bank(settings, Failing(), corpus=())
    with pytest.raises(MemoryError):
        bank.ingest([document(ANSWERS)])
    bank.close()
    whole = Bank(settings, embedder, corpus=())
    assert whole.questions() == ()
    assert _counts(whole, document(ANSWERS)) == [(4, 0, 0, 0)]
    whole.close()


def test_a_second_process_sees_what_the_first_imported(
    own_bank: Bank, settings: Settings, embedder: Embedder, document: Callable[..., Path]
) -> None:
    other = Bank(settings, embedder, corpus=())
    assert other.questions() == ()
    own_bank.ingest([document(ANSWERS)])
    assert [q.id for q in other.questions()] == [q.id for q in own_bank.questions()]
    assert other.search("How does dropout work?", 1)[0].score == 1.0
    own_bank.ingest([document({**ANSWERS, "What is momentum?": "A running mean of gradients."})])
    assert other.search("What is momentum?", 1)[0].score == 1.0
    other.close()


def test_a_file_that_is_no_library_is_left_alone_and_named(settings: Settings, embedder: Embedder) -> None:
    settings.home.mkdir(parents=True)
    settings.library.write_bytes(b"something else " * 100)
    with pytest.raises(UsageError, match="library"):
        Bank(settings, embedder, corpus=()).questions()
    assert settings.library.read_bytes() == b"something else " * 100


def test_a_cluster_of_many_copies_does_not_crowd_out_other_hits(
    own_bank: Bank, tmp_path: Path, write: WriteDocument
) -> None:
    own_bank.ingest([write(tmp_path / f"copy{n}.md", ANSWERS) for n in range(12)])
    assert len(own_bank.questions()) == len(ANSWERS)
    assert len(own_bank.search("How does dropout work?", 3)) == 3


def _two_documents(bank: Bank, tmp_path: Path, write: WriteDocument) -> tuple[str, str, str]:
    """Two that are one question, and one that is another."""
    first = _ids(bank, write(tmp_path / "one.md", ANSWERS))
    more = {"Explain dropout.": "Units are left out at random.", "What is a tensor?": "An array on a device."}
    second = _ids(bank, write(tmp_path / "two.md", more))
    return first["How does dropout work?"], second["Explain dropout."], second["What is a tensor?"]


def _together(bank: Bank, *names: str) -> bool:
    return any(set(names) <= {m.id for m in cluster.members} for cluster in bank.clusters())


def test_a_cluster_is_asked_once_with_all_its_references(own_bank: Bank, tmp_path: Path, write: WriteDocument) -> None:
    asked, other, _ = _two_documents(own_bank, tmp_path, write)
    assert _together(own_bank, asked, other)
    names = {q.id for q in own_bank.questions()}
    assert asked in names and other not in names
    assert [r.source for r in own_bank.get(asked).references] == ["one.md", "two.md"]
    assert [r.source for r in own_bank.references(other)] == ["two.md", "one.md"]


def test_decisions_survive_reading_again_and_can_be_undone(
    own_bank: Bank, tmp_path: Path, write: WriteDocument
) -> None:
    asked, other, tensor = _two_documents(own_bank, tmp_path, write)
    own_bank.split(asked, other)
    own_bank.merge(asked, tensor)
    own_bank.ingest([write(tmp_path / "one.md", {**ANSWERS, "What is momentum?": "A running mean of gradients."})])
    assert not _together(own_bank, asked, other)
    assert _together(own_bank, asked, tensor)
    assert own_bank.undo().kind == "merge"
    assert not _together(own_bank, asked, tensor)
    assert own_bank.undo().kind == "split"
    assert _together(own_bank, asked, other)
    with pytest.raises(UsageError):
        own_bank.undo()


def test_what_cannot_be_split_or_merged_is_refused(own_bank: Bank, tmp_path: Path, write: WriteDocument) -> None:
    asked, other, tensor = _two_documents(own_bank, tmp_path, write)
    refused: list[Callable[[], None]] = [
        lambda: own_bank.split(tensor, tensor),
        lambda: own_bank.split(asked, tensor),
        lambda: own_bank.merge(asked, other),
        lambda: own_bank.merge(asked, "no-such-question"),
    ]
    for wrong in refused:
        with pytest.raises(UsageError):
            wrong()
    assert _together(own_bank, asked, other)


def test_the_bank_s_own_question_represents_its_cluster_and_keeps_its_rubric(
    settings: Settings,
    embedder: Embedder,
    authored: Callable[[str, str, str], Question],
    tmp_path: Path,
    write: WriteDocument,
) -> None:
    own = authored("dropout", "How does dropout work?", "It zeroes activations.")
    bank = Bank(settings, embedder, corpus=(own,))
    imported = _ids(bank, write(tmp_path / "one.md", ANSWERS))["How does dropout work?"]
    assert bank.search("How does dropout work?", 1)[0].cluster == "dropout"
    assert bank.get("dropout") == own
    assert [r.source for r in bank.references("dropout")] == ["bank", "one.md"]
    assert imported not in {q.id for q in bank.questions()}
    assert bank.stats()["covered"] == {"one.md": {"questions": 4, "in_bank": 1}}
    bank.close()


def test_a_new_bank_question_finds_its_cluster_without_reading_documents_again(
    settings: Settings,
    embedder: Embedder,
    authored: Callable[[str, str, str], Question],
    tmp_path: Path,
    write: WriteDocument,
) -> None:
    bank = Bank(settings, embedder, corpus=())
    imported = _ids(bank, write(tmp_path / "one.md", ANSWERS))["How does dropout work?"]
    bank.close()
    own = authored("dropout", "How does dropout work?", "It zeroes activations.")
    later = Bank(settings, embedder, corpus=(own,))
    assert {"dropout", imported} <= {q.id for q in later.questions()}
    assert _together(later, "dropout", imported)
    later.close()
