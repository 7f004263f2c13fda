"""Questions, their rubrics and tasks, and what a search of them finds."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from interviewer.models.base import Sentence, Slug, Tolerance, Value

if TYPE_CHECKING:
    from interviewer.models.runs import CodeRun


class Level(StrEnum):
    JUNIOR = "junior"
    MID = "mid"
    SENIOR = "senior"
    STAFF = "staff"

    @property
    def rank(self) -> int:
        """0 for junior to 3 for staff."""
        return list(Level).index(self)


class Kind(StrEnum):
    EXPLAIN = "explain"
    COMPARE = "compare"
    DEBUG = "debug"
    PREDICT = "predict"
    DESIGN = "design"
    ESTIMATE = "estimate"
    CODE = "code"
    FASTER = "faster"
    FIT = "fit"
    CHOICE = "choice"


class Topic(StrEnum):
    FUNDAMENTALS = "fundamentals"
    TENSORS = "tensors"
    AUTOGRAD = "autograd"
    MODULES = "modules"
    DATA = "data"
    TRAINING = "training"
    OPTIMIZATION = "optimization"
    REGULARIZATION = "regularization"
    ARCHITECTURES = "architectures"
    CHECKPOINTS = "checkpoints"
    DEBUGGING = "debugging"
    PERFORMANCE = "performance"
    DISTRIBUTED = "distributed"
    DEPLOYMENT = "deployment"


class Experiment(Value):
    """A few lines that settle a claim by running: ``code`` prints exactly ``prints``, and ``shows`` says to a
    candidate what that means."""

    name: Annotated[str, StringConstraints(pattern=r"^[^,:]+$", strip_whitespace=True, max_length=80)]
    code: str = Field(min_length=1)
    prints: str = Field(min_length=1)
    shows: Sentence

    def confirmed_by(self, run: CodeRun) -> bool:
        """Whether ``run`` came to its end and printed what the code must, but for white space at the ends of lines."""
        return run.outcome is Outcome.PASSED and _lines(run.output) == _lines(self.prints)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


class Point(Value):
    """One claim of the rubric, true on its own. ``proven_by`` names checks of the task: such a point
    is earned by a run, never by words. ``shown_by`` names the experiment that shows the claim to be so."""

    id: Slug
    claim: Sentence
    also: tuple[Sentence, ...] = ()
    weight: int = Field(1, ge=1, le=5)
    follow_up: Sentence
    follow_up_answer: str = ""
    proven_by: tuple[str, ...] = ()
    shown_by: str = ""


class Misconception(Value):
    """What candidates wrongly believe, in their words, and what is so instead. ``shown_by`` names the experiment that
    refutes it."""

    id: Slug
    claim: Sentence
    also: tuple[Sentence, ...] = ()
    correction: Sentence
    contradicts: tuple[Slug, ...] = Field(min_length=1, description="ids of the points that it denies")
    shown_by: str = ""


class Fault(StrEnum):
    """What can be wrong with what a document says."""

    UNKNOWN_NAME = "unknown name"
    OUTDATED = "outdated"
    CONTRADICTED = "contradicted"
    FAILS = "code fails"
    NOT_RUN = "code not run"
    CUT_OFF = "cut off"


class Doubt(Value):
    """Something in a document that is wrong or old. ``text``: its words; ``why``: what is so instead.

    ``assumed`` is what was added to code to make it run. ``question`` and ``experiment`` name what of the bank
    contradicts the document and shows that; ``printed`` is what it printed.
    """

    fault: Fault
    text: str
    why: str
    assumed: tuple[str, ...] = ()
    question: str = ""
    experiment: str = ""
    printed: str = ""


class Reference(Value):
    """A passage of a reference answer (Markdown) and where it is from.

    ``indentation_lost``: the code in it came from a page that dropped its indentation. ``doubts``: what it says that is
    wrong or old, and that nobody is graded by.
    """

    source: str
    text: str
    indentation_lost: bool = False
    doubts: tuple[Doubt, ...] = ()


class Choice(Value):
    """A multiple-choice question; options are lettered from A in their order."""

    question: Sentence
    options: tuple[str, ...] = Field(min_length=2, max_length=10)
    correct: Annotated[str, StringConstraints(pattern=r"^[A-J]$")]
    explanation: str = ""

    @model_validator(mode="after")
    def _correct_is_on_offer(self) -> Self:
        if ord(self.correct) - ord("A") >= len(self.options):
            raise ValueError(f"the correct option {self.correct} is not among the {len(self.options)} options")
        return self


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    VIOLATION = "violation"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "oom"
    INFRASTRUCTURE = "infrastructure"


class CheckKind(StrEnum):
    """What a check looks at. See docs/bank.md for each."""

    VALUES = "values"
    GRADIENT = "gradient"
    GRADCHECK = "gradcheck"
    IN_PLACE = "in_place"
    LAYOUT = "layout"
    VIEW = "view"
    STATE = "state"
    MODES = "modes"
    DETERMINISM = "determinism"
    PROPERTY = "property"
    MEMORY = "memory"
    SPEED = "speed"
    GROWTH = "growth"


_LIMIT_OF = {CheckKind.MEMORY: "mib", CheckKind.SPEED: "times", CheckKind.GROWTH: "exponent"}


class Requirement(Value):
    """One check that a submission has to pass. In a file, a bare name stands for one of the kind ``values``."""

    name: Annotated[str, StringConstraints(pattern=r"^[^,]+$", strip_whitespace=True, max_length=80)]
    kind: CheckKind = CheckKind.VALUES
    mode: Literal["train", "eval"] | None = Field(None, description="of the module; train where nothing is said")
    mib: float | None = Field(None, gt=0, description="kind memory: what the call may need at its peak")
    times: float | None = Field(None, gt=0, description="kind speed: at most so many times the solution's time")
    exponent: float | None = Field(None, gt=0, description="kind growth: of the time over the number of elements")

    @model_validator(mode="after")
    def _has_the_limit_of_its_kind_and_no_other(self) -> Self:
        wanted = _LIMIT_OF.get(self.kind)
        if wanted and getattr(self, wanted) is None:
            raise ValueError(f"a check of kind {self.kind.value} needs {wanted}")
        for name in _LIMIT_OF.values():
            if name != wanted and getattr(self, name) is not None:
                raise ValueError(f"a check of kind {self.kind.value} has no {name}")
        if self.kind is CheckKind.MODES and self.mode:
            raise ValueError("a check of kind modes has its modes in its cases")
        return self


def _named(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


class Submission(Value):
    """What a candidate might hand in, and what must become of it: a wrong one fails exactly the checks ``fails``, or
    ends as ``ends`` says. ``says`` is the interviewer's word on it."""

    name: Sentence
    right: bool
    code: str
    fails: tuple[str, ...] = ()
    ends: Literal[Outcome.TIMEOUT, Outcome.OUT_OF_MEMORY, Outcome.VIOLATION] | None = None
    says: str = ""

    @model_validator(mode="after")
    def _only_a_wrong_one_ends_badly(self) -> Self:
        if self.right and (self.fails or self.ends):
            raise ValueError("a right submission fails nothing")
        if not self.right and bool(self.fails) == bool(self.ends):
            raise ValueError("a wrong submission either fails checks or ends as timeout, oom or violation")
        return self


class Task(Value):
    """Code that the candidate is asked for, and how it is judged. See docs/bank.md for ``judge``."""

    entry: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
    starter: str
    judge: str
    solution: str
    checks: tuple[Annotated[Requirement, BeforeValidator(_named, json_schema_input_type=str | Requirement)], ...] = (
        Field(min_length=1)
    )
    forbids: tuple[Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")], ...] = ()
    tolerance: Tolerance | dict[Literal["float64", "float32", "float16", "bfloat16"], Tolerance] = 1e-5
    seconds: float = Field(10.0, gt=0, le=120)
    device: Literal["cpu", "gpu"] = "cpu"
    scratch_mib: int = Field(64, ge=1, le=4096)
    memory_mib: int | None = Field(None, ge=128, le=65536, description="of the whole run; None: the setting")
    submissions: tuple[Submission, ...] = ()

    @model_validator(mode="after")
    def _check_names_are_unique(self) -> Self:
        if doubled := sorted({name for name in self.names if self.names.count(name) > 1}):
            raise ValueError(f"checks stand twice: {', '.join(doubled)}")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """Of its checks."""
        return tuple(check.name for check in self.checks)


class Question(Value):
    """One question with everything needed to ask it, follow it up and grade it.

    ``also``: other ways in which somebody may ask for it, by which a search finds it; none of them is said to a candidate.
    ``derived`` marks a rubric that was made from the reference and not written by a person.
    """

    id: Slug
    question: Sentence
    also: tuple[Sentence, ...] = ()
    topic: Topic
    level: Level
    kind: Kind
    minutes: int = Field(4, ge=1, le=60)
    points: tuple[Point, ...] = Field(min_length=1)
    hints: tuple[Sentence, ...] = ()
    misconceptions: tuple[Misconception, ...] = ()
    prerequisites: tuple[Slug, ...] = ()
    sources: tuple[str, ...] = ()
    references: tuple[Reference, ...] = Field(min_length=1)
    experiments: tuple[Experiment, ...] = ()
    task: Task | None = None
    choice: Choice | None = None
    derived: bool = False

    @model_validator(mode="after")
    def _names_resolve(self) -> Self:
        points = [p.id for p in self.points]
        if doubled := sorted({p for p in points if points.count(p) > 1}):
            raise ValueError(f"point ids stand twice: {', '.join(doubled)}")
        for m in self.misconceptions:
            if unknown := sorted(set(m.contradicts) - set(points)):
                raise ValueError(f"misconception {m.id} contradicts unknown points: {', '.join(unknown)}")
        checks = set(self.task.names) if self.task else set()
        for p in self.points:
            if unknown := sorted(set(p.proven_by) - checks):
                raise ValueError(f"point {p.id} is proven by unknown checks: {', '.join(unknown)}")
        named = {p.shown_by for p in self.points} | {m.shown_by for m in self.misconceptions}
        if unknown := sorted(named - {e.name for e in self.experiments} - {""}):
            raise ValueError(f"shown_by names unknown experiments: {', '.join(unknown)}")
        return self

    @property
    def wants_code(self) -> bool:
        return self.task is not None

    def point(self, point_id: str) -> Point:
        return next(p for p in self.points if p.id == point_id)

    def experiment(self, name: str) -> Experiment | None:
        """The one that a ``shown_by`` names; None where it names none."""
        return next((e for e in self.experiments if e.name == name), None)


class Hit(Value):
    """What a search found. ``score`` says how well it fits, 1 for the same words."""

    id: str
    question: str
    score: float
    source: str
    cluster: str
    passage: str = ""
