"""The commands that people and scripts rely on, as processes of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.corpus import own_questions
from interviewer.models import Question
from tests.surfaces.shell import Shell

BY_ID: dict[str, Question] = {q.id: q for q in own_questions()}


def test_help_names_every_command(interviewer: Shell) -> None:
    done = interviewer("--help")
    for name in ("chat", "serve", "ingest", "search", "grade", "run", "doctor", "report", "bank", "review", "practice"):
        assert name in done.stdout


def test_wrong_usage_ends_with_2_and_a_sentence(interviewer: Shell, tmp_path: Path) -> None:
    for words in (
        ("chat", "--ask", "no-such-question"),
        ("chat", "--resume", "nope"),
        ("report", "nope"),
        ("run", "nope", str(tmp_path)),
        ("ingest", str(tmp_path / "missing.md")),
        ("review", "show", "7"),
        ("grade", "--frobnicate"),
    ):
        done = interviewer(*words)
        assert done.returncode == 2, (words, done)
        assert done.stdout == "" and done.stderr.strip() and "Traceback" not in done.stderr, words


def test_doctor_says_what_is_there_and_in_force(interviewer: Shell) -> None:
    parts = {part["name"]: part for part in interviewer.json("doctor", "--json")["parts"]}
    assert {"python", "torch", "embedding model", "question bank", "store", "sandbox", "gpu", "language model"} <= set(
        parts
    )
    assert parts["embedding model"]["ok"] and parts["store"]["ok"]


def test_doctor_says_how_to_mend_a_home_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, not a folder")
    done = Shell(tmp_path / "home")("doctor", "--json")
    assert done.returncode == 3
    store = next(p for p in json.loads(done.stdout)["parts"] if p["name"] == "store")
    assert not store["ok"] and "INTERVIEWER_HOME" in store["mend"]


@pytest.mark.models
def test_a_scripted_interview_ends_in_a_report_that_can_be_had_again(interviewer: Shell, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("Buffers are saved in the state_dict and moved by to(), but not trained\nhint\nno idea\n\n\n")
    told = interviewer.json("chat", "--ask", "parameter-vs-buffer", "--script", str(script), "--json")
    assert told["ended"]
    assert [t["role"] for t in told["turns"][:4]] == ["interviewer", "candidate", "interviewer", "candidate"]
    [answered] = told["report"]["answered"]
    assert answered["hints"] == 1
    again = interviewer.json("report", told["session"], "--format", "json")
    assert again == told["report"]
    assert interviewer("report", told["session"], "--format", "html").stdout.startswith("<!doctype html>")


@pytest.mark.models
def test_graded_lines_follow_the_contract(interviewer: Shell) -> None:
    known = BY_ID["parameter-vs-buffer"].question
    items: list[dict[str, Any]] = [
        {"id": "a", "question": known, "answer": "model.parameters() lists Parameters, so the optimizer trains them."},
        {"id": "b", "question": "What is a monad?", "answer": "A burrito."},
        {
            "id": "c",
            "question": "What does a left join return?",
            "answer": "Every row of the left table, with nulls where the right one has no match.",
            "reference": "A left join returns every row of the left table. Columns of the right table are NULL where nothing matches.",
        },
        {"id": 4, "question": known, "answer": ""},
    ]
    done = interviewer("grade", "--json", given="\n".join(map(json.dumps, items)))
    assert done.returncode == 0, done.stderr
    a, b, c, d = map(json.loads, done.stdout.splitlines())
    assert [r["id"] for r in (a, b, c, d)] == ["a", "b", "c", 4]
    assert set(a) == {"id", "score", "max_score", "confidence", "unscored", "points"}
    assert set(a["points"][0]) == {"point", "verdict", "quote", "weight"}
    assert a["score"] > 0 and c["score"] > 2 and d["score"] == 0
    assert b["score"] is None and "no such question" in b["unscored"]


def test_lines_that_are_no_items_are_all_named_and_nothing_is_graded(interviewer: Shell) -> None:
    done = interviewer("grade", given='{"id":1,"question":"Why?","answer":"a"}\nnot json\n{"id":2}\n[]\n')
    assert done.returncode == 2 and done.stdout == ""
    assert all(f"line {n}" in done.stderr for n in (2, 3, 4)) and "line 1" not in done.stderr


@pytest.mark.sandbox
def test_a_submission_passes_or_the_answer_is_no(interviewer: Shell, tmp_path: Path) -> None:
    task = BY_ID["stable-cross-entropy"].task
    assert task
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(task.solution)
    wrong.write_text(task.starter)
    assert interviewer.json("run", "stable-cross-entropy", str(right), "--json")["outcome"] == "passed"
    assert interviewer.json("run", "stable-cross-entropy", str(wrong), "--json", code=1)["outcome"] == "failed"


@pytest.mark.models
def test_documents_go_in_are_found_and_are_refused_whole(interviewer: Shell, tmp_path: Path) -> None:
    good = tmp_path / "joins.md"
    good.write_text(
        "# SQL\n\n1. **What does a left join return?**\n\n   Every row of the left table, with nulls for missing matches.\n\n"
        "2. **What does an inner join return?**\n\n   Only the rows that match in both tables.\n"
    )
    [document] = interviewer.json("ingest", str(good), "--json")["documents"]
    assert (document["added"], len(document["questions"])) == (2, 2)
    empty = tmp_path / "empty.md"
    empty.write_text("")
    refused = interviewer("ingest", str(good), str(empty), "--json")
    assert refused.returncode == 2 and "empty.md" in refused.stderr and refused.stdout == ""
    [hit] = interviewer.json("search", "What does a left join return?", "-k", "1", "--json")["hits"]
    assert hit["id"] == document["questions"][0]["id"]
    assert set(hit) == {"id", "question", "score", "source", "cluster"}
    stats = interviewer.json("bank", "stats", "--json")
    assert stats["questions"] == len(BY_ID) + 2


def test_mistakes_in_a_bank_are_listed_and_the_answer_is_no(interviewer: Shell, tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_text("---\nid: bad\n---\n")
    done = interviewer("bank", "check", str(tmp_path))
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) > 3 and "bad.md:" in done.stdout
    assert interviewer("bank", "check").returncode == 0
