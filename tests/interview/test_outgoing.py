from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from interviewer.bank.bank import Bank
from interviewer.interview.asked import Asked
from interviewer.interview.outgoing import allowed, reveals, why_not
from interviewer.interview.phrasing import split
from interviewer.interview.wording import Wording, wording_of
from interviewer.grading.judge import EmbeddedJudge
from interviewer.models import PointVerdict, Question, Standing, Verdict

DATA = yaml.safe_load((Path(__file__).parent / "outgoing.yaml").read_text(encoding="utf-8"))
