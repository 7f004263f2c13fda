"""What a person has shown over all their interviews, which questions are due again, and interviews made of that.

Nothing is stored for it: everything follows from the evidence of the questions that closed and from what people decided on
their grades. So a corrected grade counts as corrected, and what is deleted is gone from here as well.
"""

from interviewer.interview.practice.attempts import Attempt, attempts_of
from interviewer.interview.practice.plans import plan_for, weakest
from interviewer.interview.practice.record import Moment, PastSession, Record, TopicRecord, record_of
from interviewer.interview.practice.repetition import Repetition

__all__ = [
    "Attempt",
    "Moment",
    "PastSession",
    "Record",
    "Repetition",
    "TopicRecord",
    "attempts_of",
    "plan_for",
    "record_of",
    "weakest",
]
