"""Rules for every notebook's form, metadata, setup cell, links and labels; nbval compares the outputs."""

import ast
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

import course_utils
from cell_source import python_source
from course_utils.authoring import (
    address,
    badges,
    canonical_form,
    lesson_metadata,
    minutes,
    objectives_page,
    readme,
    setup_cell,
)

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = address.read_address(ROOT)
FRAMEWORKS = {"torch", "tensorflow"}


def notebooks(folder):
    paths = [path for path in canonical_form.notebook_paths(ROOT) if path.parent.name == folder]
    return [pytest.param(path, id=f"{folder}/{path.name}") for path in paths]


LESSONS = notebooks("notebooks")
ALL = [*LESSONS, *notebooks("solutions"), *notebooks("exercises")]
every_notebook = pytest.mark.parametrize("path", ALL)
every_lesson = pytest.mark.parametrize("path", LESSONS)


@cache
def read(path):
    return nbformat.read(path, as_version=4)


def cells(path, kind):
    return [cell for cell in read(path).cells if cell.cell_type == kind]


def sources(cell):
    return cell.metadata.get("unloop", {}).get("sources", [])


def test_lessons_have_numbers_and_start_with_00():
    names = [path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    assert names[0] == "00_start_here.ipynb"
    for name in names:
        assert re.fullmatch(r"\d\d[a-z]?(_[a-z]+)+\.ipynb", name)


@every_notebook
def test_form_is_canonical(path):
    assert list(canonical_form.violations(path)) == []


@every_notebook
def test_notebook_is_valid_and_cell_ids_are_unique(path):
    notebook = read(path)
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)


@every_notebook
def test_first_cells_are_title_and_set_up(path):
    title, setup, *_ = read(path).cells
    assert (title.id, setup.id) == ("title", setup_cell.CELL)
    assert title.source.startswith(f"# {path.stem.split('_')[0]} · ")
    assert setup.source == setup_cell.source(ADDRESS), "write it with `make readme`"
    assert setup.metadata.jupyter.source_hidden, "write it with `make readme`"


@every_notebook
def test_links_lead_to_files(path):
    for cell in cells(path, "markdown"):
        for target in re.findall(r"\]\(([^)\s]+)\)", cell.source):
            if not target.startswith("https://"):
                assert (path.parent / target.partition("#")[0]).exists(), f"cell {cell.id!r} links to {target}"


@every_notebook
def test_pictures_have_alternative_text(path):
    for cell in cells(path, "markdown"):
        assert not re.search(r"!\[\s*\]\(", cell.source), f"a picture in cell {cell.id!r} has no alternative text"
    for cell in cells(path, "code"):
        for output in cell.outputs:
            data = output.get("data", {})
            if any(mime.startswith("image/") for mime in data):
                text = data.get("text/plain", "")
                assert text and not text.startswith("<"), f"the picture of cell {cell.id!r} has no text"
            html = data.get("text/html", "")
            for picture in re.findall(r"<img\b[^>]*>", html):
                assert re.search(r'\balt="[^"]+"', picture), f"{picture[:80]} in cell {cell.id!r} has no alt"
            for picture in re.findall(r"<svg\b[^>]*>", html):
                assert re.search(r'\baria-(label|hidden)="[^"]+"', picture), f"an svg in cell {cell.id!r} has no label"


@every_notebook
def test_code_is_plain_python(path):
    for cell in cells(path, "code"):
        ast.parse(python_source(cell.source))  # A `!command` or a magic other than `%%writefile` does not parse.


@every_notebook
def test_code_lines_have_at_most_120_characters(path):
    for cell in cells(path, "code"):
        too_long = [line for line in cell.source.splitlines() if len(line) > 120 and cell.id != setup_cell.CELL]
        assert too_long == [], f"break the long lines of cell {cell.id!r}"


@every_notebook
def test_errors_are_stored_only_in_tagged_cells(path):
    for cell in cells(path, "code"):
        if any(output.output_type == "error" for output in cell.outputs):
            assert "raises-exception" in cell.metadata.get("tags", []), f"cell {cell.id!r} stores an error"


@every_lesson
def test_lesson_metadata_are_complete(path):
    metadata = read(path).metadata.unloop
    assert isinstance(metadata.minutes, int) and 0 < metadata.minutes <= 90
    assert metadata.framework in {*FRAMEWORKS, "none"}
    assert metadata.slow and metadata.fast, "the README's table shows both"
    assert all(re.fullmatch(r"S[0-4]\.[1-9]", source) for source in metadata.sources)


@every_lesson
def test_lesson_states_about_the_estimated_minutes(path):
    stated, estimate = read(path).metadata.unloop.minutes, minutes.estimate(read(path))
    assert f"**Time needed:** {stated} minutes" in read(path).cells[0].source, "write it with `make readme`"
    assert abs(estimate - stated) <= stated / 3, f"the page takes about {estimate} minutes; correct its metadata"


@every_lesson
def test_lesson_tests_each_claim_that_it_lists(path):
    metadata = read(path).metadata.unloop
    tested = {
        each
        for cell in cells(path, "code")
        if "nbval-check-output" in cell.metadata.get("tags", [])
        for each in sources(cell)
    }
    assert tested == set(metadata.sources)


WRONG_AT_LARGE_SIZES = {"loses-divide"}
"""Races with a contender that is wrong only at sizes that a busy machine may not have the time to reach."""


@every_lesson
def test_printed_text_of_races_is_compared(path):
    for cell in cells(path, "code"):
        if re.search(r"^(\w+ = )?race\(", cell.source, re.MULTILINE):
            tags = cell.metadata.get("tags", [])
            is_compared = cell.id not in WRONG_AT_LARGE_SIZES
            assert ("nbval-check-output" in tags) is is_compared, f"the race {cell.id!r} has the tags {tags}"


@every_lesson
def test_lesson_imports_only_its_framework(path):
    trees = [ast.walk(ast.parse(python_source(cell.source))) for cell in cells(path, "code")]
    nodes = [node for tree in trees for node in tree]
    names = {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    framework = read(path).metadata.unloop.framework
    assert {name.split(".")[0] for name in names} & FRAMEWORKS == {framework} & FRAMEWORKS


@every_notebook
def test_notebook_imports_only_public_names_of_course_utils(path):
    for cell in cells(path, "code"):
        for node in ast.walk(ast.parse(python_source(cell.source))):
            if isinstance(node, ast.Import):
                assert not [each.name for each in node.names if each.name.startswith("course_utils")], cell.id
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("course_utils"):
                assert node.module == "course_utils", f"cell {cell.id!r} imports from {node.module}"
                assert {each.name for each in node.names} <= set(course_utils.__all__), cell.id


@every_lesson
def test_lesson_is_stored_executed(path):
    assert all(cell.execution_count for cell in cells(path, "code"))


@every_lesson
def test_lesson_has_badges(path):
    title = read(path).cells[0].source
    assert badges.notebook_line(path, ADDRESS) in title.split("\n"), "write it with `make readme`"


def test_readme_is_up_to_date():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.table(ROOT, ADDRESS) in text, "write it with `make readme`"
    assert f"git clone --depth 1 {ADDRESS}\n" in text
    assert (ROOT / "docs/race.png").read_bytes() == readme.picture(ROOT), "write it with `make readme`"


def test_objectives_are_up_to_date():
    text = (ROOT / "docs/objectives.md").read_text(encoding="utf-8")
    assert text == objectives_page.page(ROOT), "write it with `make readme`"


def test_map_in_lesson_00_is_up_to_date():
    cells = read(ROOT / "notebooks" / "00_start_here.ipynb").cells
    (cell,) = [cell for cell in cells if cell.id == lesson_metadata.MAP_CELL]
    assert cell.source == lesson_metadata.course_map(ROOT), "write it with `make readme`"


def test_parts_of_the_course_in_lesson_00_hold_the_existing_lessons():
    (cell,) = [cell for cell in read(ROOT / "notebooks" / "00_start_here.ipynb").cells if cell.id == "map"]
    parts = re.findall(r"\((\d\d)(?:–(\d\d))?\)", cell.source)
    promised = [number for first, last in parts for number in range(int(first), int(last or first) + 1)]
    assert promised == sorted({int(path.name[:2]) for path in (ROOT / "notebooks").glob("*.ipynb")})


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_pages_link_to_existing_files(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith("https://"):
            assert (ROOT / target.partition("#")[0]).exists(), f"{name} links to {target}"
