"""What the tests of the bank share: documents to read, and a bank that holds the published ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from interviewer.bank.bank import Bank
from interviewer.embedding import Embedder
from interviewer.models import Question
from interviewer.settings import Settings

_SEEDS = Path(__file__).resolve().parents[2] / ".." / "shared" / "seeds"

WriteDocument = Callable[[Path, Mapping[str, str]], Path]


@pytest.fixture(scope="session")
def seed_paths() -> list[Path]:
    """The published documents, where they are at hand."""
    if not _SEEDS.is_dir():
        pytest.skip("the published documents are not at hand")
    return sorted(_SEEDS.resolve().glob("*.txt"))


@pytest.fixture(scope="session")
def seeded(seed_paths: list[Path], embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    """A bank that holds the published documents. Tests that use it leave it as it is."""
    bank = Bank(Settings(home=tmp_path_factory.mktemp("seeded")), embedder)
    bank.ingest(seed_paths)
    yield bank
    bank.close()


@pytest.fixture
def own_bank(settings: Settings, embedder: Embedder) -> Iterator[Bank]:
    """A bank of imported questions only, to be changed as a test likes."""
    bank = Bank(settings, embedder, corpus=())
    yield bank
    bank.close()


@pytest.fixture(scope="session")
def write() -> WriteDocument:
    """Writes a document of numbered bold questions with their answers indented below."""

    def write_document(path: Path, answers: Mapping[str, str]) -> Path:
        parts = ["# Questions\n"]
        for number, (question, answer) in enumerate(answers.items(), 1):
            indented = "\n".join(f"   {line}" if line else "" for line in answer.splitlines())
            parts.append(f"{number}. **{question}**\n\n{indented}\n")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(parts), encoding="utf-8")
        return path

    return write_document


@pytest.fixture(scope="session")
def authored() -> Callable[[str, str, str], Question]:
    """A question of the bank's own: id, question, answer."""

    def make(id: str, question: str, answer: str) -> Question:
        return Question.model_validate(
            {
                "id": id,
                "question": question,
                "topic": "autograd",
                "level": "mid",
                "kind": "explain",
                "points": [{"id": "one", "claim": answer, "follow_up": "And why?"}],
                "references": [{"source": "bank", "text": answer}],
            }
        )

    return make
