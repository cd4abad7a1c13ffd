"""What follows from the one address in pyproject.toml: set-up cells, badges, links and the README's table."""

from pathlib import Path

import nbformat
import pytest
from made_up_notebooks import HOME, lesson, saved
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils.authoring import address, badges, canonical, listing, readme, setup_cell

# canonical


@pytest.fixture
def course(tmp_path):
    (tmp_path / "pyproject.toml").write_text(f'[project.urls]\nRepository = "{HOME}"\n')
    (tmp_path / "README.md").write_text("git clone x\n<!-- lessons -->\nold\n<!-- end of lessons -->\nrest\n")
    saved(lesson(minutes=45, slow="a loop", fast="no loop"), tmp_path / "notebooks" / "03_loops.ipynb")
    saved(lesson(), tmp_path / "solutions" / "03_loops.ipynb")
    return tmp_path


def test_every_folded_cell_is_folded_on_colab_too():
    folded = new_code_cell("1", id="one", metadata={"jupyter": {"source_hidden": True}})
    tidy = nbformat.reads(canonical.text(lesson(folded)), as_version=4)
    assert [cell.metadata.get("cellView") for cell in tidy.cells] == [None, None, "form"]


def test_exercises_open_on_colab_and_their_solutions_say_the_same(course):
    saved(lesson(), course / "exercises" / "03_loops.ipynb")
    address.write(course)
    for folder in ("solutions", "exercises"):
        title = nbformat.read(course / folder / "03_loops.ipynb", as_version=4).cells[0].source
        assert f"[Colab]({badges.colab(Path('exercises/03_loops.ipynb'), HOME)})" in title


def test_a_link_to_another_folder_has_its_address_on_colab_beside_it(course):
    recap = new_markdown_cell("Now [do it](../exercises/03_loops.ipynb), or [go on](04_more.ipynb).", id="recap")
    saved(lesson(recap, minutes=45, slow="a loop", fast="no loop"), course / "notebooks" / "03_loops.ipynb")
    for owner in ("someone", "another"):
        project = course / "pyproject.toml"
        project.write_text(project.read_text().replace("someone", owner))
        address.write(course)
        on_colab = f"https://colab.research.google.com/github/{owner}/unloop/blob/main/exercises/03_loops.ipynb"
        assert nbformat.read(course / "notebooks" / "03_loops.ipynb", as_version=4).cells[-1].source == (
            f"Now [do it](../exercises/03_loops.ipynb) ([on Colab]({on_colab})), or [go on](04_more.ipynb)."
        )


def test_write_carries_the_address_everywhere_and_then_rests(course):
    changed = address.write(course)
    assert [path.relative_to(course).as_posix() for path in changed] == [
        "notebooks/03_loops.ipynb",
        "solutions/03_loops.ipynb",
        "README.md",
    ]
    assert address.write(course) == []
    path = course / "notebooks" / "03_loops.ipynb"
    title, setup = nbformat.read(path, as_version=4).cells
    assert title.source == f"# 03 · Loops\n\n{badges.line(path, HOME)}\n\nText."
    assert setup.source == setup_cell.source(HOME)
    assert (course / "README.md").read_text() == (
        f"git clone {HOME}\n<!-- lessons -->\n{readme.table(course, HOME)}<!-- end of lessons -->\nrest\n"
    )


def test_a_new_address_takes_the_place_of_the_old(course):
    address.write(course)
    project = course / "pyproject.toml"
    project.write_text(project.read_text().replace("someone", "another"))
    address.write(course)
    for path in [course / "README.md", *canonical.notebooks(course)]:
        assert "someone" not in path.read_text()


def test_the_table_says_minutes_slow_and_fast(course):
    row = readme.table(course, HOME).splitlines()[-1]
    assert row.startswith(
        "| 03 | [Loops](notebooks/03_loops.ipynb) | 45 | a loop | no loop | [![Open lesson 03 in Binder]"
    )


def test_the_map_follows_from_the_lessons_that_are_there(course):
    start = course / "notebooks" / "00_start_here.ipynb"
    cell = new_markdown_cell("what was there before", id=listing.MAP)
    first = lesson(cell, minutes=20, slow="a loop", fast="`a + b`")
    first.cells[0].source = "# 00 · Start here"
    saved(first, start)
    address.write(course)
    table = nbformat.read(start, as_version=4).cells[-1].source.splitlines()
    assert table[2:] == [
        "| 00 | [Start here](00_start_here.ipynb) | 20 | a loop | `a + b` |",
        "| 03 | [Loops](03_loops.ipynb) | 45 | a loop | no loop |",
    ]
    saved(lesson(minutes=30, slow="a loop", fast="no loop"), course / "notebooks" / "04_more.ipynb")
    assert start in address.write(course), "a new lesson is on the map"


def test_a_lesson_without_minutes_is_named(course):
    saved(lesson(slow="a loop", fast="no loop"), course / "notebooks" / "04_more.ipynb")
    with pytest.raises(listing.LessonIncomplete, match=r"04_more\.ipynb lacks 'minutes'"):
        readme.table(course, HOME)


@pytest.mark.parametrize("line", ["", 'Repository = "https://example.org/x/y"', 'Repository = "https://github.com/x"'])
def test_an_address_that_is_no_repository_is_refused(tmp_path, line):
    (tmp_path / "pyproject.toml").write_text(line)
    with pytest.raises(address.AddressUnclear, match="write https://github.com/OWNER/NAME"):
        address.read(tmp_path)


def test_badges_lead_to_the_lesson():
    path = Path("notebooks/03_loops.ipynb")
    assert (
        badges.binder(path, HOME) == "https://mybinder.org/v2/gh/someone/unloop/main?labpath=notebooks%2F03_loops.ipynb"
    )
    assert (
        badges.colab(path, HOME)
        == "https://colab.research.google.com/github/someone/unloop/blob/main/notebooks/03_loops.ipynb"
    )
