"""Who somebody is and what they may see. What they said is the store's; how they prove who they are stands in the modules here."""

from interviewer.access.person import LOCAL, Duty, Person

__all__ = ["LOCAL", "Duty", "Person"]
