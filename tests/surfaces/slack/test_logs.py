from __future__ import annotations

import logging

from tests.surfaces.slack.conftest import Served


def test_the_app_leaves_the_levels_of_our_own_loggers_alone(served: Served) -> None:
    served.person().say("Hello")
    assert logging.getLogger("interviewer").level == logging.NOTSET
