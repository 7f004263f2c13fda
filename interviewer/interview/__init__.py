"""An interview as a conversation: the door is ``Interviews`` and ``Session``."""
