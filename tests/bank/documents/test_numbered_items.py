"""Numbered questions in bold, with their answers inside the item or below it."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prose import answers, asked, everything, flat, paragraphs, questions, sections, titles

from interviewer.bank.documents import Document

Read = Callable[[str], Document]

LINUX = """\
# Linux at Work

These drills are for administrators. Take your time with them.

## Processes

A few words on processes before we begin.

1. **What is a zombie process?**

   It has ended, and its parent has not asked for its status. To make one:

   1. fork
   2. let the child end

2. **Explain nice values**

   They run from -20 to 19.

   - low ones are served first
   - high ones wait

> **Sponsored:** rent a machine by the hour.

## Files

3. **What is an inode?**

   The record of a file.

   ```sh
   ls -i
   ```
4. **List the kinds of files**:
   Ordinary ones, directories, links.

That was all. Write to us with your own!
"""

DATABASES = """\
**1. What does ACID stand for?**

Atomicity, consistency, isolation, durability.

**2. What is a view?**

A stored query.

```sql
CREATE VIEW v AS SELECT 1;
```

It holds no rows.

---

*More of this every week: subscribe.*
"""


def test_items_are_read_with_sections_numbers_and_answers(read: Read) -> None:
    document = read(LINUX)
    assert document.title == "Linux at Work"
    assert asked(document) == [
        "What is a zombie process?",
        "Explain nice values",
        "What is an inode?",
        "List the kinds of files",
    ]
    assert [question.number for question in document.questions] == [1, 2, 3, 4]
    assert sections(document) == ["Processes", "Processes", "Files", "Files"]
    assert answers(document)[2] == "The record of a file.\n\n```sh\nls -i\n```"
    assert answers(document)[3] == "Ordinary ones, directories, links."


def test_a_list_inside_an_answer_stays_in_it(read: Read) -> None:
    first = answers(read(LINUX))[0]
    assert "1. fork\n2. let the child end" in first


def test_text_that_stands_outside_of_the_items_is_the_pages(read: Read) -> None:
    text = everything(read(LINUX))
    assert not any(word in text for word in ("Sponsored", "administrators", "before we begin", "Write to us"))


def test_answers_below_bold_paragraphs_end_at_a_rule(read: Read) -> None:
    document = read(DATABASES)
    assert asked(document) == ["What does ACID stand for?", "What is a view?"]
    assert answers(document)[1] == "A stored query.\n\n```sql\nCREATE VIEW v AS SELECT 1;\n```\n\nIt holds no rows."


def test_an_answer_indented_too_little_for_its_item_is_kept(read: Read) -> None:
    items = "".join(f"{n}. **What is part {n}?**\n\n   Part {n} of the whole.\n\n" for n in range(1, 13))
    document = read("# Parts\n\n" + items)
    assert answers(document) == [f"Part {n} of the whole." for n in range(1, 13)]


def test_windows_line_ends_change_nothing(read: Read) -> None:
    assert read(LINUX.replace("\n", "\r\n")).questions == read(LINUX).questions


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(titles, st.lists(st.tuples(questions, st.lists(paragraphs, min_size=1, max_size=3)), min_size=1)),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_written_in_this_shape_is_read_back(
    read: Read, parts: list[tuple[str, list[tuple[str, list[str]]]]]
) -> None:
    text, number = "# Drills\n\nSome words on the drills.\n", 0
    for title, items in parts:
        text += f"\n## {title}\n"
        for question, answer in items:
            number += 1
            indent = " " * len(f"{number}. ")
            text += f"\n{number}. **{question}**\n\n" + "\n\n".join(indent + paragraph for paragraph in answer) + "\n"
    document = read(text)
    expected = [(title, question, answer) for title, items in parts for question, answer in items]
    assert asked(document) == [question for _, question, _ in expected]
    assert sections(document) == [title for title, _, _ in expected]
    assert [flat(answer) for answer in answers(document)] == [" ".join(answer) for _, _, answer in expected]
