from __future__ import annotations

from interviewer.interview.roles import JobRole
from interviewer.models import Topic


def test_every_topic_is_part_of_some_job_and_only_a_generalist_has_all() -> None:
    assert {topic for role in JobRole for topic in role.topics} == set(Topic)
    assert [role for role in JobRole if not role.topics] == [JobRole.GENERALIST]
