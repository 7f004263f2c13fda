"""How an estimate moved, as a picture as wide as a word: a line in a band that says how sure it was."""

from __future__ import annotations

from markupsafe import Markup

from interviewer.interview.practice import Moment, TopicRecord

_WIDTH, _HEIGHT, _MARGIN = 112.0, 40.0, 4.0
_LOW, _HIGH = -0.5, 3.5  # in level ranks


def course_svg(topic: TopicRecord) -> Markup:
    """Days are spaced by time. Empty where there is one day only: nothing has moved yet."""
    course = topic.course
    if len(course) < 2:
        return Markup()
    at = [(_x(course, each), each) for each in course]
    line = " ".join(f"{x:.1f},{_y(each.ability):.1f}" for x, each in at)
    above = " ".join(f"{x:.1f},{_y(each.ability + each.sd):.1f}" for x, each in at)
    below = " ".join(f"{x:.1f},{_y(each.ability - each.sd):.1f}" for x, each in reversed(at))
    last_x, last = at[-1]
    says = f"{topic.topic.value}: from {_told(course[0])} to {_told(last)}"
    return Markup(
        '<svg class="course" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>'
        '<polygon points="{}"/><polyline points="{}"/><circle cx="{:.1f}" cy="{:.1f}" r="3"/></svg>'
    ).format(f"{_WIDTH:g}", f"{_HEIGHT:g}", says, says, f"{above} {below}", line, last_x, _y(last.ability))


def _x(course: tuple[Moment, ...], each: Moment) -> float:
    days = (course[-1].day - course[0].day).days
    return _MARGIN + (_WIDTH - 2 * _MARGIN) * (each.day - course[0].day).days / days


def _y(ability: float) -> float:
    share = (min(_HIGH, max(_LOW, ability)) - _LOW) / (_HIGH - _LOW)
    return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * share


def _told(moment: Moment) -> str:
    return f"{moment.ability:.1f} on {moment.day.day} {moment.day:%b}"
