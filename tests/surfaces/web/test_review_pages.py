"""The queue of reviews and the decision on one, by HTTP from a team's page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest
from past import FIRST, REPLY, interview, words
from team import Site, serving

from interviewer.access import Duty
from interviewer.interview.session import Session
from interviewer.models import Judgement, Standing
from interviewer.store import Review


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(
        tmp_path_factory.mktemp("reviews"), {"ada": Duty.CANDIDATE, "rae": Duty.REVIEWER, "rob": Duty.REVIEWER}
    ) as site:
        yield site


@pytest.fixture(scope="module")
def rae(team: Site) -> httpx.Client:
    return team.signed_in("rae")


@pytest.fixture
def session(team: Site) -> Session:
    """Its first question was closed with an unsure grade."""
    return interview(team, "user:ada", [REPLY, "skip"])


@pytest.fixture
def review(team: Site, session: Session) -> Review:
    return team.house.interviews.store.reviews(session=session.id)[0]


def filled(browser: httpx.Client, review: Review, **fields: str) -> dict[str, str]:
    """The form as the page has it, and what somebody put in; ``p1`` and ``q1`` are the first point's fields."""
    page = browser.get(f"/reviews/{review.id}").text
    form = dict(re.findall(r'type="radio" name="([^"]+)" value="(\w+)" checked', page))
    form |= dict(re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', page))
    first = review.evidence.question.points[0].id if review.evidence else ""
    short = {"p1": f"point:{first}", "q1": f"quote:{first}"}
    return form | {short.get(name, name): value for name, value in fields.items()}


def squeezed(text: str) -> str:
    return "".join(text.replace("`", "").split())


def decide(browser: httpx.Client, review: Review, form: dict[str, str]) -> httpx.Response:
    return browser.post(f"/reviews/{review.id}", data=form)


def now(team: Site, review: Review) -> Review:
    return team.house.interviews.store.review(review.id)


def test_the_queue_is_for_reviewers(team: Site, review: Review) -> None:
    ada = team.signed_in("ada")
    assert ada.get("/reviews").status_code == ada.get(f"/reviews/{review.id}").status_code == 403
    assert decide(ada, review, {"judgement": "upheld", "comment": "Mine is right."}).status_code == 403


def test_the_queue_is_narrowed_by_state_and_reason(team: Site, rae: httpx.Client, session: Session) -> None:
    session.reply("dispute question 1: I did say it")
    unsure, dispute = team.house.interviews.store.reviews(session=session.id)
    listed = {
        query: rae.get(f"/reviews?{query}").text for query in ("", "kind=dispute", "kind=unsure", "state=decided")
    }

    def shows(page: str, review: Review) -> bool:
        return f'href="/reviews/{review.id}"' in page

    assert shows(listed[""], unsure) and shows(listed[""], dispute)
    assert shows(listed["kind=dispute"], dispute) and not shows(listed["kind=dispute"], unsure)
    assert shows(listed["kind=unsure"], unsure) and not shows(listed["kind=unsure"], dispute)
    assert not shows(listed["state=decided"], unsure)


def test_a_review_shows_words_and_evidence_but_not_whose_they_are(rae: httpx.Client, review: Review) -> None:
    page = rae.get(f"/reviews/{review.id}").text
    assert review.evidence
    said = words(page)
    assert '<mark class="partial"' in page and "<b>add up</b>" in said and "<b>add" not in page
    for point in review.evidence.question.points:
        assert point.claim.replace("`", "") in said and f"weight {point.weight}" in said
    reference = review.evidence.answered.reference.split("\n")[0]
    assert "40 % sure" in said and squeezed(reference) in squeezed(said)
    assert review.session not in page and "ada" not in re.findall(r"\w+", said)


def test_an_upheld_grade_leads_on_to_the_next(team: Site, rae: httpx.Client, review: Review) -> None:
    answer = decide(rae, review, filled(rae, review, judgement="upheld", comment=" Rightly half. "))
    assert answer.status_code == 303 and f"decided={review.id}" in answer.headers["location"]
    kept = now(team, review)
    assert (kept.judgement, kept.comment, kept.reviewer) == (Judgement.UPHELD, "Rightly half.", "rae")
    assert f"Review {review.id} is decided" in words(rae.get(answer.headers["location"]).text)


def test_a_correction_is_of_the_point_that_was_marked_and_reaches_the_report(
    team: Site, rae: httpx.Client, session: Session, review: Review
) -> None:
    form = filled(rae, review, judgement="changed", comment="Said.", p1="covered", q1="So I  call zero_grad.")
    assert decide(rae, review, form).status_code == 303
    kept = now(team, review)
    assert kept.verdict and review.evidence
    before = review.evidence.answered.verdict
    assert kept.verdict.points[0].verdict is Standing.COVERED and kept.verdict.points[0].quote == "So I call zero_grad."
    assert kept.verdict.points[1:] == before.points[1:] and (kept.verdict.score or 0) > (before.score or 0)
    assert session.report().answered[0].verdict == kept.verdict


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"judgement": "upheld", "comment": " "}, "Say why"),
        ({"judgement": "changed", "comment": "Hm."}, "No point is marked otherwise"),
        ({"judgement": "upheld", "comment": "Hm.", "p1": "covered"}, "the grade isn't upheld"),
        ({"judgement": "changed", "comment": "Hm.", "p1": "covered", "q1": "never said"}, "doesn't stand in any reply"),
        ({"judgement": "changed", "comment": "Hm.", "p1": "missing", "q1": "zero_grad"}, "can't be missing"),
        ({"judgement": "changed", "comment": "Hm.", "p1": "nonsense"}, "No point is marked otherwise"),
        ({"comment": "Hm."}, "No point is marked otherwise"),
    ],
)
def test_what_was_typed_comes_back_with_why_it_was_refused(
    team: Site, rae: httpx.Client, review: Review, fields: dict[str, str], told: str
) -> None:
    answer = decide(rae, review, filled(rae, review, **fields))
    assert answer.status_code == 422 and told in words(answer.text) and "Nothing was recorded" in words(answer.text)
    assert f">{fields['comment'].strip()}</textarea>" in answer.text
    assert fields.get("q1", "") in unescape(answer.text)
    if fields.get("p1") == "covered":
        assert re.search(r'value="covered" checked', answer.text)
    assert now(team, review).judgement is None


def test_of_two_reviewers_at_once_the_second_is_told_and_sees_the_first_ones_decision(
    team: Site, rae: httpx.Client, review: Review
) -> None:
    rob = team.signed_in("rob")
    mine = filled(rae, review, judgement="changed", comment="It was all said.", p1="covered")
    theirs = filled(rob, review, judgement="upheld", comment="Half it is.")
    assert decide(rob, review, theirs).status_code == 303
    answer = decide(rae, review, mine)
    said = words(answer.text)
    assert answer.status_code == 409 and "rob was quicker" in said and "Half it is." in said
    assert "It was all said." in said  # what the second had typed
    assert (now(team, review).reviewer, now(team, review).judgement) == ("rob", Judgement.UPHELD)


def test_a_form_that_was_filled_beside_another_grade_undoes_nothing(
    team: Site, rae: httpx.Client, session: Session
) -> None:
    """The same question waits for two reasons, and the other one is decided while the form is open."""
    session.reply("dispute question 1: I did say it")
    unsure, dispute = team.house.interviews.store.reviews(session=session.id)
    stale = filled(rae, dispute, judgement="upheld", comment="It stands.")
    changed = filled(rae, unsure, judgement="changed", comment="Said.", p1="covered")
    assert decide(rae, unsure, changed).status_code == 303
    answer = decide(rae, dispute, stale)
    assert answer.status_code == 422 and "Somebody else decided on this question" in words(answer.text)
    assert "It stands." in answer.text and now(team, dispute).judgement is None
    again = filled(rae, dispute, judgement="upheld", comment="It stands.")
    assert decide(rae, dispute, again).status_code == 303
    kept = now(team, dispute).verdict
    assert kept and kept.points[0].verdict is Standing.COVERED


def test_nobody_decides_on_a_grade_of_their_own(team: Site, rae: httpx.Client) -> None:
    own = interview(team, "user:rae", [REPLY, "skip"])
    [review] = team.house.interviews.store.reviews(session=own.id)
    assert f'href="/reviews/{review.id}"' not in rae.get("/reviews").text
    assert rae.get(f"/reviews/{review.id}").status_code == 404
    assert decide(rae, review, {"judgement": "upheld", "comment": "Of course."}).status_code == 404
    assert f'href="/reviews/{review.id}"' in team.signed_in("rob").get("/reviews").text


def test_a_question_that_is_still_open_waits(team: Site, rae: httpx.Client) -> None:
    session = interview(team, "user:ada", [REPLY, "dispute: I said it"])
    open_ = next(r for r in team.house.interviews.store.reviews(session=session.id) if r.question == FIRST)
    page = rae.get(f"/reviews/{open_.id}").text
    assert open_.evidence is None and "still open" in words(page) and "<textarea" not in page
    assert decide(rae, open_, {"judgement": "upheld", "comment": "Now."}).status_code == 422


@pytest.mark.parametrize("number", ["0", "99999", "x", "9" * 30])
def test_other_numbers_are_not_there(rae: httpx.Client, number: str) -> None:
    assert rae.get(f"/reviews/{number}").status_code == 404
