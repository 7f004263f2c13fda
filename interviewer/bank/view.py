"""What can be asked, out of the bank's questions, the imported ones and the clusters that join them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from interviewer.bank.clusters import Cluster, Member
from interviewer.bank.index import Text
from interviewer.bank.prose import passages
from interviewer.bank.shelf import Shelf
from interviewer.bank.terms import normalised, without_framework
from interviewer.bank.words import Words
from interviewer.models import Question, Reference


@dataclass(frozen=True)
class View:
    """One state of the bank. ``corpus`` and ``live`` are by id; every question is in exactly one of ``clusters``."""

    corpus: dict[str, Question]
    live: dict[str, Question]
    retired: dict[str, Question]
    clusters: tuple[Cluster, ...]

    @cached_property
    def cluster_of(self) -> dict[str, Cluster]:
        return {member.id: cluster for cluster in self.clusters for member in cluster.members}

    @cached_property
    def askable(self) -> dict[str, Question]:
        """The bank's questions as they are, then the imported representatives with the references of their clusters."""
        imported = [self.live[c.id] for c in self.clusters if c.id in self.live]
        order = {name: place for place, name in enumerate(self.live)}
        imported.sort(key=lambda q: order[q.id])
        return {
            **self.corpus,
            **{q.id: q.model_copy(update={"references": self.references(q.id)}) for q in imported},
        }

    def own(self, question_id: str) -> Question | None:
        """The question with its own references only; also a retired one."""
        return self.corpus.get(question_id) or self.live.get(question_id) or self.retired.get(question_id)

    def references(self, question_id: str) -> tuple[Reference, ...]:
        """The question's own, then those of the others in its cluster."""
        own = self.own(question_id)
        cluster = self.cluster_of.get(question_id)
        others = [m.id for m in cluster.members if m.id != question_id] if cluster else []
        found = [own, *(self.own(name) for name in others)]
        return tuple(reference for question in found if question for reference in question.references)

    @cached_property
    def by_words(self) -> dict[str, str]:
        """Question text, normalised → the first question that has it."""
        found: dict[str, str] = {}
        for question in self._all:
            found.setdefault(normalised(question.question), question.id)
        return found

    @cached_property
    def question_texts(self) -> tuple[Text, ...]:
        return tuple(Text(q.id, without_framework(q.question), q.id) for q in self._all)

    @cached_property
    def wording_texts(self) -> tuple[Text, ...]:
        """Other ways to ask."""
        return tuple(
            Text(f"{q.id}:{number}", without_framework(wording), q.id)
            for q in self._all
            for number, wording in enumerate(q.also)
        )

    @cached_property
    def passage_texts(self) -> tuple[Text, ...]:
        """What there is to find by meaning beside the questions themselves."""
        return tuple(
            Text(f"{q.id}:{number}", passage, q.id) for q in self._all for number, passage in enumerate(_answers(q))
        )

    @property
    def embedded_texts(self) -> list[str]:
        """All that a search by meaning embeds."""
        return [each.text for each in (*self.question_texts, *self.wording_texts, *self.passage_texts)]

    @cached_property
    def words(self) -> Words:
        """Everything that stands in a question's file, to be found by its words."""
        return Words(
            {q.id: "\n".join([q.question, *q.also, *_answers(q), *_rubric(q), *_asides(q)]) for q in self._all}
        )

    @cached_property
    def _all(self) -> tuple[Question, ...]:
        return (*self.corpus.values(), *self.live.values())


def _answers(question: Question) -> list[str]:
    return [passage for reference in question.references for passage in passages(reference.text)]


def _rubric(question: Question) -> list[str]:
    points = [" ".join((p.claim, *p.also)) for p in question.points]
    return points + [" ".join((m.claim, *m.also)) for m in question.misconceptions]


def _asides(question: Question) -> list[str]:
    """What the interviewer may say on the way."""
    asked = [text for p in question.points for text in (p.follow_up, p.follow_up_answer)]
    told = [m.correction for m in question.misconceptions] + [e.shows for e in question.experiments]
    said = [s.says for s in question.task.submissions if s.says] if question.task else []
    return [*asked, *told, *question.hints, *said]


def make_view(corpus: Sequence[Question], shelf: Shelf) -> View:
    """Clusters that were made with another bank lose the questions that are gone; new questions stand alone."""
    known = {q.id: q for q in corpus}
    there = {**known, **shelf.live}
    clusters: list[Cluster] = []
    for cluster in shelf.clusters:
        members = tuple(m for m in cluster.members if m.id in there)
        if members:
            first = cluster.id if cluster.id in there else members[0].id
            clusters.append(Cluster(id=first, members=members))
    placed = {m.id for c in clusters for m in c.members}
    alone = [Cluster(id=name, members=(Member(id=name, similarity=1.0),)) for name in there if name not in placed]
    return View(known, shelf.live, shelf.retired, (*clusters, *alone))
