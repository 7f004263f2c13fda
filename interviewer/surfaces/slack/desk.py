"""Interviews, driven from Slack: whose message belongs to which session, what is said back, and where.

Promises: what a person sends is taken in the order of sending, and an answer that was given to an older question is not
graded as one to a newer, wherever that was asked; nobody's words or buttons reach a session of another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from interviewer.errors import InterviewerError, SessionBusy, SessionMoved, UnknownSession
from interviewer.interview.plan import wish_in
from interviewer.interview.session import Interviews, Session
from interviewer.models import PartKind, Plan, Role, Turn
from interviewer.store import Place
from interviewer.surfaces.slack.answer import GRADING, Answer, Pace, post
from interviewer.surfaces.slack.blocks import WORDS, note
from interviewer.surfaces.slack.crossing import Crossing
from interviewer.surfaces.slack.enclosing import Enclosing
from interviewer.surfaces.slack.files import Files
from interviewer.surfaces.slack.heard import Altered, Said, moment
from interviewer.surfaces.slack.lines import Lines
from interviewer.surfaces.slack.showing import Showing, patiently, place_name
from interviewer.surfaces.slack.wishes import plan_in

_CHOOSING = "Choosing your first question"
_NOT_YET_THERE = -2  # before any turn

_SENT_BEFORE = (
    "I hadn't asked the question above yet when you sent this, so I didn't take it as an answer to it. "
    "If it is one, please send it again."
)
_ASKED_ELSEWHERE = (
    "The question above was asked on the page after my last message here, so I didn't take what you sent as an answer to it. "
    "If it is one, please send it again."
)
_LATE = "Slack brought me this after something that you sent later, so I didn't take it. If it still fits, please send it again."
_EDITED = (
    "I grade what you sent first and don't read the edit. To add to it or to correct it, send a new message: "
    "everything that you say on a question counts."
)
_DELETED = "You deleted a message that I had taken: what you sent still counts. `/interview forget me` deletes everything that you wrote."
_SOMEBODY_ELSES = "This thread is somebody else's interview. Call me in a message of your own, or write to me directly."
_OLD_BUTTON = "That button belongs to an older message, so nothing was done. Use those under my newest one."
_GONE = "That interview was deleted, so nothing was done. `/interview` begins a new one."
_NOT_YOURS = "These buttons are for the person who is being interviewed. `/interview` begins an interview of your own."
_BROKEN = "Something broke on this side and was written to the log. What you sent is kept; say anything to go on."


@dataclass(frozen=True)
class Press:
    """Somebody pressed a button of an interview. ``seq``: of the turn that it stands under."""

    team: str
    channel: str
    thread: str
    user: str
    action: str
    session: str
    seq: int
    ts: str
    name: str


def user_id(team: str, user: str) -> str:
    """A person of Slack, as the store knows them."""
    return f"slack:{team}:{user}"


class Desk:
    """``files_at``: the address that Slack's files lie under; ``page``: the page's as people reach it, None where they don't."""

    def __init__(self, interviews: Interviews, files_at: str, page: str | None = None):
        self.lines = Lines()
        self.crossing = Crossing(interviews.store, page)
        self._interviews = interviews
        self._places = interviews.store.places
        self._files = Files(files_at)
        enclosing = Enclosing(interviews.store.enclosures, files_at)
        self._showing = Showing(interviews, enclosing, to_the_page=self.crossing.possible)
        self._pace = Pace()

    # --- what comes in; all of it returns at once -----------------------------------------------------

    def wants(self, said: Said) -> bool:
        """Whether a message is one for us. What isn't is not kept."""
        if said.direct or said.mentioned:
            return True
        place = self._showing.at(said.team, said.channel, said.thread) if said.thread else None
        return place is not None and place.user == user_id(said.team, said.user)

    def message(self, said: Said, client: WebClient, done: Callable[[], None]) -> None:
        answer = self._answer(client, said.team, said.channel, said.thread or said.ts)
        place = self._place_of(said)
        seen = self._showing.shown(place) if place else _NOT_YET_THERE
        if here := self._showing.at(said.team, said.channel, answer.thread):
            self._showing.keep_place(answer, here)
        self._put(said.team, said.user, said.ts, answer, done, lambda: self._hear(said, client, answer, seen))

    def press(self, press: Press, client: WebClient, whisper: Callable[[str], None], done: Callable[[], None]) -> None:
        """``whisper`` says something that only who pressed can see."""
        try:
            session = self._interviews.open(press.session)
        except UnknownSession:
            whisper(_GONE)
            done()
            return
        if session.user != user_id(press.team, press.user):
            whisper(_NOT_YOURS)
            done()
            return
        answer = self._answer(client, press.team, press.channel, press.thread)
        self._put(
            press.team, press.user, press.ts, answer, done, lambda: self._pressed(press, session, answer, whisper)
        )

    def begin(
        self, team: str, user: str, text: str, plan: Plan, ts: str, client: WebClient, done: Callable[[], None]
    ) -> str:
        """An interview in the person's direct conversation with the app, which is what comes back."""
        channel = str(client.conversations_open(users=user)["channel"]["id"])
        answer = self._answer(client, team, channel, "", _CHOOSING)
        self._put(team, user, ts, answer, done, lambda: self._begin(team, user, text, plan, answer))
        return channel

    def altered(self, altered: Altered, client: WebClient, done: Callable[[], None]) -> None:
        """A message that was taken was edited or deleted: it counts as it was sent, and its sender is told so."""
        place = self._showing.at(altered.team, altered.channel, altered.thread or altered.ts)
        mine = place is not None and place.user == user_id(altered.team, altered.user)
        if place and mine and self._interviews.store.seq_of(place.session, altered.message) is not None:
            post(client, altered.channel, altered.thread or altered.ts, note(_DELETED if altered.deleted else _EDITED))
        done()

    def forget(self, team: str, user: str, ts: str, tell: Callable[[str], None], done: Callable[[], None]) -> None:
        def work() -> None:
            try:
                count = patiently(lambda: self._interviews.forget(user_id(team, user)))
                many = "1 interview is" if count == 1 else f"{count} interviews are"
                tell(f"Done: {many} deleted, with all that you wrote and all that was made of it.")
            except SessionBusy:
                tell("I am still answering you, so nothing was deleted. Please try again in a minute.")
            done()

        self.lines.put(user_id(team, user), moment(ts), work)

    # --- in the person's line ---------------------------------------------------------------------------

    def _put(
        self, team: str, user: str, ts: str, answer: Answer, done: Callable[[], None], work: Callable[[], None]
    ) -> None:
        """Does ``work`` when it is its turn; ``done`` unless Slack couldn't be told, so that it is tried again."""

        def tell() -> None:
            try:
                work()
            except InterviewerError as error:
                answer.finish([note(str(error))])
            except (SlackApiError, URLError):
                raise
            except Exception:
                logging.getLogger(__name__).exception("a turn failed")
                answer.finish([note(_BROKEN)])

        def careful() -> None:
            try:
                tell()
            except (SlackApiError, URLError) as error:
                logging.getLogger(__name__).error("Slack could not be told: %s", _cause(error))
                return
            finally:
                answer.withdraw()
            done()

        self.lines.put(user_id(team, user), moment(ts), careful)

    def _hear(self, said: Said, client: WebClient, answer: Answer, seen: int) -> None:
        user = user_id(said.team, said.user)
        place = self._place_of(said)
        if place is not None and place.user != user:
            answer.finish([note(_SOMEBODY_ELSES)])
        elif place is None:
            self._begin(said.team, said.user, said.text, plan_in(said.text) or Plan(), answer)
        else:
            self._reply_to(said, self._interviews.open(place.session), client, answer, seen)

    def _reply_to(self, said: Said, session: Session, client: WebClient, answer: Answer, seen: int) -> None:
        place = self._showing.bound(said.team, answer, session)
        if refusal := self._refusal(said, session, place, seen):
            self._showing.show(session, place, answer, ending=refusal)
            return
        read = self._files.read(said.uploads, client.token or "")
        for problem in read.problems:
            answer.beside(note(problem))
        text = "\n\n".join(filter(None, [said.text, read.code]))
        if said.uploads and not text:
            answer.withdraw()  # nothing was sent but files that can't be read
            return
        self._places.hear(place.place, said.ts)
        patiently(lambda: session.reply(text, key=said.name, progress=answer.progress, on_text=answer.hear))
        self._showing.show(session, place, answer, answered=said.name)

    def _refusal(self, said: Said, session: Session, place: Place, seen: int) -> str:
        """Why a message isn't taken; empty where it is."""
        if self._interviews.store.seq_of(session.id, said.name) is not None:
            return ""  # it was taken before a restart
        last = max((moment(p.heard) for p in self._places.of_session(session.id)), default=(0, 0))
        if moment(said.ts) < last:
            return _LATE
        if session.ended or not any(turn.seq > seen and _asks(turn) for turn in session.turns()):
            return ""
        return _ASKED_ELSEWHERE if self._showing.behind(session, place) else _SENT_BEFORE

    def _pressed(self, press: Press, session: Session, answer: Answer, whisper: Callable[[str], None]) -> None:
        place = self._showing.bound(press.team, answer, session)
        if press.action not in WORDS:
            self._begin(press.team, press.user, "", session.report().plan, answer)
            return
        word = WORDS[press.action]
        try:
            patiently(
                lambda: session.reply(
                    word, key=press.name, after=press.seq, progress=answer.progress, on_text=answer.hear
                )
            )
        except SessionMoved:
            whisper(_OLD_BUTTON)
        self._showing.show(session, place, answer, answered=press.name)

    def _begin(self, team: str, user: str, text: str, plan: Plan, answer: Answer) -> None:
        """``text`` may wish for something of the person's own history."""
        me = user_id(team, user)
        wish = wish_in(text)
        session = self._interviews.begin(self._interviews.plan_for(me, wish, plan) if wish else plan, me)
        self._showing.begin(team, session, answer)

    # --- places -------------------------------------------------------------------------------------------

    def _place_of(self, said: Said) -> Place | None:
        """Where the interview that a message belongs to goes on; None where it begins a new one.

        In a direct conversation, what stands outside of threads belongs to the interview that is going on there, unless it
        wishes for another one."""
        if said.thread or not said.direct:
            return self._showing.at(said.team, said.channel, said.thread or said.ts)
        if again := self._showing.at(said.team, said.channel, said.ts):
            return again
        if plan_in(said.text) is not None:
            return None
        prefix = place_name(said.team, said.channel, "")
        mine = [p for p in self._places.of(user_id(said.team, said.user)) if p.place.startswith(prefix)]
        still_on = [place for place in mine if self._goes_on(place)]
        return max(still_on, key=lambda p: moment(p.place.removeprefix(prefix)), default=None)

    def _goes_on(self, place: Place) -> bool:
        """Also where it ended on the page, and that wasn't shown here yet."""
        session = self._interviews.open(place.session)
        return not session.ended or self._showing.behind(session, place)

    def _answer(self, client: WebClient, team: str, channel: str, thread: str, first: str = GRADING) -> Answer:
        return Answer(client, self._pace, team=team, channel=channel, thread=thread, first=first)


def _asks(turn: Turn) -> bool:
    return turn.role is Role.INTERVIEWER and any(part.kind is PartKind.QUESTION for part in turn.parts)


def _cause(error: Exception) -> str:
    return str(error.response.get("error")) if isinstance(error, SlackApiError) else str(error)
