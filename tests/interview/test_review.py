"""What becomes of a grade that is disputed or unsure: the follow-up, the queue, the decision, the report, the case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.cases import read_cases
from interviewer.errors import UsageError
from interviewer.interview.labelled import labelled_cases
from interviewer.interview.review import Correction, corrected, decide_review
from interviewer.interview.session import Interviews, Session
from interviewer.models import Answered, Evidence, Judgement, Level, PartKind, ReviewKind, Standing, Topic, Turn
from interviewer.settings import Settings
from interviewer.store import Review
from interviewer.surfaces.render import report_markdown
from tests.interview.reviewing import FIRST, SECOND, SmallBank, Told, interview, question, verdict

COVERED, PARTIAL, MISSING, CONTRADICTED = Standing
REPLY = "The gradients of two backward passes are added up in .grad."
SURE: tuple[Told, float] = ({"adds": (COVERED, 0.9), "clears": (COVERED, 0.9), "when": (COVERED, 0.9)}, 0.9)
UNSURE: tuple[Told, float] = ({"adds": (COVERED, 0.4), "clears": (PARTIAL, 0.5), "when": (COVERED, 0.9)}, 0.4)


def asked(turn: Turn) -> list[str]:
    return [p.text for p in turn.parts if p.kind is PartKind.FOLLOW_UP]


def words(turn: Turn) -> str:
    return " ".join(p.text for p in turn.parts)


def closed(settings: Settings, told: tuple[Told, float] = UNSURE) -> tuple[Interviews, Session]:
    """An interview whose first question ended after one reply."""
    interviews, session = interview(settings, told)
    session.reply(REPLY)
    if not session.report().answered:
        session.reply("skip")
    return interviews, session


def decide(interviews: Interviews, *corrections: Correction, review: int = 1, comment: str = "They said so.") -> Review:
    judgement = Judgement.CHANGED if corrections else Judgement.UPHELD
    return decide_review(interviews.store, review, judgement, comment=comment, reviewer="ann", corrections=corrections)


# --- the clarifying follow-up ---------------------------------------------------------------------


def test_an_unsure_grade_is_followed_up_on_what_is_in_doubt_though_it_counts_as_covered(settings: Settings) -> None:
    turn = interview(settings, UNSURE)[1].reply(REPLY)
    assert asked(turn) == ["What about adds?"]
    assert "not sure that I understood" in words(turn)


def test_a_sure_grade_is_not_followed_up_on_covered_points(settings: Settings) -> None:
    _, session = interview(settings, SURE)
    session.reply(REPLY)
    assert [a.question for a in session.report().answered] == [FIRST]


def test_there_is_one_clarifying_follow_up_a_question(settings: Settings) -> None:
    doubtful: Told = dict.fromkeys(("adds", "clears", "when"), (COVERED, 0.4))
    _, session = interview(settings, (doubtful, 0.4), (doubtful, 0.4))
    assert asked(session.reply(REPLY)) == ["What about adds?"]
    assert asked(session.reply(REPLY)) == []
    assert len(session.report().answered) == 1


def test_a_doubt_that_the_follow_up_settles_leaves_nothing_for_a_person(settings: Settings) -> None:
    doubtful: Told = {"adds": (COVERED, 0.3), "clears": (COVERED, 0.9), "when": (COVERED, 0.9)}
    interviews, session = interview(settings, (doubtful, 0.4), ({"adds": (COVERED, 0.95)}, 0.9))
    session.reply(REPLY)
    session.reply("They are summed.")
    [answered] = session.report().answered
    assert answered.unsure == "" and answered.verdict.confidence > 0.6
    assert interviews.store.reviews() == []


def test_a_grade_that_stays_unsure_is_filed_with_the_points_in_doubt(settings: Settings) -> None:
    doubtful: Told = {"adds": (COVERED, 0.4), "clears": (COVERED, 0.9), "when": (COVERED, 0.9)}
    interviews, session = interview(settings, (doubtful, 0.4))
    session.reply(REPLY)
    turn = session.reply("I don't know")
    [review] = interviews.store.reviews(open_only=True)
    assert (review.kind, review.question) == (ReviewKind.UNSURE, FIRST)
    assert "40% sure" in review.reason and "“Claim about adds.” (taken as said)" in review.reason
    assert "Claim about clears" not in review.reason
    assert "a person will look at it" in words(turn)
    assert "A person will look at this grade." in report_markdown(session.report())


def test_a_skipped_question_is_nothing_to_be_unsure_of(settings: Settings) -> None:
    interviews, session = interview(settings)
    session.reply("skip")
    session.reply("end")
    assert interviews.store.reviews() == []


# --- the queue ------------------------------------------------------------------------------------


def test_a_dispute_of_an_open_question_has_its_evidence_once_it_closes(settings: Settings) -> None:
    interviews, session = interview(settings, ({"adds": (COVERED, 0.9)}, 0.9))
    session.reply(REPLY)
    session.reply("dispute: I said more")
    assert interviews.store.review(1).evidence is None
    with pytest.raises(UsageError, match="still open"):
        decide(interviews)
    session.reply("And it is cleared by zero_grad.")
    session.reply("skip")
    evidence = interviews.store.review(1).evidence
    assert evidence and evidence.answered.replies == (REPLY, "And it is cleared by zero_grad.")


def test_later_changes_of_the_bank_leave_the_evidence_as_it_was(settings: Settings) -> None:
    bank = SmallBank()
    interviews, session = interview(settings, SURE, bank=bank)
    session.reply(REPLY)
    bank.rewrite(FIRST)
    session.reply("dispute question 1: too low")
    evidence = interviews.store.review(1).evidence
    assert evidence and evidence.question.question == "Why zero_grad()?"
    assert evidence.answered.verdict == session.report().answered[0].verdict


def test_a_question_is_queued_once_for_each_reason(settings: Settings) -> None:
    interviews, session = closed(settings)
    for why in ("I did say it", "look at my second sentence"):
        session.reply(f"dispute question 1: {why}")
    queue = interviews.store.reviews()
    assert [r.kind for r in queue] == [ReviewKind.UNSURE, ReviewKind.DISPUTE]
    assert "I did say it" in queue[1].reason and "second sentence" in queue[1].reason
    assert "second sentence" in session.report().answered[0].disputed


def test_a_dispute_after_the_decision_is_told_of_it(settings: Settings) -> None:
    interviews, session = closed(settings, SURE)
    session.reply("dispute question 1")
    decide(interviews)
    assert "has looked at that grade" in words(session.reply("dispute question 1: again"))
    assert len(interviews.store.reviews()) == 1


def test_a_turn_that_was_cut_off_before_its_answer_was_stored_files_its_review_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    interviews, session = interview(settings, UNSURE)
    session.reply(REPLY)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(interviews.store, "answer", cut_off)
        session.reply("skip")
    assert interviews.store.reviews() == []
    session.resume()
    session.resume()
    [review] = interviews.store.reviews()
    assert review.evidence and review.evidence.answered.replies == (REPLY,)


# --- the decision ---------------------------------------------------------------------------------


def test_the_score_follows_from_the_corrected_points(settings: Settings) -> None:
    interviews, session = closed(settings, ({"adds": (PARTIAL, 0.5)}, 0.4))
    before = session.report().answered[0].verdict
    review = decide(interviews, Correction(point="adds", verdict=COVERED), Correction(point="when", verdict=COVERED))
    assert review.verdict and (before.score, review.verdict.score) == (1.2, 3.3)
    assert {p.point: p.verdict for p in review.verdict.points} == {"adds": COVERED, "clears": MISSING, "when": COVERED}
    assert (review.comment, review.reviewer, bool(review.decided)) == ("They said so.", "ann", True)


def test_the_report_shows_the_corrected_verdict_and_keeps_the_graders_own(settings: Settings) -> None:
    interviews, session = closed(settings)
    own = session.report().answered[0].verdict
    decide(interviews, Correction(point="adds", verdict=MISSING), comment="That was about *something* else.")
    report = session.report()
    [answered] = report.answered
    assert answered.verdict.score != own.score and report.score == answered.verdict.score
    assert answered.graded == own
    text = report_markdown(report)
    assert "**Corrected by a reviewer:** That was about \\*something\\* else." in text
    assert "The grader's own verdict was:" in text and "A person will look" not in text
    assert "ann" not in report.model_dump_json()


def test_a_grade_that_is_upheld_stands_and_says_so(settings: Settings) -> None:
    interviews, session = closed(settings)
    own = session.report().answered[0].verdict
    assert decide(interviews).verdict == own
    [answered] = session.report().answered
    assert answered.verdict == own and answered.graded is None
    assert "it stands:** They said so." in report_markdown(session.report())


def test_the_second_review_of_a_question_begins_where_the_first_ended(settings: Settings) -> None:
    interviews, session = closed(settings)
    session.reply("dispute question 1")
    first = decide(interviews, Correction(point="adds", verdict=MISSING))
    assert decide(interviews, review=2).verdict == first.verdict
    assert session.report().answered[0].verdict == first.verdict


@pytest.mark.parametrize(
    ("corrections", "said"),
    [
        ([Correction(point="nope", verdict=COVERED)], "no point nope.*adds, clears, when"),
        ([Correction(point="adds", verdict=COVERED, quote="words of nobody")], "doesn't stand in any reply"),
        ([Correction(point="adds", verdict=MISSING, quote="gradients")], "can't be missing"),
        ([Correction(point="adds", verdict=COVERED)], "stand so already"),
        ([Correction(point="adds", verdict=MISSING)] * 2, "corrected twice"),
        ([Correction(point="clears", verdict=COVERED), Correction(point="nope", verdict=COVERED)], "no point nope"),
    ],
)
def test_corrections_that_do_not_fit_are_refused_whole(
    settings: Settings, corrections: list[Correction], said: str
) -> None:
    interviews, _ = closed(settings)
    with pytest.raises(UsageError, match=said):
        decide(interviews, *corrections)
    assert interviews.store.review(1).judgement is None


def test_a_change_names_its_points_and_a_decision_its_reason(settings: Settings) -> None:
    interviews, _ = closed(settings)
    with pytest.raises(UsageError, match="--point"):
        decide_review(interviews.store, 1, Judgement.CHANGED, comment="no", reviewer="ann")
    with pytest.raises(UsageError, match="says why"):
        decide_review(interviews.store, 1, Judgement.UPHELD, comment=" ", reviewer="ann")
    with pytest.raises(UsageError, match="no corrected points"):
        point = [Correction(point="adds", verdict=MISSING)]
        decide_review(interviews.store, 1, Judgement.UPHELD, comment="no", reviewer="ann", corrections=point)
    assert interviews.store.review(1).judgement is None


def test_a_quote_is_kept_as_it_stands_in_the_reply(settings: Settings) -> None:
    interviews, session = interview(settings, ({"clears": (PARTIAL, 0.5)}, 0.4))
    session.reply("It is added\n   up, always.")
    session.reply("skip")
    review = decide(interviews, Correction(point="adds", verdict=COVERED, quote="added up"))
    assert review.verdict and review.verdict.points[0].quote == "added\n   up"


def test_a_misconception_goes_with_the_last_point_that_it_contradicts() -> None:
    held = verdict({"adds": (CONTRADICTED, 0.8)}, REPLY, held=["overwrites"])
    answered = Answered(
        question=FIRST, text="?", topic=Topic.DATA, level=Level.MID, verdict=held, replies=(REPLY,), reference=""
    )
    evidence = Evidence(question=question(FIRST), answered=answered)
    elsewhere = corrected(evidence, held, [Correction(point="when", verdict=COVERED)])
    assert [m.id for m in elsewhere.misconceptions] == ["overwrites"]
    cleared = corrected(evidence, held, [Correction(point="adds", verdict=COVERED)])
    assert cleared.misconceptions == () and cleared.points[0].misconception == "" and cleared.score == 2.5


# --- labelled cases -------------------------------------------------------------------------------


def test_decided_reviews_come_back_as_labelled_cases(settings: Settings, tmp_path: Path) -> None:
    interviews, session = closed(settings)
    session.reply(REPLY)
    session.reply("end")
    decide(interviews, Correction(point="adds", verdict=CONTRADICTED, quote="two backward passes"))
    session.reply("dispute question 2")
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(c) + "\n" for c in labelled_cases(interviews.store.reviews())))
    [case] = read_cases([file])
    assert (case.question_id, case.question, case.answer) == (FIRST, "Why zero_grad()?", REPLY)
    assert (case.style, case.max_score, case.reference) == ("reviewed", 5, "Gradients add up.")
    assert case.points == {"adds": CONTRADICTED, "clears": PARTIAL, "when": COVERED}
    assert case.score == session.report().answered[0].verdict.score
    assert SECOND not in file.read_text() and session.user not in file.read_text()


def test_a_question_with_two_decisions_is_one_case_with_the_last(settings: Settings) -> None:
    interviews, session = closed(settings)
    session.reply("dispute question 1")
    decide(interviews, Correction(point="adds", verdict=MISSING))
    decide(interviews, Correction(point="clears", verdict=MISSING), review=2)
    [case] = labelled_cases(interviews.store.reviews())
    assert case["points"] == {"adds": "missing", "clears": "missing", "when": "covered"}
