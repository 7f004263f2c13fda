"""What Slack refuses of a payload, as its reference says: Block Kit's limits, and what each method must be given."""

from __future__ import annotations

import re
from typing import Any

Thing = dict[str, Any]

_REQUIRED = {
    "chat.postMessage": ("channel", "text"),
    "chat.update": ("channel", "ts", "text"),
    "conversations.open": ("users",),
    "assistant.threads.setSuggestedPrompts": ("channel_id", "prompts"),
    "files.getUploadURLExternal": ("filename", "length"),
    "files.completeUploadExternal": ("files",),
    "files.info": ("file",),
}
SCOPE_OF = {
    "chat.postMessage": "chat:write",
    "chat.update": "chat:write",
    "conversations.open": "im:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
    "files.getUploadURLExternal": "files:write",
    "files.completeUploadExternal": "files:write",
    "files.info": "files:read",
}
_BLOCKS = {"section", "header", "divider", "context", "actions", "rich_text"}
_RICH = {"rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote"}
_MARKUP = re.compile(r"<[^>]*>")


def refusal(method: str, sent: Thing) -> str:
    """Why Slack would refuse it; empty where it wouldn't."""
    if missing := [name for name in _REQUIRED.get(method, ()) if not sent.get(name)]:
        return f"missing: {missing}"
    if _MARKUP.search(str(sent.get("text", ""))):
        return f"text has markup that nobody meant: {sent['text']}"
    if method.startswith("chat.") and sent.get("parse") not in (None, "none"):
        return "parse"
    if len(str(sent.get("text", ""))) > 4000:
        return "text is too long"
    if method == "assistant.threads.setSuggestedPrompts" and ("thread_ts" in sent or not 0 < len(sent["prompts"]) <= 4):
        return "prompts"
    if method == "files.getUploadURLExternal" and len(sent.get("alt_txt", "")) > 1000:
        return "alt_txt is too long"
    return _of_blocks(sent.get("blocks", []))


def _of_blocks(blocks: list[Thing]) -> str:
    if len(blocks) > 50:
        return f"{len(blocks)} blocks"
    if sum(len(words(block)) for block in blocks) > 13_000:
        return "msg_blocks_too_long"
    return next(filter(None, (_of_block(block) for block in blocks)), "")


def _of_block(block: Thing) -> str:
    kind = block.get("type")
    if kind not in _BLOCKS:
        return f"unknown block {kind}"
    match kind:
        case "section":
            return _text(block["text"], 3000)
        case "header":
            return _text(block["text"], 150, "plain_text")
        case "context":
            elements = block["elements"]
            if not 0 < len(elements) <= 10:
                return "context elements"
            return next(filter(None, (_text(e, 3000) for e in elements)), "")
        case "actions":
            elements = block["elements"]
            if not 0 < len(elements) <= 25 or len({e["action_id"] for e in elements}) != len(elements):
                return "actions"
            return next(filter(None, (_button(e) for e in elements)), "")
        case "rich_text":
            if len(words(block)) > 3000:
                return "rich text too long"
            return next(filter(None, (_rich(e) for e in block["elements"])), "") if block["elements"] else "empty"
    return ""


def _text(text: Thing, most: int, kind: str = "") -> str:
    if text.get("type") not in (kind or "plain_text", kind or "mrkdwn"):
        return f"text of type {text.get('type')}"
    if text["type"] == "mrkdwn" and not text.get("verbatim"):
        return "mrkdwn that Slack makes links of"
    return "" if 0 < len(text["text"]) <= most else f"text of {len(text['text'])}"


def _button(button: Thing) -> str:
    if button["type"] != "button" or len(button.get("value", "")) > 2000 or len(button["action_id"]) > 255:
        return "button"
    confirm = button.get("confirm")
    limits = {"title": 100, "text": 300, "confirm": 30, "deny": 30}
    wrong = [_text(confirm[name], most, "plain_text") for name, most in limits.items()] if confirm else []
    return next(filter(None, [_text(button["text"], 75, "plain_text"), *wrong]), "")


def _rich(element: Thing) -> str:
    kind = element["type"]
    if kind not in _RICH or not element["elements"]:
        return f"rich text {kind}"
    if kind == "rich_text_list":
        if element["style"] not in ("bullet", "ordered") or not 0 <= element.get("indent", 0) <= 8:
            return "list"
        inner = [e for section in element["elements"] for e in section["elements"]]
        if any(section["type"] != "rich_text_section" for section in element["elements"]):
            return "a list holds sections alone"
    else:
        inner = element["elements"]
    for each in inner:
        if each["type"] not in ("text", "link") or not each["text"]:
            return f"element {each}"
        if each["type"] == "link" and not each["url"].startswith(("https://", "http://")):
            return f"link {each['url']}"
    return ""


def words(thing: Any) -> str:
    """All that a payload shows."""
    if isinstance(thing, list):
        return "\n".join(map(words, thing))
    if isinstance(thing, dict):
        shown = [thing[key] for key in ("text", "blocks", "elements") if key in thing]
        return "\n".join(map(words, shown))
    return str(thing)


def links(thing: Any) -> list[str]:
    if isinstance(thing, list):
        return [url for each in thing for url in links(each)]
    if isinstance(thing, dict):
        own = [thing["url"]] if thing.get("type") == "link" else []
        return own + [url for each in thing.values() for url in links(each)]
    return []
