"""What Slack sends, read into values of ours: who said what where.

Promises that what is missing or of another shape than Slack's is left out, never an error; that code comes as the person
typed it; that messages of bots, our own among them, are never heard.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from interviewer.markdown import fenced

Payload = dict[str, Any]

_HEARD = (None, "file_share", "thread_broadcast")  # subtypes of messages that somebody wrote
_MARKUP = re.compile(r"<([^<>|\n]*)(?:\|([^<>\n]*))?>")
_FENCED = re.compile(r"```(.*?)```", re.DOTALL)
_STYLES = {"bold": "**", "italic": "*", "strike": "~~"}


@dataclass(frozen=True)
class Upload:
    name: str
    size: int
    url: str


@dataclass(frozen=True)
class Said:
    """A message of a person. ``thread`` is empty where it stands in none; ``direct``: in the direct conversation with the app;
    ``mentioned``: it calls the app by its name. ``text`` is Markdown."""

    team: str
    channel: str
    ts: str
    thread: str
    user: str
    direct: bool
    mentioned: bool
    text: str
    uploads: tuple[Upload, ...] = ()

    @property
    def name(self) -> str:
        """The message's own: the same in whatever event it arrives."""
        return f"message:{self.team}:{self.channel}:{self.ts}"


@dataclass(frozen=True)
class Altered:
    """A person edited or deleted a message."""

    team: str
    channel: str
    ts: str
    thread: str
    user: str
    deleted: bool

    @property
    def message(self) -> str:
        return f"message:{self.team}:{self.channel}:{self.ts}"


def message_in(event: Payload, *, team: str, bot: str) -> Said | None:
    """``bot``: the user id that the app has in this workspace."""
    by_a_bot = event.get("bot_id") or event.get("app_id") or event.get("user") == bot
    user, channel, ts = (_word(event.get(key)) for key in ("user", "channel", "ts"))
    if by_a_bot or event.get("subtype") not in _HEARD or not (user and channel and ts):
        return None
    raw = str(event.get("text") or "")
    return Said(
        team=team,
        channel=channel,
        ts=ts,
        thread=_word(event.get("thread_ts")),
        user=user,
        direct=event.get("channel_type") == "im",
        mentioned=event.get("type") == "app_mention" or f"<@{bot}>" in raw,
        text=words_of(event, bot),
        uploads=tuple(_uploads(event.get("files"))),
    )


def alteration_in(event: Payload, *, team: str, bot: str) -> Altered | None:
    """What isn't an edit of words, such as a link that got its preview, is none."""
    before = event.get("previous_message")
    after = event.get("message")
    deleted = event.get("subtype") == "message_deleted"
    if not isinstance(before, dict) or event.get("subtype") not in ("message_changed", "message_deleted"):
        return None
    if before.get("bot_id") or before.get("user") in (bot, None):
        return None
    if not deleted and (not isinstance(after, dict) or after.get("text") == before.get("text")):
        return None
    channel, ts = _word(event.get("channel")), _word(before.get("ts"))
    if not (channel and ts):
        return None
    return Altered(team, channel, ts, _word(before.get("thread_ts")), _word(before.get("user")), deleted)


def moment(ts: str) -> tuple[int, int]:
    """When a message was sent, to be compared: Slack's ``ts`` as seconds and a running number."""
    seconds, _, number = ts.partition(".")
    return (int(seconds), int(number)) if seconds.isdecimal() and number.isdecimal() else (0, 0)


# --- words ----------------------------------------------------------------------------------------


def words_of(event: Payload, bot: str = "") -> str:
    """The message as Markdown, without calling ``bot`` by its name. Slack sends words twice, and of the two only rich
    text tells code from the links that Slack sees in it."""
    blocks = event.get("blocks")
    rich = (
        [b for b in blocks if isinstance(b, dict) and b.get("type") == "rich_text"] if isinstance(blocks, list) else []
    )
    if rich and len(rich) == len(blocks or []):
        return "\n\n".join(filter(None, (_part(part, bot) for block in rich for part in _inside(block)))).strip()
    return _of_text(str(event.get("text") or ""), bot)


def _part(part: Payload, bot: str) -> str:
    match part.get("type"):
        case "rich_text_preformatted":
            return fenced("".join(_literal(e) for e in _inside(part)).rstrip("\n"), "python")
        case "rich_text_quote":
            return "\n".join(f"> {line}" for line in _line(part, bot).splitlines())
        case "rich_text_list":
            return "\n".join(f"- {_line(item, bot)}" for item in _inside(part))
        case _:
            return _line(part, bot).strip()


def _line(part: Payload, bot: str) -> str:
    return "".join(_span(element, bot) for element in _inside(part))


def _span(element: Payload, bot: str) -> str:
    text = _literal(element)
    if element.get("type") == "user" and element.get("user_id") == bot:
        return ""
    style = element.get("style")
    if not isinstance(style, dict) or not text.strip():
        return text
    if style.get("code"):
        return f"`{text}`"
    marks = "".join(mark for name, mark in _STYLES.items() if style.get(name))
    return f"{marks}{text}{marks[::-1]}" if text == text.strip() else text


def _literal(element: Payload) -> str:
    match element.get("type"):
        case "text":
            return str(element.get("text", ""))
        case "link":
            return str(element.get("text") or element.get("url", ""))
        case "emoji":
            return f":{element.get('name', '')}:"
        case "user" | "usergroup" | "broadcast":
            return "@" + str(element.get("user_id") or element.get("usergroup_id") or element.get("range") or "")
        case "channel":
            return "#" + str(element.get("channel_id", ""))
        case _:
            return ""


def _of_text(text: str, bot: str) -> str:
    text = text.replace(f"<@{bot}>", "") if bot else text
    parts = _FENCED.split(text)
    said = []
    for index, part in enumerate(parts):
        words = html.unescape(_MARKUP.sub(_word_of_markup, part))
        said.append(fenced(words.strip("\n"), "python") if index % 2 else words.strip())
    return "\n\n".join(filter(None, said))


def _word_of_markup(found: re.Match[str]) -> str:
    target, label = found[1], found[2]
    return label or target.removeprefix("mailto:").removeprefix("!")


def _inside(part: Payload) -> list[Payload]:
    elements = part.get("elements")
    return [e for e in elements if isinstance(e, dict)] if isinstance(elements, list) else []


def _uploads(files: Any) -> list[Upload]:
    found = []
    for each in files if isinstance(files, list) else []:
        if isinstance(each, dict):
            size = each.get("size")
            name = str(each.get("name") or each.get("title") or "a file")
            url = str(each.get("url_private_download") or each.get("url_private") or "")
            found.append(Upload(name, size if isinstance(size, int) else 0, url))
    return found


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
