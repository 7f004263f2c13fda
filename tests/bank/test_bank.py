"""The bank's door, over the published documents and the bundled questions."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interviewer.bank.bank import Bank
from interviewer.bank.documents import read_document
from interviewer.errors import UsageError
from interviewer.models import Kind, Level, Topic

COUNTS = [20, 24, 40, 51, 12]


def test_questions_are_had_without_loading_the_numeric_libraries(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from interviewer.bank.bank import Bank; "
        "from interviewer.embedding import Embedder; from interviewer.settings import Settings; "
        f"bank = Bank(Settings(home=Path({str(tmp_path)!r})), Embedder()); "
        "asked = bank.questions(); assert asked and bank.get(asked[0].id) == asked[0]; "
        "print([m for m in ('torch', 'chromadb', 'sentence_transformers', 'sklearn', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_question_is_refused(bank: Bank) -> None:
    with pytest.raises(UsageError, match="no-such-question"):
        bank.get("no-such-question")


@pytest.mark.parametrize(("text", "k"), [("  ", 3), ("tensors", 0)])
def test_a_search_for_nothing_is_refused(bank: Bank, text: str, k: int) -> None:
    with pytest.raises(UsageError):
        bank.search(text, k)


@pytest.mark.models
def test_the_published_documents_give_all_their_questions_and_change_nothing_again(
    seeded: Bank, seed_paths: list[Path]
) -> None:
    again = seeded.ingest(seed_paths)
    assert [len(r.questions) for r in again] == COUNTS
    assert [r.unchanged for r in again] == COUNTS
    assert [(r.added, r.changed, r.retired) for r in again] == [(0, 0, 0)] * 5
    assert sum(q.quick_check is not None for r in again for q in r.questions) == 10


@pytest.mark.models
def test_a_question_is_found_by_another_way_to_ask_it_which_is_not_shown_as_a_passage(bank: Bank) -> None:
    question = bank.get("autograd-engine")
    for wording in question.also:
        [hit] = bank.search(wording, 1)
        assert (hit.id, wording in hit.passage) == (question.id, False)


@pytest.mark.models
def test_searching_for_a_question_finds_its_own_cluster_first(seeded: Bank, seed_paths: list[Path]) -> None:
    ids = {q.id: q.question for r in seeded.ingest(seed_paths) for q in r.questions}
    cluster_of = {m.id: cluster.id for cluster in seeded.clusters() for m in cluster.members}
    assert len(ids) == sum(COUNTS)
    for name, question in ids.items():
        first = seeded.search(question, 1)[0]
        assert first.cluster == cluster_of[name], question
        assert first.score == 1.0


@pytest.mark.models
def test_each_hit_is_another_cluster_and_scores_fall(seeded: Bank) -> None:
    hits = seeded.search("the loss is NaN after a few steps", 8)
    assert len({hit.cluster for hit in hits}) == len(hits) == 8
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.models
def test_a_search_also_finds_what_only_an_answer_says(seeded: Bank, seed_paths: list[Path]) -> None:
    said = "SGD uses a fixed learning rate, potentially leading to slower convergence."
    source = next(p.name for p in seed_paths if any(said in q.answer for q in read_document(p).questions))
    hits = seeded.search(said, 3)
    assert any(hit.source == source and said in hit.passage for hit in hits)


@pytest.mark.models
def test_neighbours_are_other_clusters(seeded: Bank) -> None:
    own = next(c for c in seeded.clusters() if len(c.members) == 5)
    hits = seeded.neighbours(own.id, 4)
    assert len(hits) == 4
    assert own.id not in {hit.cluster for hit in hits}


@pytest.mark.models
def test_every_topic_level_and_kind_is_counted_and_adds_up(seeded: Bank) -> None:
    stats = seeded.stats()
    assert json.loads(json.dumps(stats)) == stats
    for part, of in (("by_topic", Topic), ("by_level", Level), ("by_kind", Kind)):
        assert list(stats[part]) == [value.value for value in of]
        assert sum(stats[part].values()) == stats["questions"] == len(seeded.questions())


@pytest.mark.models
def test_many_threads_get_the_same_answers(seeded: Bank) -> None:
    texts = ["What is a tensor?", "autograd", "save a model", "dropout"] * 4
    alone = [seeded.search(text, 3) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda text: seeded.search(text, 3), texts)) == alone
