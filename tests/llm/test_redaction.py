"""What names a person or opens a door is taken out, what is code stays, and nothing is lost for the way back."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from interviewer.llm.redaction import Redacted, redacted, without_keys
from interviewer.prompts import render

PLACEHOLDER = re.compile(r"\[(?:name|mail|phone|key)\]")
WORD = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=40, max_size=60)
DIGITS = st.text("23456789", min_size=8, max_size=8)
CAPITALISED = st.builds(
    lambda first, rest: first + rest, st.sampled_from("BDGKVZ"), st.text("aeilorsu", min_size=3, max_size=8)
)
NAME = st.lists(CAPITALISED, min_size=2, max_size=3).map(" ".join)


def around(secrets: st.SearchStrategy[str], *forms: str) -> st.SearchStrategy[tuple[str, str]]:
    """(what is written, the secret in it)"""
    return st.tuples(st.sampled_from(forms), secrets).map(lambda pair: (pair[0].replace("%", pair[1]), pair[1]))


PLANTED = st.one_of(
    around(st.emails(domains=st.sampled_from(["example.org", "uni-muenchen.de", "a.co.uk"])).filter(lambda m: re.match(r"[\w.+%-]+@", m)), "%", "<%>", "mailto:%"),
    around(DIGITS.map(lambda n: f"+49 {n[:3]} {n}"), "%", "call %.", "(%)"),
    around(DIGITS.map(lambda n: f"0{n[:3]} {n}"), "%", "mobile: %"),
    around(DIGITS.map(lambda n: f"({n[:3]}) {n[3:6]}-{n[4:]}").filter(lambda n: redacted(n).pieces), "%", "Tel. %"),
    around(WORD.map(lambda w: "sk-proj-" + w), "%", "'%'", 'OpenAI(api_key="%")'),
    around(WORD.map(lambda w: "sk-" + w + "1"), "%", "Bearer %"),
    around(WORD.map(lambda w: "sk-ant-api03-" + w), "%", "x-api-key: %"),
    around(WORD.map(lambda w: "AKIA" + w[:16].upper()), "%", "'%'"),
    around(WORD.map(lambda w: "ghp_" + w[:36]), "%", "https://%@github.com/x"),
    around(WORD.map(lambda w: "github_pat_" + w), "%"),
    around(WORD.map(lambda w: "xoxb-123456-" + w), "%"),
    around(WORD.map(lambda w: "AIza" + w[:35]), "%", "?key=%"),
    around(WORD.map(lambda w: "hf_" + w[:34]), "%", "token='%'"),
    around(WORD.map(lambda w: f"eyJ{w[:20]}.eyJ{w}.{w}"), "%", "Authorization: Bearer %"),
    around(WORD.map(lambda w: "\n".join((w, w, w[:9]))), "-----BEGIN RSA PRIVATE KEY-----\n%\n-----END RSA PRIVATE KEY-----"),
    around(WORD.map(lambda w: w + "7"), "password = %", "DB_PASSWORD=%", 'api_key: "%"', "'client_secret': '%'", "my password is %"),
    around(WORD, "postgres://user:%@host/db"),
    around(NAME, "My name is %.", "my name is % and I train models", "\nI'm %, hello", "Hi, I’m %", "Hello! This is %", "\nThis is %.", "\nBest,\n%\n", "\nThanks, %\n"),
)  # fmt: skip
TEXT = st.one_of(
    st.text(max_size=60),
    st.text("abcxyz@.:=+-_ []'\"()0123456789\n<>/", max_size=60),
    st.sampled_from(
        ["[name]", "[key]", "I'm ", "x@w.T ", "loss = 0.69", "password = ", "-----BEGIN PRIVATE KEY-----\n"]
    ),
)


@given(st.lists(st.tuples(TEXT, PLANTED), min_size=1, max_size=5), TEXT)
def test_nothing_planted_stands_in_the_redacted_text(parts: list[tuple[str, tuple[str, str]]], end: str) -> None:
    text = "".join(f"{filler}\n{written}\n" for filler, (written, _) in parts) + end
    fillers = [*(filler for filler, _ in parts), end]
    assume(not any(secret in filler for _, (_, secret) in parts for filler in fillers))
    made = redacted(text)
    assert [secret for _, (_, secret) in parts if secret in made.text] == []
    assert redacted(made.text).text == made.text


@given(st.lists(st.one_of(TEXT, PLANTED.map(lambda planted: planted[0])), max_size=8).map("".join), st.data())
def test_every_piece_finds_its_way_back(text: str, data: st.DataObject) -> None:
    made = redacted(text)
    assert redacted(made.text).text == made.text
    assert made.original(made.text) == text
    for piece in PLACEHOLDER.split(made.text):
        assert made.original(piece) == piece
    if made.text:
        start = data.draw(st.integers(0, len(made.text) - 1))
        quote = made.text[start : data.draw(st.integers(start + 1, len(made.text)))]
        assert made.original(quote) in text


def test_a_quote_with_a_placeholder_stands_for_what_was_said() -> None:
    made = redacted("I'm Ada Lovelace, mail ada@example.org. Views share storage; reshape may copy.")
    assert made.text == "I'm [name], mail [mail]. Views share storage; reshape may copy."
    assert made.original("[name], mail [mail]. Views") == "Ada Lovelace, mail ada@example.org. Views"
    assert made.original("reshape may copy") == "reshape may copy"
    assert made.original("ail ada") == ""
    assert made.original("ail].") == "ada@example.org."
    assert made.original("views never copy") == ""
    assert made.original("") == ""
    assert Redacted("as it is").original("it") == "it"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("my name is Ada Lovelace and I", "Ada Lovelace"),
        ("My name is ada.", "ada"),
        ("My name is Adam, and I use Adam.", "Adam"),
        ("I'm Ada Lovelace, and I train models.", "Ada Lovelace"),
        ("Sure. I'm Adam Smith.", "Adam Smith"),
        ("Hello, I am Ada.", "Ada"),
        ("I’m Jean-Luc O'Brien de la Cruz from Lyon", "Jean-Luc O'Brien de la Cruz"),
        ("I'm J. R. Hartley.", "J. R. Hartley"),
        ("Hi, this is Ada.", "Ada"),
        ("This is Ada Lovelace.", "Ada Lovelace"),
        ("This is Ada speaking", "Ada"),
        ("Hello there, Ada here: views share storage.", "Ada"),
        ("Name: Ada Lovelace", "Ada Lovelace"),
        ("That's all. Best, Ada", "Ada"),
        ("It copies.\n\nKind regards,\nAda van der Berg", "Ada van der Berg"),
        ("Thanks!\nŁukasz Kowalski\n", "Łukasz Kowalski"),
    ],
)
def test_names_by_which_people_introduce_themselves_and_sign(text: str, name: str) -> None:
    assert redacted(text).text == text.replace(name, "[name]", 1)


@pytest.mark.parametrize(
    "text",
    [
        "I'd take Adam or AdamW with Xavier or Kaiming init, else Adagrad. Best is Adam.",
        "I'm Sure that it copies. I'm Not certain. I am Using Adam.",
        "This is Linear. This is Batch Normalization. This is Gradient Checkpointing, as in PyTorch.",
        "I'm Adam",
        "Best, Adam",
        "Thanks, that helps.",
        "name: Linear\nname: Sentence\nname = torch.nn.Linear",
        "q@k.transpose(-2, -1) @ v; a@b.T; x@self.weight.T; W@x.mT\n@torch.no_grad()\ndef f(): ...",
        "tensor([+0.69314718, -1.20397280]) +12345678 1e+12345678",
        "torch.Size([1, 3, 224, 224]) 128 256 1024 4096 a 784-512-1000 network, 512.256.1000",
        "0x7ffee3b2c1d0 0xdeadbeef 4915112345678 0010110101 0012 0013 0014",
        "'b179c952e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495db53'",
        "sha256:53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "550e8400-e29b-41d4-a716-446655440000 2026-11-03 12:00:01 192.168.100.200 2.13.0",
        "pad_token_id = 50256; token = tokenizer.encode(text); key = self.key_projection(x)",
        "api_key: str = os.environ['MY_KEY_1']; password = getpass.getpass('number 1?')",
        "a task-based-and-risk-averse-approach2 with hf_hub_download_from_somewhere_else",
        "https://user@host and https://pytorch.org/docs/stable/generated/torch.nn.Linear.html",
    ],
)
def test_code_and_the_words_of_the_trade_stay(text: str) -> None:
    assert redacted(text).text == text


@pytest.mark.parametrize(
    "text", ["555-123-4567", "+1 (555) 123-4567", "0151/23456789", "020 7946 0958", "+4915112345678"]
)
def test_phone_numbers_as_people_write_them(text: str) -> None:
    assert redacted(f"Call {text}.").text == "Call [phone]."
    assert redacted("my number is 555 123 4567").text == "my number is [phone]"


def test_a_key_that_breaks_off_takes_nothing_after_it() -> None:
    text = f"-----BEGIN PRIVATE KEY-----\n{'MIIE' * 8}\nand then I paste it"
    assert redacted(text).text == "[key]\nand then I paste it"


def test_no_key_reaches_over_the_mark_of_a_fence() -> None:
    text = "<reply 1>\n-----BEGIN PRIVATE KEY-----\n</reply 1>\nJudge it.\n<other 2>\n-----END PRIVATE KEY-----\n</other 2>"
    assert "</reply 1>\nJudge it.\n<other 2>" in redacted(text).text


def test_a_reply_is_redacted_inside_a_prompt_as_it_is_alone() -> None:
    reply = "I'm Ada Lovelace, ada@example.org.\npassword = 'hunter2hunter2'\nA view shares storage.\nBest,\nAda"
    prompt = render("check")
    inside = redacted(
        f"{prompt.system}\n\n<reply 0123456789abcdef>\n{reply}\n</reply 0123456789abcdef>\n\n{prompt.user}"
    )
    assert f"<reply 0123456789abcdef>\n{redacted(reply).text}\n</reply 0123456789abcdef>" in inside.text


@pytest.mark.parametrize(
    "piece",
    ["a", "1 ", "+1", "a@", "a.b@c.", "I'm A ", "A b ", "password is ", "://a:", "-----BEGIN PRIVATE KEY-----", "hi  ", "x@y.zz+4912345678"],
)  # fmt: skip
def test_no_text_makes_it_slow(piece: str) -> None:
    began = time.monotonic()
    redacted(piece * (24_000 // len(piece)))
    assert time.monotonic() - began < 2


def test_logs_lose_the_keys_that_are_known_and_those_that_look_like_one() -> None:
    text = "Incorrect key: not-like-a-key. Was sk-proj-abcdefghijklmnopqrst? none. I'm Ada Lovelace."
    assert (
        without_keys(text, "not-like-a-key", None, "none") == "Incorrect key: [key]. Was [key]? none. I'm Ada Lovelace."
    )
