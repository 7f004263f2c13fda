"""The bank and its documents for those who keep it, by HTTP from a team's page."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest
from past import words
from team import Site

from interviewer.errors import UsageError
from interviewer.surfaces.web.uploads import LARGEST, Uploads, safe_name

PATIENCE = 120.0  # seconds: the models are loaded for the first document
FIRST = "What does `optimizer.zero_grad()` do?\n\nIt clears the gradients. <script>alert(1)</script>\n\n"
CUT_OFF = "How is autograd turned off?\n\nAfter `torch.nn.functional.gradients_off()` nothing is recorded, so that it has nothing to\n\n"
LAST = "What is a parameter?\n\nA tensor that its module registers, so that an optimizer finds it.\n\n"


def numbered(*questions: str) -> str:
    return "# Questions of ours\n\n" + "".join(f"## {number}. {each}" for number, each in enumerate(questions, 1))


DOCUMENT = numbered(FIRST, CUT_OFF, LAST)
SHORTER = numbered(FIRST.replace("clears", "resets"), LAST)


def upload(admin: httpx.Client, name: str, content: bytes) -> httpx.Response:
    return admin.post("/bank/documents", files={"file": (name, content)})


def ended(admin: httpx.Client, address: str) -> httpx.Response:
    """The page that shows that the work at ``address`` has come to an end, or where it led to."""
    deadline = time.monotonic() + PATIENCE
    while "refresh" in (answer := admin.get(address)).headers and time.monotonic() < deadline:
        time.sleep(0.1)
    return answer


@pytest.mark.parametrize("path", ["/bank", "/bank/nan-loss", "/bank/documents", "/bank/documents/x", "/bank/work/x"])
def test_the_bank_is_the_admins_alone(team: Site, path: str) -> None:
    assert team.signed_in("rae").get(path).status_code == 403
    assert team.browser().get(path).status_code == 303
    assert upload(team.signed_in("rae"), "a.md", b"x").status_code == 403


def test_the_list_is_narrowed_and_goes_on_over_several_parts(team: Site, admin: httpx.Client) -> None:
    all_, narrow = admin.get("/bank").text, admin.get("/bank?topic=autograd&kind=code").text
    wanted = [q for q in team.house.bank.questions() if q.topic.value == "autograd" and q.kind.value == "code"]
    assert f"{len(team.house.bank.questions())} questions" in words(all_) and "part=2" in all_
    assert f"{len(wanted)} question" in words(narrow)
    assert all(f'href="/bank/{q.id}"' in narrow for q in wanted) and narrow.count('class="short"') == len(wanted)
    last = admin.get("/bank?part=999").text
    assert f'href="/bank/{team.house.bank.questions()[-1].id}"' in last and "part=1000" not in last
    assert "no question like that" in admin.get("/bank?topic=cooking").text
    assert admin.get("/bank?part=x").status_code == 200


def test_a_question_is_shown_with_all_that_belongs_to_it(team: Site, admin: httpx.Client) -> None:
    question = next(q for q in team.house.bank.own_questions() if q.task and q.misconceptions and q.experiments)
    assert question.task
    said = words(admin.get(f"/bank/{question.id}").text).replace("`", "")
    for texts in (
        [p.claim for p in question.points],
        [p.follow_up for p in question.points],
        [m.correction for m in question.misconceptions],
        question.hints,
        [e.shows for e in question.experiments],
        question.task.names,
        [s.name for s in question.task.submissions],
        question.sources,
        question.prerequisites,
    ):
        for text in texts:
            assert " ".join(text.replace("`", "").replace("*", "").split()) in said.replace("*", ""), text
    assert "In depth" in said and "Starter" in said and "Solution" in said


def test_unknown_questions_and_documents_are_not_there(admin: httpx.Client) -> None:
    for path in ("/bank/no-such-question", "/bank/documents/no-such", "/bank/work/no-such"):
        assert admin.get(path).status_code == 404
    assert "a restart of the page ended it" in words(admin.get("/bank/work/no-such").text)
    assert admin.post("/bank/documents/no-such/retire").status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("questions.exe", b"x", "a document is a text file"),
        ("questions", b"x", "a document is a text file"),
        ("questions.md", b"## 1. Caf\xe9?\n\nYes.", "not UTF-8 (byte 9)"),
        ("questions.md", b"%PDF\x00\x01", "binary"),
        ("questions.txt", b"Just a letter to a friend.", "no questions with answers"),
        ("questions.md", b"", "the file is empty"),
        ("questions.md", b"a" * (LARGEST + 1), "larger than 2 MB"),
    ],
)
def test_what_is_no_document_is_refused_whole_and_named(
    team: Site, admin: httpx.Client, name: str, content: bytes, told: str
) -> None:
    answer = upload(admin, name, content)
    assert answer.status_code == 422 and told in words(answer.text) and name in words(answer.text)
    assert "Nothing that was stored has changed" in words(answer.text)
    assert not [each for each in (team.house.settings.home / "documents").rglob("*") if each.is_file()]


def test_what_waited_when_the_page_was_stopped_is_gone_once_it_starts_again(team: Site) -> None:
    waiting = Uploads(team.house).receive("ours.md", DOCUMENT.encode())
    assert waiting.exists()
    Uploads(team.house)
    assert not waiting.exists()


def test_without_a_file_nothing_is_read(admin: httpx.Client) -> None:
    answer = admin.post("/bank/documents", files={"file": ("", b"")})
    assert answer.status_code == 422 and "No file was chosen" in words(answer.text)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("ours.md", "ours.md"),
        ("../../etc/passwd.md", "passwd.md"),
        (r"C:\temp\ours.MD", "ours.md"),
        ("a\0b/…/.hidden.txt", "hidden.txt"),
        ("Fragen über Tensoren (2).txt", "Fragen über Tensoren (2).txt"),
        ("x" * 300 + ".md", "x" * 200 + ".md"),
        ("x" + "é" * 300 + ".md", "x" + "é" * 99 + ".md"),
        ("a<b>.md", "a-b.md"),
    ],
)
def test_a_files_name_leads_nowhere_else(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.mark.parametrize("name", ["", ".md", "...md", "md", "a.md/", "a.md.sh"])
def test_a_name_that_names_no_document_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        safe_name(name)


@pytest.mark.models
@pytest.mark.sandbox
def test_a_document_is_read_in_audited_changed_and_retired(team: Site, admin: httpx.Client) -> None:
    begun = upload(admin, "ours.md", DOCUMENT.encode())
    assert begun.status_code == 303
    assert admin.get(begun.headers["location"] + "?still=true").headers.get("refresh") is None
    led = ended(admin, begun.headers["location"])
    assert led.status_code == 303, words(led.text)
    page = admin.get(led.headers["location"]).text
    said = words(page)
    assert "3 added, 0 changed, 0 unchanged, 0 retired" in said and "Audit of Questions of ours" in said
    assert "There is no such name: torch.nn.functional.gradients_off" in said and "Cut off" in said
    assert "<script>alert" not in page

    led = ended(admin, upload(admin, "ours.md", SHORTER.encode()).headers["location"])
    assert "0 added, 1 changed, 1 unchanged, 1 retired" in words(admin.get(led.headers["location"]).text)
    [document] = team.house.bank.documents()
    assert (document.live, document.retired, Path(document.path).read_text()) == (2, 1, SHORTER)

    question = team.house.bank.questions_of(document)[0]
    address = led.headers["location"]
    assert admin.post(f"{address}/retire").headers["location"] == address
    assert "none is asked any more" in words(admin.get(address).text)
    assert not team.house.bank.in_use(question.id)
    assert "retired: it isn’t asked any more" in words(admin.get(f"/bank/{question.id}").text)

    led = ended(admin, upload(admin, "ours.md", SHORTER.encode()).headers["location"])
    assert "2 added" in words(admin.get(led.headers["location"]).text) and team.house.bank.in_use(question.id)


@pytest.mark.models
@pytest.mark.sandbox
def test_a_cancelled_audit_leaves_the_document_read_in(team: Site, admin: httpx.Client) -> None:
    slow = "```python\nimport time\n\ntime.sleep(0.5)\n```\n\n"  # so that there is time to cancel
    many = "".join(f"## {n}. Why is number {n} so?\n\nBecause `x = {n}` holds.\n\n{slow}" for n in range(1, 60))
    begun = upload(admin, "many.md", f"# Many\n\n{many}".encode()).headers["location"]
    deadline = time.monotonic() + PATIENCE
    while "At work: " in (said := words(admin.get(begun).text)) and " of 59:" not in said:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    admin.post(f"{begun}/cancel")
    assert "It was cancelled" in words(ended(admin, begun).text)
    document = next(d for d in team.house.bank.documents() if d.title == "Many")
    assert document.live == 59 and "not audited yet" in words(admin.get(f"/bank/documents/{document.slug}").text)


@pytest.mark.models
def test_a_search_finds_by_meaning_what_fits_the_filter(admin: httpx.Client) -> None:
    page = admin.get("/bank", params={"q": "why does the loss go to nan"}).text
    assert page.index('href="/bank/nan-loss"') < page.index('class="links muted"')
    assert 'href="/bank/nan-loss"' not in admin.get("/bank", params={"q": "loss is nan", "topic": "data"}).text
