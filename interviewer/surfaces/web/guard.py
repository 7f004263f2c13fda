"""Whose request it is, for every page of ours and for Gradio's.

Promises that nothing of a person is shown or done before it was asked here who wants it.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from interviewer.access import LOCAL, Person


def person_of(request: HTTPConnection) -> Person | None:
    """None where they have not signed in."""
    return LOCAL


def _signed_in(request: HTTPConnection) -> Person:
    if person := person_of(request):
        return person
    raise HTTPException(401)


def _reviewer(person: SignedIn) -> Person:
    if not person.may_review:
        raise HTTPException(403)
    return person


def _admin(person: SignedIn) -> Person:
    if not person.may_administer:
        raise HTTPException(403)
    return person


# What a page of ours declares as the type of a parameter, to be handed who asks or to refuse them.
SignedIn = Annotated[Person, Depends(_signed_in)]
Reviewer = Annotated[Person, Depends(_reviewer)]
Admin = Annotated[Person, Depends(_admin)]
