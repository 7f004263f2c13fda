from __future__ import annotations

import io
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from PIL import Image

from interviewer.models import Topic, TopicEstimate
from interviewer.surfaces.picture import levels_png, levels_svg

SVG = "{http://www.w3.org/2000/svg}"
ALL = tuple(
    TopicEstimate(topic=topic, ability=-1.4 + 0.44 * n, sd=0.3 + 0.05 * n, asked=n % 3) for n, topic in enumerate(Topic)
)


def test_it_is_an_image_with_a_title_and_says_in_words_what_it_shows() -> None:
    root = ElementTree.fromstring(levels_svg(ALL))
    says = root.findtext(f"{SVG}desc") or ""
    assert root.get("role") == "img" and says in (root.get("aria-label") or "")
    assert root.findtext(f"{SVG}title") == "Levels by topic"
    assert "tensors: junior, likely between junior." in says and all(t.topic.value in says for t in ALL)


def test_its_words_are_text() -> None:
    words = {text.text for text in ElementTree.fromstring(levels_svg(ALL)).iter(f"{SVG}text")}
    assert {"junior", "staff", "regularization", "where it likely lies"} <= words


def test_it_knows_light_and_dark_and_takes_nothing_from_elsewhere() -> None:
    svg = levels_svg(ALL)
    assert "prefers-color-scheme:dark" in svg and "<script" not in svg and "url(" not in svg
    assert "#0a0b0" not in svg, "a stand-in for a colour was left"


@pytest.mark.parametrize("topics", [ALL[:1], ALL, ()], ids=["one", "all", "none"])
def test_everything_is_inside_the_picture(topics: tuple[TopicEstimate, ...]) -> None:
    picture = Image.open(io.BytesIO(levels_png(topics))).convert("L")
    inside = picture.point(lambda value: 255 * (value < 250)).getbbox()
    assert inside is not None
    assert inside[0] > 0 and inside[1] > 5 and inside[2] < picture.width and inside[3] < picture.height


def test_the_same_levels_are_the_same_bytes() -> None:
    assert levels_svg(ALL) == levels_svg(ALL) and levels_png(ALL) == levels_png(ALL)


def test_what_draws_is_not_loaded_before_there_is_something_to_draw() -> None:
    asked = "import sys, interviewer.surfaces.cli, interviewer.surfaces.picture; print({'matplotlib', 'fpdf'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout == "set()\n"
