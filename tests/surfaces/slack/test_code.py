"""Code comes as the person typed it, from messages and from files; files come from Slack alone."""

from __future__ import annotations

from typing import Any

import pytest

from interviewer.interview.listen import code_of
from interviewer.surfaces.slack.files import MOST_BYTES
from interviewer.surfaces.slack.heard import words_of
from tests.surfaces.slack.bounds import words
from tests.surfaces.slack.conftest import Served
from tests.surfaces.slack.person import Person

CODE = "def f(x):\n    return x.to(self.net) if x < 3 and y > 2 else x & 1\n"


def rich(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "rich_text", "block_id": "b", "elements": list(parts)}]


def text(words: str, **style: bool) -> dict[str, Any]:
    return {"type": "text", "text": words, **({"style": style} if style else {})}


def test_a_code_block_of_slacks_text_is_code() -> None:
    sent = "Like so: ```" + CODE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + "``` and that is it"
    heard = words_of({"text": sent})
    assert code_of(heard).strip() == CODE.strip()
    assert heard.startswith("Like so:") and heard.endswith("and that is it")


def test_a_code_block_of_rich_text_is_code_without_the_links_that_slack_saw_in_it() -> None:
    """Slack takes ``self.net`` for a web address."""
    link = {"type": "link", "url": "http://self.net", "text": "self.net"}
    before, after = CODE.split("self.net")
    block = {"type": "rich_text_preformatted", "elements": [text(before), link, text(after)]}
    section = {
        "type": "rich_text_section",
        "elements": [text("It is "), text("x.grad", code=True), text(" that "), text("adds", bold=True)],
    }
    heard = words_of({"text": "other words", "blocks": rich(section, block)})
    assert code_of(heard).strip() == CODE.strip()
    assert "It is `x.grad` that **adds**" in heard


def test_fences_inside_of_code_stay_inside() -> None:
    block = {"type": "rich_text_preformatted", "elements": [text('s = """\n```\nskip\n```\n"""')]}
    assert code_of(words_of({"blocks": rich(block)})).count("```") == 2


@pytest.mark.parametrize(
    ("sent", "heard"),
    [
        ("<https://pytorch.org|the docs> say so", "the docs say so"),
        ("<https://pytorch.org>", "https://pytorch.org"),
        ("<@UBOT> senior please", "senior please"),
        ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
        ("`x &amp; 1`", "`x & 1`"),
        ("<!here> look", "here look"),
    ],
)
def test_slacks_markup_is_read_as_words(sent: str, heard: str) -> None:
    assert words_of({"text": sent}, "UBOT") == heard


# --- files ----------------------------------------------------------------------------------------


def file(served: Served, name: str, content: bytes | None = None, **more: Any) -> dict[str, Any]:
    if content is not None:
        served.slack.files[name] = content
    return {
        "name": name,
        "size": len(content or b""),
        "url_private_download": f"{served.slack.address}/files/{name}",
        **more,
    }


def sent_with(ann: Person, served: Served, *files: dict[str, Any], text: str = "") -> str:
    """What was taken of a message with these files."""
    thread = ann.say("hi")
    ann.newest(1)
    ann.say(text, thread=thread, subtype="file_share", files=list(files))
    ann.newest(2)
    [session] = served.interviews.store.sessions()
    return "\n".join(t.text for t in served.interviews.open(session.id).turns() if t.text)


def test_a_python_file_is_taken_as_code(ann: Person, served: Served) -> None:
    said = sent_with(ann, served, file(served, "attempt.py", CODE.encode()), text="my attempt")
    assert said.startswith("my attempt") and code_of(said).strip() == CODE.strip()
    assert served.slack.file_requests == ["Bearer xoxb-one"]


def test_a_file_that_lies_elsewhere_is_not_opened_and_never_sees_the_token(ann: Person, served: Served) -> None:
    elsewhere = {"url_private_download": served.slack.address.replace("127.0.0.1", "localhost") + "/files/attempt.py"}
    said = sent_with(ann, served, file(served, "attempt.py", CODE.encode(), **elsewhere))
    assert "doesn't lie at Slack" in words(ann.newest(2))
    assert not said and not served.slack.file_requests


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("notes.txt", b"x", "end in .py"),
        ("huge.py", b"x" * (MOST_BYTES + 1), "larger than 64 KB"),
        ("latin.py", b"\xe9", "not UTF-8"),
        ("absent.py", None, "may lack"),
        ("moved.py", None, "may lack"),
    ],
)
def test_what_can_not_be_read_is_said(ann: Person, served: Served, name: str, content: bytes | None, why: str) -> None:
    assert not sent_with(ann, served, file(served, name, content))
    assert why in words(ann.newest(2))


def test_a_size_that_is_a_lie_does_not_help(ann: Person, served: Served) -> None:
    assert not sent_with(ann, served, file(served, "huge.py", b"x" * (MOST_BYTES * 4)) | {"size": 10})
    assert "larger than 64 KB" in words(ann.newest(2))


def test_three_files_of_a_message_are_read(ann: Person, served: Served) -> None:
    files = [file(served, f"part{n}.py", f"x = {n}\n".encode()) for n in range(5)]
    thread = ann.say("hi")
    ann.newest(1)
    ann.say("", thread=thread, subtype="file_share", files=files)
    ann.newest(4)
    [session] = served.interviews.store.sessions()
    [said] = [t.text for t in served.interviews.open(session.id).turns() if t.text]
    assert code_of(said).split("\n") == ["x = 0", "", "x = 1", "", "x = 2", ""]
