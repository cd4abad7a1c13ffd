"""What every notebook is held to besides its outputs, which are nbval's: form, metadata, set-up, links and labels."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

import course_utils
from course_utils.authoring import address, badges, canonical, lesson_table, readme, setup_cell

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = address.read_address(ROOT)
FRAMEWORKS = {"torch", "tensorflow"}


def notebooks(folder):
    paths = [path for path in canonical.notebook_paths(ROOT) if path.parent.name == folder]
    return [pytest.param(path, id=f"{folder}/{path.name}") for path in paths]


LESSONS = notebooks("notebooks")
ALL = [*LESSONS, *notebooks("solutions"), *notebooks("exercises")]
every_notebook = pytest.mark.parametrize("path", ALL)
every_lesson = pytest.mark.parametrize("path", LESSONS)


def cells(path, kind):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def sources(cell):
    return cell.metadata.get("unloop", {}).get("sources", [])


def test_the_course_begins_at_the_start():
    names = [path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    assert names[0] == "00_start_here.ipynb"
    for name in names:
        assert re.fullmatch(r"\d\d[a-z]?(_[a-z]+)+\.ipynb", name)


@every_notebook
def test_it_is_in_canonical_form(path):
    assert list(canonical.violations(path)) == []


@every_notebook
def test_it_is_valid_and_its_ids_are_unique(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)


@every_notebook
def test_it_begins_with_the_title_and_the_one_set_up_cell(path):
    title, setup, *_ = nbformat.read(path, as_version=4).cells
    assert (title.id, setup.id) == ("title", setup_cell.CELL)
    assert title.source.startswith(f"# {path.stem.split('_')[0]} · ")
    assert setup.source == setup_cell.source(ADDRESS), "write it with `make readme`"
    assert setup.metadata.jupyter.source_hidden, "write it with `make readme`"


@every_notebook
def test_its_links_lead_somewhere(path):
    for cell in cells(path, "markdown"):
        for target in re.findall(r"\]\(([^)\s]+)\)", cell.source):
            if not target.startswith("https://"):
                assert (path.parent / target.partition("#")[0]).exists(), f"cell {cell.id!r} links to {target}"


@every_notebook
def test_its_pictures_have_words(path):
    for cell in cells(path, "markdown"):
        assert not re.search(r"!\[\s*\]\(", cell.source), f"a picture in cell {cell.id!r} has no alternative text"
    for cell in cells(path, "code"):
        for output in cell.outputs:
            data = output.get("data", {})
            if any(mime.startswith("image/") for mime in data):
                words = data.get("text/plain", "")
                assert words and not words.startswith("<"), f"the picture of cell {cell.id!r} has no text"
            html = data.get("text/html", "")
            for picture in re.findall(r"<img\b[^>]*>", html):
                assert re.search(r'\balt="[^"]+"', picture), f"{picture[:80]} in cell {cell.id!r} has no alt"
            for picture in re.findall(r"<svg\b[^>]*>", html):
                assert re.search(r'\baria-(label|hidden)="[^"]+"', picture), f"an svg in cell {cell.id!r} has no label"


@every_notebook
def test_its_cells_are_plain_python(path):
    for cell in cells(path, "code"):
        ast.parse(cell.source)  # a `!command` or a `%magic` is none


@every_notebook
def test_its_code_fits_on_the_page(path):
    for cell in cells(path, "code"):
        too_long = [line for line in cell.source.splitlines() if len(line) > 120 and cell.id != setup_cell.CELL]
        assert too_long == [], f"cell {cell.id!r}: break what is longer than 120 characters"


@every_notebook
def test_it_raises_only_where_it_says_so(path):
    for cell in cells(path, "code"):
        if any(output.output_type == "error" for output in cell.outputs):
            assert "raises-exception" in cell.metadata.get("tags", []), f"cell {cell.id!r} stores an error"


@every_lesson
def test_a_lesson_says_what_tools_need(path):
    about = nbformat.read(path, as_version=4).metadata.unloop
    assert isinstance(about.minutes, int) and 0 < about.minutes <= 90
    assert about.framework in {*FRAMEWORKS, "none"}
    assert about.slow and about.fast, "the README's table says what is slow and what is fast"
    assert all(re.fullmatch(r"S[0-4]\.[1-9]", source) for source in about.sources)


@every_lesson
def test_a_lesson_tests_each_claim_that_it_lists(path):
    about = nbformat.read(path, as_version=4).metadata.unloop
    tested = {
        each
        for cell in cells(path, "code")
        if "nbval-check-output" in cell.metadata.get("tags", [])
        for each in sources(cell)
    }
    assert tested == set(about.sources)


@every_lesson
def test_a_lesson_checks_what_its_races_print(path):
    for cell in cells(path, "code"):
        if re.search(r"^(\w+ = )?race\(", cell.source, re.MULTILINE):
            assert "nbval-check-output" in cell.metadata.get("tags", []), f"race {cell.id!r} is not checked"


@every_lesson
def test_a_lesson_imports_its_framework_and_no_other(path):
    trees = [ast.walk(ast.parse(cell.source)) for cell in cells(path, "code")]
    nodes = [node for tree in trees for node in tree]
    names = {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    framework = nbformat.read(path, as_version=4).metadata.unloop.framework
    assert {name.split(".")[0] for name in names} & FRAMEWORKS == {framework} & FRAMEWORKS


@every_notebook
def test_it_imports_from_course_utils_what_that_offers_and_nothing_deeper(path):
    for cell in cells(path, "code"):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Import):
                assert not [each.name for each in node.names if each.name.startswith("course_utils")], cell.id
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("course_utils"):
                assert node.module == "course_utils", f"cell {cell.id!r} imports from {node.module}"
                assert {each.name for each in node.names} <= set(course_utils.__all__), cell.id


@every_lesson
def test_a_lesson_is_stored_executed(path):
    assert all(cell.execution_count for cell in cells(path, "code"))


@every_lesson
def test_a_lesson_opens_on_binder_and_colab(path):
    title = nbformat.read(path, as_version=4).cells[0].source
    assert badges.notebook_line(path, ADDRESS) in title.split("\n"), "write it with `make readme`"


def test_the_readme_lists_the_lessons_as_they_are():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.table(ROOT, ADDRESS) in text, "write it with `make readme`"
    assert f"git clone --depth 1 {ADDRESS}\n" in text
    assert (ROOT / "docs/race.png").read_bytes() == readme.picture(ROOT), "write it with `make readme`"


def test_the_map_in_the_first_lesson_lists_the_lessons_as_they_are():
    cells = nbformat.read(ROOT / "notebooks" / "00_start_here.ipynb", as_version=4).cells
    (found,) = [cell for cell in cells if cell.id == lesson_table.MAP_CELL]
    assert found.source == lesson_table.course_map(ROOT), "write it with `make readme`"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_the_pages_link_to_what_exists(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith("https://"):
            assert (ROOT / target.partition("#")[0]).exists(), f"{name} links to {target}"
