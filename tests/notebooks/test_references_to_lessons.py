"""Each lesson that a text, message, hint or reason names exists, and so does each section."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = {path.name.split("_")[0] for path in (ROOT / "notebooks").glob("*.ipynb")}
NAMED = re.compile(r"\b[Ll]essons? (\d\d\w?(?:(?:, | and | to | or )\d\d\w?)*)\b")


def texts():
    for folder in ("notebooks", "solutions", "exercises"):
        for path in sorted((ROOT / folder).glob("*.ipynb")):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            yield path.name, "\n".join("".join(cell["source"]) for cell in cells)
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *sorted((ROOT / "course_utils").rglob("*.py"))):
        yield path.name, path.read_text(encoding="utf-8")


def test_each_named_lesson_exists():
    named = [
        (name, number)
        for name, text in texts()
        for found in NAMED.findall(text)
        for number in re.findall(r"\d\d\w?", found)
    ]
    assert len(named) > 200
    assert [each for each in named if each[1] not in NUMBERS] == []


def test_each_named_section_is_on_the_page():
    named = [
        (name, section, re.findall(r"^#+ (.+)$", text, re.MULTILINE))
        for name, text in texts()
        if name.endswith(".ipynb")
        for section in re.findall(r'\bsection "([^"]+)"', text)
    ]
    assert named
    assert [each[:2] for each in named if each[1] not in each[2]] == []
