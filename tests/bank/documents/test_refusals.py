"""What cannot be read is refused whole, with what is wrong and what to do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interviewer.bank.documents import Document, read_document
from interviewer.errors import DocumentRefused

ENOUGH = b"# List\n\n## Question 1: What is a queue?\n\nFirst in, first out.\n"


def refusal(path: Path) -> str:
    with pytest.raises(DocumentRefused) as refused:
        read_document(path)
    assert refused.value.path == str(path)
    assert refused.value.exit_code == 2
    assert str(refused.value).endswith("Nothing that was stored has changed.")
    return refused.value.reason


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "absent.md")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "folder" in refusal(tmp_path)


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"])
def test_a_file_without_text_is_refused_as_empty(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "empty.md"
    path.write_bytes(data)
    assert "empty" in refusal(path)


@pytest.mark.parametrize("data", [ENOUGH + b"\0", b"%PDF-1.7\n" + b"\x01\x02\x03\x04" * 50])
def test_a_binary_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "binary.md"
    path.write_bytes(data)
    assert "binary" in refusal(path)


def test_a_text_that_is_not_utf_8_is_refused_with_the_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.md"
    path.write_bytes(ENOUGH + "Zürich".encode("latin-1"))
    assert f"byte {len(ENOUGH) + 1}" in refusal(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf_16_is_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "wide.md"
    path.write_bytes(ENOUGH.decode().encode(encoding))
    assert "UTF-8" in refusal(path) or "binary" in refusal(path)


def test_a_file_over_five_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.md"
    path.write_bytes(ENOUGH + b"a" * (5 * 1024 * 1024))
    assert "5 MB" in refusal(path)


def test_what_is_no_file_at_all_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert "not an ordinary file" in refusal(path)


def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    assert "cannot be opened" in refusal(tmp_path / ("n" * 5000))


@pytest.mark.parametrize(
    "text",
    [
        "A text about nothing in particular.\nIt has two lines.\n",
        "# Pancakes\n\n1. Mix flour and milk.\n2. Add two eggs.\n3. Fry them.\n\n## Notes\n\n- Use butter\n- Serve hot\n",
        "1. Mix the flour\nuntil it is smooth.\n2. Add milk\nand stir.\n3. Fry it\nin butter.\n",
        "# Changes\n\n## Added\n\n- A button\n\n## Removed\n\n- Another button\n",
        "import os\n\nprint(os.getcwd())\n",
    ],
    ids=["prose", "recipe", "numbered steps", "changelog", "program"],
)
def test_a_text_without_questions_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.md"
    path.write_text(text)
    assert "no questions" in refusal(path)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            "- |1. |2. |# |## Question 1: |**|`|```|-|- Answer:|---|A. |-> B. |<details>|What is it?|x = (1|"
            "Some words here.|\n|\n\n|    |\t|> |é".split("|")
        ),
        max_size=40,
    )
)
def test_any_text_is_either_read_or_refused(read: Callable[[str], Document], pieces: list[str]) -> None:
    try:
        document = read("".join(pieces))
    except DocumentRefused:
        return
    assert document.questions
    assert Document.model_validate(document.model_dump(mode="json")) == document
