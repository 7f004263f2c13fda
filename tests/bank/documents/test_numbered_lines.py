"""Plain pages: numbered lines in sequence, some of them glued; code without fences; prose glued to code."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prose import answers, asked, everything, paragraphs, questions, sections

from interviewer.bank.documents import Document

Read = Callable[[str], Document]

TABLES = """\
Questions on Tables
Tables hold data for nearly every product that people use today.
1. What is a table?
A table holds rows and columns.
To make one you go through two steps:
1. Choose the names.
2. Choose the types.
SELECT name
FROM users
WHERE id = 1;Here the filter keeps one row of the users table.
2. Explain joins
A join combines the rows of two tables. In release 3. Something else came.

3. What is an index
An index makes reading faster.
CREATE INDEX idx ON users (name);4. Why is writing slower with an index?
Each write has to change the index as well.
Final Thoughts
Practice makes perfect, so go on with these questions.
Related:
- Learn to cook
"""

CLOSURES = """\
1) What is a closure?
A function with the names around it. For example:
def outer():
x = 1
def inner():
return x
return innerThe inner function still sees x after outer has returned.
2) How are dictionaries merged?
With the bar operator, which leaves both as they were:
merged = left | right
print(merged)3) Describe __slots__ and its use.
A class with __slots__ has no dictionary for each instance, which saves memory.
You can name the slots in a tuple.
You might also read:
- Twenty tricks
- Our course
"""

IMAGES = """\
Images and Layers
Basics
1. What is an image?
A template for containers.

2. What is a container?
A running image.

Beyond the Basics
3. What is a layer?
One step of a build.
docker build -t app .
4. What is a volume?
Storage outside of the layers.
"""


def test_the_sequence_tells_questions_from_lists_inside_answers(read: Read) -> None:
    document = read(TABLES)
    assert document.title == "Questions on Tables"
    assert asked(document) == [
        "What is a table?",
        "Explain joins",
        "What is an index",
        "Why is writing slower with an index?",
    ]
    assert [question.number for question in document.questions] == [1, 2, 3, 4]
    assert "1. Choose the names.\n2. Choose the types." in answers(document)[0]
    assert answers(document)[1] == "A join combines the rows of two tables. In release 3. Something else came."


def test_code_and_the_prose_glued_to_it_are_separated(read: Read) -> None:
    first, _, third, _ = answers(read(TABLES))
    assert "```sql\nSELECT name\nFROM users\nWHERE id = 1;\n```\n\nHere the filter" in first
    assert third.endswith("```sql\nCREATE INDEX idx ON users (name);\n```")


def test_the_page_after_the_last_answer_is_left_out(read: Read) -> None:
    assert answers(read(TABLES))[-1] == "Each write has to change the index as well."
    assert answers(read(CLOSURES))[-1].endswith("You can name the slots in a tuple.")
    assert "nearly every product" not in everything(read(TABLES))


def test_code_that_lost_its_indentation_is_kept_line_by_line_and_marked(read: Read) -> None:
    first, second, third = read(CLOSURES).questions
    assert "```python\ndef outer():\nx = 1\ndef inner():\nreturn x\nreturn inner\n```" in first.answer
    assert "The inner function still sees x after outer has returned." in first.answer
    assert (first.indentation_lost, second.indentation_lost, third.indentation_lost) == (True, False, False)


def test_code_that_kept_its_indentation_is_not_marked(read: Read) -> None:
    kept = CLOSURES.replace("\nx = 1", "\n    x = 1").replace("\ndef inner", "\n    def inner")
    kept = kept.replace("\nreturn x\nreturn", "\n        return x\n    return")
    first = read(kept).questions[0]
    assert "    def inner():\n        return x" in first.answer
    assert not first.indentation_lost


def test_names_with_double_underscores_are_not_shown_in_bold(read: Read) -> None:
    assert "A class with `__slots__` has" in answers(read(CLOSURES))[2]


def test_titles_above_numbered_lines_are_sections(read: Read) -> None:
    document = read(IMAGES)
    assert sections(document) == ["Basics", "Basics", "Beyond the Basics", "Beyond the Basics"]
    assert answers(document)[1] == "A running image."


def test_a_table_of_contents_is_not_taken_for_the_questions(read: Read) -> None:
    contents = "1. What is an image?\n2. What is a container?\n3. What is a layer?\n4. What is a volume?\n"
    document = read(contents + "Now to the answers, one after the other.\n" + IMAGES.split("Basics\n", 1)[1])
    assert answers(document)[0] == "A template for containers."
    assert len(document.questions) == 4


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(questions, st.lists(paragraphs, min_size=1, max_size=3), st.booleans(), st.booleans()),
        min_size=2,
        max_size=12,
    )
)
def test_what_is_written_in_this_shape_is_read_back(read: Read, items: list[tuple[str, list[str], bool, bool]]) -> None:
    text, glue = "Some words that lead in to the list, and end here.", "\n"
    for number, (question, answer, code, glued) in enumerate(items, 1):
        text += f"{glue}{number}. {question}\n" + "\n".join(answer)
        text += "\nvalue = compute(left, right)\nprint(value)" if code else ""
        glue = "" if code and glued else "\n"
    document = read(text)
    assert asked(document) == [question for question, _, _, _ in items]
    for found, (_, answer, code, _) in zip(answers(document), items, strict=True):
        block = "\n\n```python\nvalue = compute(left, right)\nprint(value)\n```" if code else ""
        assert found == "\n\n".join(answer) + block
