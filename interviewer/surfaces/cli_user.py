"""``interviewer user``: who may sign in on the page."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated

import typer

from interviewer.access.names import plain_name
from interviewer.access.passwords import hash_password
from interviewer.access.person import Duty
from interviewer.access.users import User, Users
from interviewer.errors import UsageError
from interviewer.settings import load_settings
from interviewer.surfaces.console import Json, print_json, print_line

user_app = typer.Typer(help="Who may sign in on the page, and what each may do there.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="What they sign in as; upper and lower case are one.")]


@user_app.command()
def add(
    name: Name,
    duty: Annotated[Duty, typer.Option(help="Each may do all that those before it may.")] = Duty.CANDIDATE,
    elsewhere: Annotated[
        bool, typer.Option("--elsewhere", help="Without a password: a proxy or OpenID Connect signs them in.")
    ] = False,
) -> None:
    """Adds somebody; the password is asked twice, or is the one line on standard input."""
    users, plain = _users(), plain_name(name)
    if users.get(plain):  # said before a password is asked for
        raise UsageError(f"There is a user {plain} already. Nothing was changed.")
    users.add(User(name=plain, duty=duty, password=None if elsewhere else hash_password(_password())))
    print_line(f"{plain} was added as {duty.value}.")


@user_app.command("list")
def list_users(as_json: Json = False) -> None:
    """Everybody, with their duty."""
    found = _users().all()
    if as_json:
        print_json(
            {"users": [{"name": u.name, "duty": u.duty.value, "password": u.password is not None} for u in found]}
        )
        return
    for user in found:
        print_line(f"{user.name}: {user.duty.value}{'' if user.password else ', without a password'}")
    if not found:
        print_line("Nobody yet. `interviewer user add NAME` adds somebody.")


@user_app.command()
def remove(name: Name) -> None:
    """Takes somebody's name away; they are signed out at once. What they said is kept."""
    _users().remove(plain_name(name))
    print_line(f"{plain_name(name)} can't sign in any more, and is signed out. What they said is kept.")


@user_app.command()
def password(name: Name) -> None:
    """Sets another password, asked for as with add; they are signed out everywhere."""
    users, plain = _users(), plain_name(name)
    users.set(plain, password=hash_password(_password()))
    print_line(f"{plain} has a new password, and is signed out everywhere.")


@user_app.command()
def duty(name: Name, duty: Duty) -> None:
    """Sets what somebody may do, from now on."""
    plain = plain_name(name)
    _users().set(plain, duty=duty)
    print_line(f"{plain} is {duty.value} now.")


def _users() -> Users:
    return Users(load_settings().users)


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("Password: ")
    if getpass.getpass("The same once more: ") != first:
        raise UsageError("The two differ. Nothing was changed; try again.")
    return first
