"""The instructors' guide agrees with the lessons."""

import re
from pathlib import Path

import pytest

from course_utils.authoring import lesson_metadata

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/instructors.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def lessons():
    return {lesson.number: lesson for lesson in lesson_metadata.lessons(ROOT)}


def test_plans_show_the_lessons_own_minutes(lessons):
    rows = re.findall(r"^\| (\d\d\w?) \| (\d+) \|", GUIDE, re.MULTILINE)
    assert len(rows) > 10
    assert [(number, lessons[number].minutes) for number, _ in rows] == [(number, int(each)) for number, each in rows]


def test_plans_fit_into_their_hours():
    half, both = (
        re.findall(r"^\| \d\d\w? \| (\d+) \|(.*)", plan, re.MULTILINE) for plan in GUIDE.split("**Two days**")
    )
    assert sum(int(minutes) for minutes, _ in half) <= 4 * 60 - 20 - 45
    (second,) = [place for place, (_, why) in enumerate(both) if "Second day" in why]
    for day in (both[:second], both[second:]):
        assert sum(int(minutes) for minutes, _ in day) <= 5 * 60


def test_each_lesson_has_its_advice(lessons):
    own = {number for number in lessons if not number.endswith("b")}
    assert own <= set(re.findall(r"^\*\*(\d\d)\*\* ·", GUIDE, re.MULTILINE))


def test_each_prediction_in_the_advice_exists():
    notebooks = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "notebooks").glob("*.ipynb"))
    named = re.findall(r"^- Discuss `([\w-]+)`", GUIDE, re.MULTILINE)
    assert len(named) > 10
    assert [each for each in named if f'\\"{each}\\"' not in notebooks] == []
