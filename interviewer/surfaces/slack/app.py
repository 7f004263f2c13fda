"""The Bolt app: what of Slack is listened to, and which of the desk's doors each of it goes through.

Promises that whatever Slack sends is handled once, over all processes and restarts: it is in the inbox before Slack is told
that it arrived, and what a process left behind is taken up by the next one.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from typing import Any
from urllib.error import URLError

from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.context import BoltContext
from slack_bolt.context.respond import Respond
from slack_bolt.error import BoltError
from slack_bolt.oauth.oauth_flow import OAuthFlow
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from interviewer.errors import UsageError
from interviewer.settings import Settings
from interviewer.store import Inbox, Store
from interviewer.surfaces.slack.answer import RETRIES
from interviewer.surfaces.slack.blocks import FORGET, NEW, PAGE, WORDS, Message, forgetting, note, standings_message
from interviewer.surfaces.slack.desk import Desk, Press, user_id
from interviewer.surfaces.slack.heard import Altered, Payload, Said, alteration_in, message_in
from interviewer.surfaces.slack.installations import INSTALLATIONS, authorize, oauth_settings, open_installations
from interviewer.surfaces.slack.wishes import COMMAND, HELP, PROMPTS, Request, plan_of_command, request_in

EVENTS = ("message", "app_mention", "app_home_opened")
REMOVALS = ("app_uninstalled", "tokens_revoked")
BUTTONS = (*WORDS, NEW, PAGE, FORGET)
"""What is listened to, beside the command; docs/slack.md has the manifest that asks Slack for it."""

_IN_LOGS = "slack_app"  # Bolt sets the level of the logger of this name: a package's own would silence that package
_AGAIN = "interviewer_again"
_NAME = "interviewer_name"
_HEARD = "interviewer_heard"
_READ_BY_BOLT = ("CLIENT_ID", "CLIENT_SECRET", "BOT_TOKEN", "SIGNING_SECRET", "VERIFICATION_TOKEN", "APP_TOKEN")


class SlackApp:
    """``bolt`` is what Slack's requests are given to."""

    def __init__(self, settings: Settings, desk: Desk, store: Store, inbox: Inbox):
        self._desk = desk
        self._store = store
        self._inbox = inbox
        self.bolt = _bolt(settings)
        self.bolt.use(self._once)
        for event, listener in zip(EVENTS, (self._message, self._message, self._home), strict=True):
            self.bolt.event(event)(listener)
        self.bolt.command(COMMAND)(self._command)
        for action in BUTTONS:
            self.bolt.action(action)({FORGET: self._forget, PAGE: self._page}.get(action, self._press))
        if settings.slack_client_id:
            self.bolt.enable_token_revocation_listeners()
        else:
            for event in REMOVALS:
                self.bolt.event(event)(_nothing)

    def take_up(self) -> int:
        """Handles what processes that are gone left behind; how much that was."""
        left = self._inbox.unfinished()
        for body in left:
            self.bolt.dispatch(BoltRequest(body=body, mode="socket_mode", context={_AGAIN: True}))
        return len(left)

    def close(self) -> None:
        """What is being answered is finished; what waits is left to the next process."""
        self._desk.lines.close()
        self._inbox.close()

    # --- once, and only what is for us --------------------------------------------------------------------

    def _once(self, body: Payload, context: BoltContext, next: Callable[[], Any]) -> BoltResponse | None:
        if not _handled_here(body):
            next()
            return None
        team, bot = _team(context), context.bot_user_id or ""
        event = body.get("event") if isinstance(body.get("event"), dict) else None
        heard: Said | Altered | None = None
        if event and event.get("type") in ("message", "app_mention"):
            heard = message_in(event, team=team, bot=bot) or alteration_in(event, team=team, bot=bot)
            if heard is None or (isinstance(heard, Said) and not self._desk.wants(heard)):
                return context.ack()
        name = _name_of(body, heard)
        user = user_id(team, context.user_id) if context.user_id else None
        if not context.get(_AGAIN) and not self._inbox.take(name, body, user):
            return context.ack()
        context[_NAME], context[_HEARD] = name, heard
        next()
        return None

    def _done(self, context: BoltContext) -> Callable[[], None]:
        name = context[_NAME]
        return lambda: self._inbox.finish(name)

    # --- listeners ------------------------------------------------------------------------------------------

    def _message(self, context: BoltContext, client: WebClient) -> None:
        heard = context[_HEARD]
        if isinstance(heard, Said):
            self._desk.message(heard, client, self._done(context))
        else:
            self._desk.altered(heard, client, self._done(context))

    def _home(self, event: Payload, context: BoltContext, client: WebClient) -> None:
        """Somebody opened the conversation: suggestions for what to say."""
        if event.get("tab") == "messages":
            prompts = [{"title": title, "message": says} for title, says in PROMPTS]
            try:
                client.assistant_threads_setSuggestedPrompts(
                    channel_id=str(event.get("channel")), title="Practise for an interview", prompts=prompts
                )
            except (SlackApiError, URLError):  # a workspace without the agent view has no place for them
                logging.getLogger(__name__).info("the suggestions could not be shown")
        self._done(context)()

    def _command(
        self, ack: Callable[[], Any], command: Payload, context: BoltContext, client: WebClient, respond: Respond
    ) -> None:
        ack()
        team, user, text = _team(context), str(command.get("user_id")), str(command.get("text") or "")
        me, done = user_id(team, user), self._done(context)
        match request_in(text):
            case Request.BEGIN:
                self._begin(team, user, text, str(command.get("channel_id")), client, respond, done)
                return
            case Request.PAGE:
                _tell(respond, note(self._desk.crossing.invite_to_newest(me)))
            case Request.STANDINGS:
                shown = standings_message(self._store.standings.read(user_id(team, "")))
                _tell(respond, shown, response_type="in_channel")
            case Request.JOIN:
                self._store.standings.join(me, str(command.get("user_name") or user))
                _tell(
                    respond,
                    note("You stand in `/interview standings` now: your name and how often you practised, no scores."),
                )
            case Request.LEAVE:
                left = self._store.standings.leave(me)
                _tell(respond, note("You stand there no more." if left else "You didn't stand there."))
            case Request.FORGET:
                _tell(respond, forgetting())
            case Request.HELP:
                _tell(respond, note(HELP))
        done()

    def _begin(
        self,
        team: str,
        user: str,
        text: str,
        asked_in: str,
        client: WebClient,
        respond: Respond,
        done: Callable[[], None],
    ) -> None:
        plan = plan_of_command(text)
        assert plan is not None  # else it had been no request to begin
        try:
            channel = self._desk.begin(team, user, text, plan, _now(), client, done)
        except (SlackApiError, URLError):
            _tell(
                respond, note("Slack wouldn't open our direct conversation, so nothing was begun. Write to me there.")
            )
            done()
            return
        if channel != asked_in:
            _tell(respond, note("Your interview begins in our direct conversation."))

    def _press(
        self, ack: Callable[[], Any], body: Payload, context: BoltContext, client: WebClient, respond: Respond
    ) -> None:
        ack()
        action, message = body["actions"][0], body.get("message") or {}
        session, _, seq = str(action.get("value")).partition(":")
        press = Press(
            team=_team(context),
            channel=str(context.channel_id),
            thread=str(message.get("thread_ts") or message.get("ts")),
            user=str(context.user_id),
            action=str(action["action_id"]),
            session=session,
            seq=int(seq) if seq.isdecimal() else -1,
            ts=str(action.get("action_ts") or _now()),
            name=context[_NAME],
        )
        self._desk.press(press, client, lambda words: _whisper(respond, body, words), self._done(context))

    def _page(self, ack: Callable[[], Any], body: Payload, context: BoltContext, respond: Respond) -> None:
        ack()
        session = str(body["actions"][0].get("value")).partition(":")[0]
        me = user_id(_team(context), str(context.user_id))
        _whisper(respond, body, self._desk.crossing.invite(me, session))
        self._done(context)()

    def _forget(self, ack: Callable[[], Any], context: BoltContext, respond: Respond) -> None:
        ack()

        def tell(words: str) -> None:
            _tell(respond, note(words), replace_original=True)

        self._desk.forget(_team(context), str(context.user_id), _now(), tell, self._done(context))


def _bolt(settings: Settings) -> App:
    """Raises UsageError where Slack doesn't know the token."""
    for name in _READ_BY_BOLT:  # Bolt's own variables must not change what our settings say
        os.environ.pop(f"SLACK_{name}", None)
    client = WebClient(base_url=settings.slack_api_url, timeout=20, retry_handlers=list(RETRIES))
    secret = settings.slack_signing_secret
    signing = secret.get_secret_value() if secret else None
    if settings.slack_client_id and settings.slack_client_secret:
        client_secret = settings.slack_client_secret.get_secret_value()
        oauth, kept = oauth_settings(
            open_installations(settings.home / INSTALLATIONS), settings.slack_client_id, client_secret
        )
        finder = authorize(kept, settings.slack_client_id, client_secret, client)
        flow = OAuthFlow(client=client, settings=oauth)
        return App(
            name=_IN_LOGS,
            client=client,
            signing_secret=signing,
            authorize=finder,  # type: ignore[arg-type]  # an Authorize, which Bolt takes as it is
            oauth_flow=flow,
        )
    token = settings.slack_bot_token
    client.token = token.get_secret_value() if token else None
    try:
        return App(name=_IN_LOGS, client=client, signing_secret=signing)
    except (BoltError, SlackApiError) as error:
        raise UsageError(
            "Slack doesn't accept INTERVIEWER_SLACK_BOT_TOKEN, so nothing was started. Copy it again from the app's page, "
            "under OAuth & Permissions (docs/slack.md)."
        ) from error
    except (URLError, OSError) as error:
        raise UsageError(f"{settings.slack_api_url} can't be reached ({error}), so nothing was started.") from error


def _nothing() -> None:
    """Slack is told that it arrived."""


def _handled_here(body: Payload) -> bool:
    event, actions = body.get("event"), body.get("actions")
    if isinstance(event, dict):
        return event.get("type") in EVENTS and bool(body.get("event_id"))
    pressed = actions[0].get("action_id") if isinstance(actions, list) and actions else None
    return (body.get("command") == COMMAND or pressed in BUTTONS) and bool(body.get("trigger_id"))


def _team(context: BoltContext) -> str:
    return str(context.team_id or context.enterprise_id or "")


def _name_of(body: Payload, heard: Said | Altered | None) -> str:
    """What is the same in every delivery of it. A message that calls the app in a channel comes as two events,
    and of all edits of a message the first is answered."""
    if isinstance(heard, Said):
        return heard.name
    if isinstance(heard, Altered):
        return f"{'deleted' if heard.deleted else 'edited'}:{heard.message}"
    return f"event:{body.get('event_id') or body.get('trigger_id')}"


def _now() -> str:
    return f"{time.time():.6f}"


def _whisper(respond: Respond, body: Payload, words: str) -> None:
    """For who pressed a button alone, beside it."""
    thread = (body.get("message") or {}).get("thread_ts")
    _tell(respond, note(words), response_type="ephemeral", replace_original=False, thread_ts=thread)


def _tell(respond: Respond, message: Message, **how: Any) -> None:
    respond(text=message.text, blocks=message.blocks, **how)
