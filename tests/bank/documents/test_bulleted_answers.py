"""Questions on lines of their own with bulleted answers."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prose import answers, asked, everything, paragraphs, questions, sections

from interviewer.bank.documents import Document

Read = Callable[[str], Document]

CLUSTERS = """\
Cluster Questions
Welcome to this list of questions that interviewers like to ask.
Basics
What is a Pod?
- A Pod is the smallest unit. It holds containers.
Explain a Deployment
- A Deployment manages replicas.
- It rolls out changes.
Networks
This part is about addresses.
How does a Service find its pods
- It uses the
spec.selector
field, which matches labels.
What kinds of Service are there?
-
There are several kinds:
- ClusterIP
- NodePort
- LoadBalancer
About the author
Jane writes about clusters and lives by the sea.
More from Jane
- Ten tips for images
- Charts in a day
"""

TABLES = """\
Tables and Keys

**What is a primary key?**

* It is unique.
* It is never null:
  ```sql
  id INT PRIMARY KEY
  ```

**Explain foreign keys**

* They point to rows of another table.

Good luck, and follow us for more lists.
"""


def test_questions_sections_and_answers_are_read(read: Read) -> None:
    document = read(CLUSTERS)
    assert document.title == "Cluster Questions"
    assert asked(document) == [
        "What is a Pod?",
        "Explain a Deployment",
        "How does a Service find its pods",
        "What kinds of Service are there?",
    ]
    assert sections(document) == ["Basics", "Basics", "Networks", "Networks"]
    assert answers(document) == [
        "A Pod is the smallest unit. It holds containers.",
        "- A Deployment manages replicas.\n- It rolls out changes.",
        "It uses the `spec.selector` field, which matches labels.",
        "There are several kinds:\n\n- ClusterIP\n- NodePort\n- LoadBalancer",
    ]


def test_nothing_of_the_page_is_in_the_answers(read: Read) -> None:
    text = everything(read(CLUSTERS))
    assert not any(word in text for word in ("Welcome", "addresses", "Jane", "tips", "Charts"))


def test_bold_questions_and_code_in_bullets_are_kept_as_written(read: Read) -> None:
    document = read(TABLES)
    assert asked(document) == ["What is a primary key?", "Explain foreign keys"]
    assert answers(document)[0] == ("* It is unique.\n* It is never null:\n  ```sql\n  id INT PRIMARY KEY\n  ```")
    assert answers(document)[1] == "They point to rows of another table."


def test_bullets_of_print_become_lists(read: Read) -> None:
    document = read(CLUSTERS.replace("\n- ", "\n• "))
    assert answers(document) == answers(read(CLUSTERS))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(questions, st.lists(paragraphs, min_size=1, max_size=4)), min_size=1, max_size=8),
    st.sampled_from(["\n", "\n\n"]),
)
def test_what_is_written_in_this_shape_is_read_back(read: Read, items: list[tuple[str, list[str]]], gap: str) -> None:
    text = "A List of Questions\n"
    for question, bullets in items:
        text += gap + question + gap + "".join(f"- {bullet}\n" for bullet in bullets)
    document = read(text)
    assert asked(document) == [question for question, _ in items]
    assert [answer.removeprefix("- ").split("\n- ") for answer in answers(document)] == [b for _, b in items]
