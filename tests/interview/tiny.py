"""A bank of two tiny questions, so that a weak model reads a prompt of them in a second, and an interview over it."""

from __future__ import annotations

from interviewer.models import Kind, Level, Misconception, Plan, Point, Question, Reference, Topic

ADDS = Question(
    id="second-backward",
    question="What does backward() do with a gradient that is already there?",
    topic=Topic.TRAINING,
    level=Level.JUNIOR,
    kind=Kind.EXPLAIN,
    points=(
        Point(
            id="adds",
            claim="backward() adds the new gradient to what .grad already holds.",
            follow_up="What stands in .grad after you call it a second time?",
        ),
        Point(
            id="cleared",
            claim="zero_grad() must be called before the next batch, or old gradients are used again.",
            follow_up="What do you have to do before the next batch?",
        ),
    ),
    hints=("Think of two batches.",),
    misconceptions=(
        Misconception(
            id="overwrites",
            claim="Each call of backward() overwrites the gradient of the one before.",
            correction="It is added to what is there.",
            contradicts=("adds",),
        ),
    ),
    references=(Reference(source="bank", text="Gradients add up in .grad until zero_grad() clears them."),),
)
EVAL = Question(
    id="eval-mode",
    question="What does model.eval() change?",
    topic=Topic.MODULES,
    level=Level.JUNIOR,
    kind=Kind.EXPLAIN,
    points=(
        Point(
            id="layers",
            claim="Dropout is switched off and batch norm uses its running statistics.",
            follow_up="Which layers behave in another way then?",
        ),
        Point(
            id="gradients",
            claim="Gradients are still recorded; torch.no_grad() is what stops that.",
            follow_up="What becomes of autograd?",
        ),
    ),
    references=(Reference(source="bank", text="It switches dropout and batch norm, and leaves autograd alone."),),
)
QUESTIONS = (ADDS, EVAL)
PLAN = Plan(only=(ADDS.id, EVAL.id))

SUM = "A second backward adds its gradient to the one that .grad already holds, so the two are summed."
CLEAR = "You have to call zero_grad before the next batch, otherwise the old gradients are used again."
LAYERS = "It switches dropout off and makes batch norm use its running statistics."
