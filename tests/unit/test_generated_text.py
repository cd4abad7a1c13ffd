"""Text that is generated from the address in pyproject.toml: setup cells, badges, links and the README's table."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell
from sample_notebooks import ADDRESS, lesson, save_notebook

from course_utils.authoring import address, badges, canonical_form, lesson_metadata, objectives_page, readme, setup_cell


@pytest.fixture
def course(tmp_path):
    (tmp_path / "pyproject.toml").write_text(f'[project.urls]\nRepository = "{ADDRESS}"\n')
    (tmp_path / "README.md").write_text("git clone --depth 1 x\n<!-- lessons -->\nold\n<!-- end of lessons -->\nrest\n")
    save_notebook(lesson(minutes=45, slow="a loop", fast="no loop"), tmp_path / "notebooks" / "03_loops.ipynb")
    save_notebook(lesson(), tmp_path / "solutions" / "03_loops.ipynb")
    return tmp_path


def test_badges_of_solutions_and_exercises_open_the_exercise(course):
    save_notebook(lesson(), course / "exercises" / "03_loops.ipynb")
    address.update_files(course)
    for folder in ("solutions", "exercises"):
        title = nbformat.read(course / folder / "03_loops.ipynb", as_version=4).cells[0].source
        assert f"[Colab]({badges.colab_url(Path('exercises/03_loops.ipynb'), ADDRESS)})" in title


def test_link_to_another_folder_gets_its_colab_address(course):
    recap = new_markdown_cell("Now [do it](../exercises/03_loops.ipynb), or [go on](04_more.ipynb).", id="recap")
    save_notebook(lesson(recap, minutes=45, slow="a loop", fast="no loop"), course / "notebooks" / "03_loops.ipynb")
    for owner in ("someone", "another"):
        project = course / "pyproject.toml"
        project.write_text(project.read_text().replace("someone", owner))
        address.update_files(course)
        on_colab = f"https://colab.research.google.com/github/{owner}/unloop/blob/main/exercises/03_loops.ipynb"
        assert nbformat.read(course / "notebooks" / "03_loops.ipynb", as_version=4).cells[-1].source == (
            f"Now [do it](../exercises/03_loops.ipynb) ([on Colab]({on_colab})), or [go on](04_more.ipynb)."
        )


def test_address_is_written_everywhere_once(course):
    changed = address.update_files(course)
    assert [path.relative_to(course).as_posix() for path in changed] == [
        "notebooks/03_loops.ipynb",
        "solutions/03_loops.ipynb",
        "README.md",
    ]
    assert address.update_files(course) == []
    path = course / "notebooks" / "03_loops.ipynb"
    title, setup = nbformat.read(path, as_version=4).cells
    assert title.source == f"# 03 · Loops\n\n{badges.notebook_line(path, ADDRESS)}\n\nText."
    assert setup.source == setup_cell.source(ADDRESS)
    assert (course / "README.md").read_text() == (
        f"git clone --depth 1 {ADDRESS}\n<!-- lessons -->\n{readme.table(course, ADDRESS)}<!-- end of lessons "
        "-->\nrest\n"
    )


def test_new_address_replaces_the_old_one(course):
    address.update_files(course)
    project = course / "pyproject.toml"
    project.write_text(project.read_text().replace("someone", "another"))
    address.update_files(course)
    for path in [course / "README.md", *canonical_form.notebook_paths(course)]:
        assert "someone" not in path.read_text()


def test_table_shows_minutes_slow_and_fast(course):
    row = readme.table(course, ADDRESS).splitlines()[-1]
    assert row.startswith(
        "| 03 | [Loops](notebooks/03_loops.ipynb) | 45 | a loop | no loop | [![Open lesson 03 in Binder]"
    )


def test_map_lists_the_existing_lessons(course):
    start = course / "notebooks" / "00_start_here.ipynb"
    cell = new_markdown_cell("an old table", id=lesson_metadata.MAP_CELL)
    first = lesson(cell, minutes=20, slow="a loop", fast="`a + b`")
    first.cells[0].source = "# 00 · Start here"
    save_notebook(first, start)
    address.update_files(course)
    table = nbformat.read(start, as_version=4).cells[-1].source.splitlines()
    assert table[2:] == [
        "| 00 | [Start here](00_start_here.ipynb) | 20 | a loop | `a + b` |",
        "| 03 | [Loops](03_loops.ipynb) | 45 | a loop | no loop |",
    ]
    save_notebook(lesson(minutes=30, slow="a loop", fast="no loop"), course / "notebooks" / "04_more.ipynb")
    assert start in address.update_files(course), "a new lesson is on the map"


def test_lesson_without_minutes_is_named(course):
    save_notebook(lesson(slow="a loop", fast="no loop"), course / "notebooks" / "04_more.ipynb")
    with pytest.raises(lesson_metadata.LessonIncomplete, match=r"metadata of 04_more\.ipynb lacks 'minutes'"):
        readme.table(course, ADDRESS)


def test_minutes_are_written_into_the_title(course):
    page = lesson(minutes=45, slow="a loop", fast="no loop")
    page.cells[0].source += "\n\n**Time needed:** 5 minutes, and 5 for the exercise."
    path = save_notebook(page, course / "notebooks" / "03_loops.ipynb")
    address.update_files(course)
    title = nbformat.read(path, as_version=4).cells[0].source
    assert "**Time needed:** 45 minutes, and 5 for the exercise." in title


def test_objectives_are_listed_with_what_exercises_them(course):
    page = lesson(minutes=45, slow="a loop", fast="no loop", objectives=[["clip_and_scale", "where"], []])
    page.cells[0].source += "\n\nWhen you are done, you can:\n\n- write `where`,\n  without a loop;\n- count.\n\nMore."
    path = save_notebook(page, course / "notebooks" / "03_loops.ipynb")
    address.update_files(course)
    assert (course / "docs" / "objectives.md").read_text().splitlines()[-2:] == [
        "| [03](../notebooks/03_loops.ipynb) | write `where`, without a loop | `clip_and_scale` |  | `where` |",
        "| [03](../notebooks/03_loops.ipynb) | count |  |  |  |",
    ]
    page.metadata.unloop.objectives.pop()
    save_notebook(page, path)
    with pytest.raises(
        lesson_metadata.LessonIncomplete, match="03_loops.ipynb has 2 objectives, and .* has 1 list under"
    ):
        objectives_page.page(course)


@pytest.mark.parametrize("line", ["", 'Repository = "https://example.org/x/y"', 'Repository = "https://github.com/x"'])
def test_address_without_a_repository_is_refused(tmp_path, line):
    (tmp_path / "pyproject.toml").write_text(line)
    with pytest.raises(address.InvalidAddress, match="write https://github.com/OWNER/NAME"):
        address.read_address(tmp_path)


def test_badges_open_the_lesson():
    path = Path("notebooks/03_loops.ipynb")
    assert (
        badges.binder_url(path, ADDRESS)
        == "https://mybinder.org/v2/gh/someone/unloop/main?labpath=notebooks%2F03_loops.ipynb"
    )
    assert (
        badges.colab_url(path, ADDRESS)
        == "https://colab.research.google.com/github/someone/unloop/blob/main/notebooks/03_loops.ipynb"
    )
