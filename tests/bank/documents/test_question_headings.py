"""A heading for each question; answers with headings of their own; quick checks; pages that go on after the last."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prose import answers, asked, everything, flat, paragraphs, questions, sections, words

from interviewer.bank.documents import Document

Read = Callable[[str], Document]

CLUSTERS = """\
# Cluster drills

Welcome to our drills.

**[Sponsored: a course on clusters](https://example.com)**

| # | Question |
|---|---|
| 1 | Say what a PersistentVolume is |

## Drills

### Question 1: Say what a PersistentVolume is

**Difficulty:** Easy | **Subject:** Disks

## The Case

A pod lost its data.

### Step 1: Look

A volume outlives a pod.

```yaml
kind: PersistentVolume
```

---

### Self Test

**Which object asks for storage?**

a) Pod
-> b) **PersistentVolumeClaim**
c) Node

<details>
<summary>Show</summary>
A claim asks for storage.
</details>

---

### Question 2: How do claims bind?

**Difficulty:** Hard | **Subject:** Disks

## The Case

Two claims wait.

### Step 1: Compare

They match on size and class.
---

### Self Test

**What is compared first?**

   a) the name
   b) the age
   c) the class
   d) the owner
-> e) **the size**

<details>
<summary>Show</summary>

The size it is.

It has to be large enough.

</details>

---

### Question 3: Describe a Service

**Difficulty:** Easy | **Subject:** Nets

## The Case

Pods come and go.

### Step 1: Name

A Service is a stable address.

---

## Learn with us

We train engineers. **Start today.**

---

*Liked it? [Tell a friend](https://example.com).*
"""

QUERIES = """\
# SQL
Words that introduce the list.
## Q1. What is a join?
It combines rows:
1. inner
2. left
## Q2) What is an index?
It makes reading faster.
```sql
CREATE INDEX i ON t (a);
```
[Back to top](#sql)
## Q3: Explain normal forms
First, second, third.

[Back to top](#sql)
# Thanks
Thanks for reading our list.
"""


def test_labelled_headings_are_read_with_their_particulars(read: Read) -> None:
    document = read(CLUSTERS)
    assert asked(document) == ["Say what a PersistentVolume is", "How do claims bind?", "Describe a Service"]
    assert [question.number for question in document.questions] == [1, 2, 3]
    assert [question.label for question in document.questions] == ["Easy", "Hard", "Easy"]
    assert sections(document) == ["Disks", "Disks", "Nets"]


def test_headings_that_come_back_belong_to_the_answers_even_above_the_questions_level(read: Read) -> None:
    for answer in answers(read(CLUSTERS)):
        assert answer.startswith("## The Case")
        assert "### Step 1" in answer


def test_quick_checks_leave_the_answer_and_lose_nothing(read: Read) -> None:
    first, second, third = read(CLUSTERS).questions
    assert first.choice and second.choice and third.choice is None
    assert first.choice.question == "Which object asks for storage?"
    assert first.choice.options == ("Pod", "PersistentVolumeClaim", "Node")
    assert (first.choice.correct, second.choice.correct) == ("B", "E")
    assert first.choice.explanation == "A claim asks for storage."
    assert second.choice.explanation == "The size it is.\n\nIt has to be large enough."
    assert first.answer.endswith("```") and second.answer.endswith("They match on size and class.")


def test_what_a_rule_sets_apart_after_the_last_answer_is_the_pages(read: Read) -> None:
    document = read(CLUSTERS)
    assert answers(document)[-1].endswith("A Service is a stable address.")
    assert not any(word in everything(document) for word in ("Sponsored", "Welcome", "Learn with us", "friend", "|"))


def test_short_labels_and_plain_headings_are_read(read: Read) -> None:
    document = read(QUERIES)
    assert document.title == "SQL"
    assert asked(document) == ["What is a join?", "What is an index?", "Explain normal forms"]
    assert answers(document) == [
        "It combines rows:\n\n1. inner\n2. left",
        "It makes reading faster.\n\n```sql\nCREATE INDEX i ON t (a);\n```",
        "First, second, third.",
    ]
    assert not any(word in everything(document) for word in ("introduce", "Back to top", "Thanks"))


def test_numbered_headings_are_told_from_the_steps_below_them(read: Read) -> None:
    text = "".join(
        f"## {n}. What is lock {n}?\n\nA lock.\n\n### 1. Take it\n\nTake {n}.\n\n### 2. Free it\n\nFree {n}.\n\n"
        for n in (1, 2, 3)
    )
    document = read(text)
    assert asked(document) == ["What is lock 1?", "What is lock 2?", "What is lock 3?"]
    assert all("### 1. Take it" in answer and "### 2. Free it" in answer for answer in answers(document))


def test_sections_above_the_questions_and_their_introductions_are_no_answers(read: Read) -> None:
    text = (
        "# Net\n\n## Links\n\nOn links.\n\n### Question 1: What is TCP?\n\nA stream.\n\n"
        "## Names\n\nOn names.\n\n### Question 2: What is DNS?\n\nA directory.\n\n### Question 3: What is a zone?\n\nA part.\n"
    )
    document = read(text)
    assert sections(document) == ["Links", "Names", "Names"]
    assert answers(document) == ["A stream.", "A directory.", "A part."]


def test_a_document_of_one_question_keeps_the_headings_of_its_answer(read: Read) -> None:
    document = read(
        "# One\n\n### Question 1: What is a pod?\n\n## The Case\n\nPods fail.\n\n---\n\n## Our course\n\nBuy it.\n"
    )
    assert answers(document) == ["## The Case\n\nPods fail."]


@pytest.mark.parametrize(
    "options",
    [
        "a) one\n-> b) two\nc) three",
        "A. one\nB. **two**\nC. three",
        "- [ ] A. one\n- [x] B. two\n- [ ] C. three",
        "- A) one\n- B) two ✓\n- C) three",
        "A) one\n\nB) two\n\nC) three\n\n**Answer: B.** Two it is.",
        "(a) one\n(b) two\n(c) three\n\nThe correct answer is b) for a reason.",
    ],
)
def test_options_are_read_however_they_are_lettered_and_marked(read: Read, options: str) -> None:
    document = read(f"## Question 1: What is a pair?\n\nTwo things.\n\n**How many are a pair?**\n\n{options}\n")
    choice = document.questions[0].choice
    assert choice
    assert (choice.question, choice.options, choice.correct) == (
        "How many are a pair?",
        ("one", "two", "three"),
        "B",
    )
    assert answers(document) == ["Two things."]


def test_options_without_a_right_one_stay_in_the_answer(read: Read) -> None:
    document = read("## Question 1: What is a pair?\n\nTwo things.\n\nWhich?\n\nA. one\nB. two\n")
    assert document.questions[0].choice is None
    assert "A. one\nB. two" in answers(document)[0]


checks = st.tuples(words, st.lists(words, min_size=3, max_size=5, unique=True), st.integers(0, 2), paragraphs)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(questions, st.lists(paragraphs, min_size=1, max_size=3), st.none() | checks), min_size=1, max_size=6
    ),
    st.sampled_from(["Question {}: ", "Q{}. ", "Question {} - "]),
    st.sampled_from(["{}. ", "{}) "]),
)
def test_what_is_written_in_this_shape_is_read_back(
    read: Read,
    items: list[tuple[str, list[str], tuple[str, list[str], int, str] | None]],
    heading: str,
    lettering: str,
) -> None:
    text = "# Drills\n\nSome words on the drills.\n"
    for number, (question, answer, check) in enumerate(items, 1):
        text += f"\n### {heading.format(number)}{question}\n\n" + "\n\n".join(answer) + "\n"
        if check:
            word, options, right, why = check
            marks = ["-> " if i == right else "   " for i in range(len(options))]
            rows = [m + lettering.format("ABCDE"[i]) + o for i, (m, o) in enumerate(zip(marks, options, strict=True))]
            text += f"\n---\n\n### Try\n\n**Which {word}?**\n\n" + "\n".join(rows)
            text += f"\n\n<details>\n<summary>Show</summary>\n\n{why}\n\n</details>\n"
        text += "\n---\n"
    text += "\n## Our shop\n\nBuy a course.\n"
    document = read(text)
    assert asked(document) == [question for question, _, _ in items]
    assert [flat(answer) for answer in answers(document)] == [" ".join(answer) for _, answer, _ in items]
    for question, (_, _, check) in zip(document.questions, items, strict=True):
        assert (question.choice is None) == (check is None)
        if question.choice and check:
            word, options, right, why = check
            assert question.choice.question == f"Which {word}?"
            assert question.choice.options == tuple(options)
            assert question.choice.correct == "ABCDE"[right]
            assert question.choice.explanation == why
