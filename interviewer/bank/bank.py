"""The question bank as everyone else sees it: the bundled questions and the imported ones, behind one door.

Promises: thread-safe; questions are had without a model, an index or the numeric libraries, which load on the first
search, neighbours or change; a question that was retired can still be had by its id. Does not pick or grade.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interviewer.bank.clusters import Cluster, Decision
from interviewer.bank.corpus import questions_of
from interviewer.bank.documents_kept import KeptDocument
from interviewer.bank.index import Found, Index
from interviewer.bank.library import Library
from interviewer.bank.ranking import nearest, rank
from interviewer.bank.results import IngestResult
from interviewer.bank.shelf import Shelf
from interviewer.bank.terms import normalised, without_framework
from interviewer.bank.view import View, make_view
from interviewer.embedding import Embedder, Matrix
from interviewer.errors import UsageError
from interviewer.models import Hit, Kind, Level, Question, Reference, Topic
from interviewer.settings import Settings

_SPARE = 4  # texts asked of the index for each hit
_TEXTS = 200  # at least, for a search


class Bank:
    """All questions: the bank's own, from ``corpus`` or else from ``settings``, and those in ``settings.library``.

    Raises BankError where the files of the bank's own have mistakes.
    """

    def __init__(self, settings: Settings, embedder: Embedder, corpus: tuple[Question, ...] | None = None):
        self._corpus = questions_of(settings) if corpus is None else corpus
        self._library = Library(settings, self._corpus, embedder)
        self._lock = threading.RLock()
        self._view: tuple[Shelf, View] | None = None
        self._questions, self._wordings, self._passages = (
            Index(settings.index, settings.locks / f"index-{name}.lock", name, self._library.vectors.encode)
            for name in ("questions", "wordings", "passages")
        )

    def questions(self) -> tuple[Question, ...]:
        """Every question that can be asked: the bank's own, then each other cluster of imported ones once."""
        return tuple(self._now().askable.values())

    def own_questions(self) -> tuple[Question, ...]:
        """The bank's own alone, without the imported ones."""
        return self._corpus

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Embeddings of ``texts``: float32 [len(texts), 384], each row of length 1."""
        return self._library.vectors.encode(texts)

    def get(self, question_id: str) -> Question:
        """Raises UsageError where no such question ever was."""
        view = self._now()
        question = view.askable.get(question_id) or view.own(question_id)
        if question is None:
            raise UsageError(f"There is no question {question_id!r} in the bank. `interviewer search` finds questions.")
        return question

    def in_use(self, question_id: str) -> bool:
        """Whether it can be asked, by itself or by the one that stands for it; not where it was retired."""
        return question_id in self._now().cluster_of

    def references(self, question_id: str) -> tuple[Reference, ...]:
        """All reference answers to it: its own first, then those of the same question elsewhere."""
        self.get(question_id)
        return self._now().references(question_id)

    def search(self, text: str, k: int = 5) -> list[Hit]:
        """The ``k`` clusters that fit ``text`` best, by meaning and by words, each by its best member (see ranking); the very
        question asked for comes first."""
        if not text.strip() or k < 1:
            raise UsageError("A search needs some words, and a number of hits of at least 1.")
        view = self._now()
        exact = view.by_words.get(normalised(text))
        wanted = max(_TEXTS, k * _SPARE)
        found = [
            *self._near_questions(view, text, wanted),
            *_asked(self._wordings.search(without_framework(text), wanted, view.wording_texts)),
            *self._passages.search(text, wanted, view.passage_texts),
        ]
        hits = rank(view, text, found, view.words.scores(text), exact)
        return hits[:k]

    def same_question(self, text: str) -> Hit | None:
        """The question whose own words are nearest to ``text``, with their cosine; None in an empty bank."""
        view = self._now()
        hits = nearest(view, self._near_questions(view, text, _SPARE))
        return hits[0] if hits else None

    def neighbours(self, question_id: str, k: int = 5) -> list[Hit]:
        """The ``k`` other clusters whose questions are nearest to this one's."""
        text = self.get(question_id).question
        view = self._now()
        cluster = view.cluster_of.get(question_id)
        own = {m.id for m in cluster.members} if cluster else {question_id}
        wanted = k * _SPARE + len(own)
        found = [f for f in self._near_questions(view, text, wanted) if f.question not in own]
        return nearest(view, found)[:k]

    def ingest(self, paths: Sequence[Path]) -> list[IngestResult]:
        """Reads documents into the bank, all or none. Raises DocumentRefused."""
        return self._library.ingest(paths)

    def documents(self) -> tuple[KeptDocument, ...]:
        """The imported documents, the one that was read last first."""
        return self._library.documents()

    def questions_of(self, document: KeptDocument) -> tuple[Question, ...]:
        """Those of its questions that are in use, in its order of import; those that stand for others too, and those that don't."""
        return tuple(q for q in self._now().live.values() if q.references[0].source == document.source)

    def retire(self, slug: str) -> int:
        """Takes all questions of a document out of use; how many those were. Raises UsageError where there is none."""
        return self._library.retire(slug)

    def clusters(self) -> tuple[Cluster, ...]:
        """Which questions are one, those that stand alone as well; the representative is the first member."""
        self._library.bring_clusters_up_to_date()
        return self._now().clusters

    def split(self, cluster: str, member: str) -> None:
        """Takes ``member`` out of its cluster, for good."""
        self._library.split(cluster, member)

    def merge(self, one: str, other: str) -> None:
        """Makes the clusters of the two questions one, for good."""
        self._library.merge(one, other)

    def undo(self) -> Decision:
        """Takes the last split or merge back and returns it."""
        return self._library.undo()

    def stats(self) -> dict[str, Any]:
        """Counts of what can be asked. ``tasks_by_kind``: those that want code; ``by_topic_and_level``: topic → level →
        questions; ``experiments``, ``submissions``, ``points`` and ``misconceptions`` are the bank's own. ``covered``: for
        each imported document, how many of its questions the bank has a rubric of its own for."""
        self._library.bring_clusters_up_to_date()
        view = self._now()
        asked = self.questions()
        return {
            "questions": len(asked),
            "tasks": sum(q.wants_code for q in asked),
            "by_topic": _counts([q.topic for q in asked], Topic),
            "by_level": _counts([q.level for q in asked], Level),
            "by_kind": _counts([q.kind for q in asked], Kind),
            "tasks_by_kind": _counts([q.kind for q in asked if q.wants_code], Kind),
            "by_topic_and_level": {
                topic.value: _counts([q.level for q in asked if q.topic is topic], Level) for topic in Topic
            },
            "points": sum(len(q.points) for q in self._corpus),
            "misconceptions": sum(len(q.misconceptions) for q in self._corpus),
            "experiments": sum(len(q.experiments) for q in self._corpus),
            "submissions": sum(len(q.task.submissions) for q in self._corpus if q.task),
            "covered": _covered(view),
        }

    def warm(self) -> None:
        """Loads the model and the index of questions, so that the first neighbours don't wait."""
        self._near_questions(self._now(), "warm-up", 1)

    def close(self) -> None:
        self._questions.close()
        self._wordings.close()
        self._passages.close()
        self._library.close()

    def _near_questions(self, view: View, text: str, count: int) -> list[Found]:
        """Questions like ``text``."""
        return _asked(self._questions.search(without_framework(text), count, view.question_texts))

    def _now(self) -> View:
        shelf = self._library.shelf()
        with self._lock:
            if self._view is None or self._view[0] is not shelf:
                self._view = (shelf, make_view(self._corpus, shelf))
            return self._view[1]


def _asked(found: Sequence[Found]) -> list[Found]:
    """Without their texts: what a question asks is not a passage."""
    return [Found(f.question, "", f.score) for f in found]


def _counts(values: Sequence[Topic | Level | Kind], of: type[Topic] | type[Level] | type[Kind]) -> dict[str, int]:
    counted = Counter(values)
    return {value.value: counted[value] for value in of}


def _covered(view: View) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for question in view.live.values():
        row = found.setdefault(question.references[0].source, {"questions": 0, "in_bank": 0})
        row["questions"] += 1
        row["in_bank"] += any(m.id in view.corpus for m in view.cluster_of[question.id].members)
    return found
