"""The instructors' guide agrees with the lessons."""

import re
from pathlib import Path

from course_utils.authoring import lesson_table

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/instructors.md").read_text(encoding="utf-8")
LESSONS = {lesson.number: lesson for lesson in lesson_table.lessons(ROOT)}


def test_plans_add_up_from_the_lessons_own_minutes():
    rows = re.findall(r"^\| (\d\d\w?) \| (\d+) \|", GUIDE, re.MULTILINE)
    assert len(rows) > 10
    assert [(number, LESSONS[number].minutes) for number, _ in rows] == [(number, int(each)) for number, each in rows]


def test_each_lesson_has_its_advice():
    own = {number for number in LESSONS if not number.endswith("b")}
    assert own <= set(re.findall(r"^\*\*(\d\d)\*\* ·", GUIDE, re.MULTILINE))


def test_each_prediction_in_the_advice_exists():
    notebooks = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "notebooks").glob("*.ipynb"))
    named = re.findall(r"^- Discuss `([\w-]+)`", GUIDE, re.MULTILINE)
    assert len(named) > 10
    assert [each for each in named if f'\\"{each}\\"' not in notebooks] == []
