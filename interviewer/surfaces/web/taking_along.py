"""All that is kept of a person's interviews, as one archive that they can take away.

Holds what they may read, so not the grades of an exam that still goes on; nor what only lets them in, such as tickets.
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from interviewer.models import Plan, Role
from interviewer.surfaces.chat import transcript
from interviewer.surfaces.cli_report import ReportFormat, report_bytes
from interviewer.surfaces.render import turn_markdown

if TYPE_CHECKING:
    from interviewer.interview.session import Interviews, Session

_CONTENTS = """What is kept of your interviews.

record.json              where you stand by topic, what is due again, and which interviews that comes from
places.json              where else an interview of yours goes on, such as in a thread of a messenger
DAY-SESSION/
  session.json           the plan, every turn with its time, and the report, with all grades, disputes and decisions
  conversation.md        what was said, to read
  report.html            the report, to read; not of an exam that still goes on

Beside these the server keeps what lets you in (as hashes that tell nothing) and the state that an interview goes on from,
which says the same as its turns. "Forget everything" on the page of your history deletes all of it.
"""


def archive(interviews: Interviews, user: str) -> bytes:
    """A zip file; see its README.txt."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _CONTENTS)
        archive.writestr("record.json", _json(interviews.record(user).model_dump(mode="json")))
        places = [{"place": p.place, "session": p.session} for p in interviews.store.places.of(user)]
        archive.writestr("places.json", _json(places))
        for row in interviews.store.sessions(user):
            session = interviews.open(row.id)
            folder = f"{row.begun[:10]}-{row.id}"
            begun = {"begun": row.begun, "ended_at": row.ended, "plan": (row.plan or Plan()).model_dump(mode="json")}
            archive.writestr(f"{folder}/session.json", _json(begun | transcript(session)))
            archive.writestr(f"{folder}/conversation.md", _conversation(session))
            if not session.withholds_grades:
                archive.writestr(f"{folder}/report.html", report_bytes(session.report(), ReportFormat.HTML))
    return file.getvalue()


def _conversation(session: Session) -> str:
    who = {Role.CANDIDATE: "You", Role.INTERVIEWER: "Interviewer"}
    turns = [f"**{who[turn.role]}**, {turn.at}\n\n{turn_markdown(turn)}" for turn in session.turns()]
    return "\n\n---\n\n".join(turns) + "\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
