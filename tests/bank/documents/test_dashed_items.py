"""Flattened lists: a lone dash, the question, a bullet "Answer:", and echoes of the outer bullets."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prose import answers, asked, everything, paragraphs, questions, sections

from interviewer.bank.documents import Document

Read = Callable[[str], Document]
# A bullet that repeats the answer's first line would be taken for an echo.
ITEMS = st.tuples(questions, paragraphs, st.lists(paragraphs, max_size=4, unique=True)).filter(
    lambda item: item[1] not in item[2]
)

CLUSTERS = """\
Clusters: A List
This list is for people who run clusters and would like to run them better.
Workloads
-
What is a Pod?
- Answer: The smallest unit that can be deployed.
-
How does
kubectl.applyand the server agree?- Answer: It sends a
PATCH, then:- The server merges the fields.
- It compares
metadata.annotationsof both. Later
kubectl.apply, again, wins.
- Answer: It sends a
Networks
-
Explain a Service
- Answer:
- ClusterIP: inside only, as in
metadata.annotations.
- NodePort: on every node.
- ClusterIP: inside only, as in
- Answer:
Thanks for reading! Subscribe to our letter for more of this.
"""

TABLES = """\
-
What is SQL?
- Answer: A language for tables.
-
Say what a view is
- Answer: A stored query.
Wrapping Up
That was our list for this week, so come back for the next one.
"""


def test_questions_sections_and_answers_are_read(read: Read) -> None:
    document = read(CLUSTERS)
    assert document.title == "Clusters: A List"
    assert len(document.questions) == 3
    assert asked(document)[0] == "What is a Pod?"
    assert asked(document)[2] == "Explain a Service"
    assert sections(document) == ["Workloads", "Workloads", "Networks"]
    assert answers(document)[0] == "The smallest unit that can be deployed."


def test_glued_bullets_become_a_list_and_echoes_go(read: Read) -> None:
    assert answers(read(CLUSTERS))[2] == (
        "- ClusterIP: inside only, as in metadata.annotations.\n- NodePort: on every node."
    )
    assert answers(read(CLUSTERS))[1].count("- The server merges the fields.") == 1


def test_words_are_taken_apart_only_where_the_document_knows_both(read: Read) -> None:
    document = read(CLUSTERS)
    assert asked(document)[1] == "How does `kubectl.apply` and the server agree?"
    assert "`metadata.annotations` of both." in answers(document)[1]
    unknown = read(CLUSTERS.replace("kubectl.applyand", "kubectl.applyfast"))
    assert asked(unknown)[1] == "How does kubectl.applyfast the server agree?"


def test_the_page_after_the_last_answer_is_left_out(read: Read) -> None:
    assert "Thanks" not in everything(read(CLUSTERS))
    assert answers(read(TABLES)) == ["A language for tables.", "A stored query."]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ITEMS, min_size=1, max_size=8), st.booleans())
def test_what_is_written_in_this_shape_is_read_back(
    read: Read, items: list[tuple[str, str, list[str]]], echoes: bool
) -> None:
    text = "A List\nSome words that lead in to the list, and end here.\nBasics\n"
    for question, lead, bullets in items:
        text += f"-\n{question}\n- Answer: {lead}\n" + "".join(f"- {bullet}\n" for bullet in bullets)
        text += f"- Answer: {lead}\n" if echoes and bullets else ""
    document = read(text)
    assert asked(document) == [question for question, _, _ in items]
    assert set(sections(document)) == {"Basics"}
    for found, (_, lead, bullets) in zip(answers(document), items, strict=True):
        assert found == "\n\n".join(p for p in (lead, "\n".join(f"- {b}" for b in bullets)) if p)
