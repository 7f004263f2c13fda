"""A report that has everything a report can have, with words of a candidate in many scripts and with ill will."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.models import (
    Answered,
    Check,
    CodeRun,
    Doubt,
    Fault,
    HeldMisconception,
    Judgement,
    Level,
    Outcome,
    Plan,
    PointVerdict,
    Report,
    ReviewKind,
    Ruling,
    Shown,
    Standing,
    Study,
    Topic,
    TopicEstimate,
    Verdict,
)

NASTY = "</mark><script>alert(1)</script> **bold** [x](javascript:alert(1)) `code` <img src=x onerror=alert(1)> {nb}"
SCRIPTS = "Градиенты складываются — οι κλίσεις, तीव्रता, 梯度会累积 😀 “naïve” → ½ ✓"
LONG_LINE = "result = " + " + ".join(f"very_long_name_{n}" for n in range(12))
CODE = f"import torch\n\ndef step(model, x):\n    loss = model(x).sum()\n    loss.backward()\n    {LONG_LINE}\n    return loss"
EXPERIMENT = (
    "w = torch.ones(1, requires_grad=True)\nfor _ in range(2):\n    (3 * w).sum().backward()\n    print(w.grad.item())"
)


def point(name: str, standing: Standing | str, quote: str = "", weight: int = 2, **more: object) -> PointVerdict:
    given = {"point": name, "claim": f"The claim about {name}: `{name}` is so.", "verdict": standing, "weight": weight}
    return PointVerdict.model_validate({**given, "quote": quote, "probability": 0.9, **more})


def answer(question: str, points: Sequence[PointVerdict], replies: Sequence[str], **more: object) -> Answered:
    held = tuple(
        HeldMisconception(id=p.misconception, quote=p.quote, correction="It adds to what `.grad` held.")
        for p in points
        if p.misconception
    )
    verdict = Verdict(points=tuple(points), misconceptions=held, score=2.5, confidence=0.8, judge="told")
    given = {
        "question": question,
        "text": f"Why is `{question}` so, and what breaks when it isn't?",
        "topic": Topic.AUTOGRAD,
        "level": Level.MID,
        "verdict": verdict,
        "replies": tuple(replies),
        "reference": "Gradients **accumulate**:\n\n```python\nloss.backward()\n```\n\n- once\n- twice",
    }
    return Answered.model_validate({**given, **more})


def full_report(score: float | None = 2.5) -> Report:
    first = answer(
        "zeroing",
        (
            point("adds", Standing.CONTRADICTED, "each call of backward overwrites it", 3, misconception="overwrites"),
            point("clears", Standing.COVERED, "zero_grad clears what is there"),
            point("when", Standing.PARTIAL, SCRIPTS, 1),
            point("why", Standing.MISSING),
        ),
        (
            "In fact each call of backward overwrites it; zero_grad clears what is there before the next step.",
            f"My code:\n\n```python\n{CODE}\n```\n\n{SCRIPTS}",
            "",
        ),
        run=CodeRun(
            outcome=Outcome.FAILED, checks=(Check(name="values", passed=False), Check(name="shape", passed=True))
        ),
        shown=(
            Shown(
                experiment="twice", quote="overwrites it", code=EXPERIMENT, printed="3.0\n6.0", means="It was added."
            ),
        ),
        hints=1,
        follow_ups=2,
        disputed=NASTY,
        unsure="The grader is 40% sure of this grade.",
        rulings=(Ruling(kind=ReviewKind.DISPUTE, judgement=Judgement.CHANGED, comment=NASTY, at="2026-11-21"),),
        read=("https://docs.pytorch.org/docs/stable/autograd.html", "other-question"),
        doubts=(Doubt(fault=Fault.OUTDATED, text="Variable", why="Since 0.4 tensors do it themselves."),),
    )
    second = answer("nasty", (point("quoted", Standing.COVERED, NASTY),), (NASTY,), topic=Topic.REGULARIZATION)
    skipped = answer("skipped", (point("left", Standing.MISSING),), (), topic=Topic.DATA, skipped=True)
    study = (
        Study(
            question="zeroing",
            point="adds",
            topic=Topic.AUTOGRAD,
            claim="Gradients are added to `.grad`.",
            standing=Standing.CONTRADICTED,
            correction="It adds to what `.grad` held.",
            experiment="twice",
            prerequisites=("skipped",),
        ),
        Study(
            question="zeroing",
            point="why",
            topic=Topic.AUTOGRAD,
            claim="The claim about why.",
            standing=Standing.MISSING,
            unsure=True,
        ),
    )
    topics = (
        TopicEstimate(topic=Topic.AUTOGRAD, ability=1.2, sd=0.7, asked=1),
        TopicEstimate(topic=Topic.REGULARIZATION, ability=3.6, sd=0.9, asked=1),
        TopicEstimate(topic=Topic.DATA, ability=-0.8, sd=1.0, asked=0),
    )
    return Report(
        session="abc123",
        plan=Plan(),
        answered=(first, second, skipped),
        topics=topics,
        score=score,
        notes=("Fewer than four questions: take the levels as a first impression.", "1 hint taken."),
        study=study,
    )
