"""Who somebody is and what they may see. What they said is the store's; how they prove who they are stands in the modules here."""

from interviewer.access.invitations import Invitation, Invitations, State
from interviewer.access.links import Links
from interviewer.access.names import comparable, plain_name, user_of
from interviewer.access.person import LOCAL, Duty, Person
from interviewer.access.reading import may_read
from interviewer.access.reception import Reception, WayIn, way_in
from interviewer.access.tickets import Means, Ticket

__all__ = [
    "LOCAL",
    "Duty",
    "Invitation",
    "Invitations",
    "Links",
    "Means",
    "Person",
    "Reception",
    "State",
    "Ticket",
    "WayIn",
    "comparable",
    "may_read",
    "plain_name",
    "user_of",
    "way_in",
]
