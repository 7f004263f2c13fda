"""Jobs that people prepare for, and the topics that an interview for each of them is about."""

from __future__ import annotations

from enum import StrEnum

from interviewer.models import Topic


class JobRole(StrEnum):
    GENERALIST = "Generalist"
    ML_ENGINEER = "ML engineer"
    RESEARCH = "Research engineer"
    TRAINING = "Training infrastructure"
    INFERENCE = "Inference and performance"

    @property
    def topics(self) -> tuple[Topic, ...]:
        """None for a generalist, who is asked about everything."""
        return _TOPICS[self]


_TOPICS = {
    JobRole.GENERALIST: (),
    JobRole.ML_ENGINEER: (
        Topic.TENSORS,
        Topic.AUTOGRAD,
        Topic.MODULES,
        Topic.DATA,
        Topic.TRAINING,
        Topic.REGULARIZATION,
        Topic.DEBUGGING,
        Topic.DEPLOYMENT,
    ),
    JobRole.RESEARCH: (
        Topic.FUNDAMENTALS,
        Topic.TENSORS,
        Topic.AUTOGRAD,
        Topic.OPTIMIZATION,
        Topic.REGULARIZATION,
        Topic.ARCHITECTURES,
        Topic.DEBUGGING,
    ),
    JobRole.TRAINING: (
        Topic.DATA,
        Topic.TRAINING,
        Topic.CHECKPOINTS,
        Topic.DEBUGGING,
        Topic.PERFORMANCE,
        Topic.DISTRIBUTED,
    ),
    JobRole.INFERENCE: (
        Topic.TENSORS,
        Topic.MODULES,
        Topic.ARCHITECTURES,
        Topic.PERFORMANCE,
        Topic.DEPLOYMENT,
    ),
}
