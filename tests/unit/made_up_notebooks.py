"""Small lessons for the tests of authoring, and two addresses: a public one, and the one that belongs to nobody."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.authoring import canonical

HOME = "https://github.com/someone/unloop"
NOBODY = "https://github.com/_owner_/unloop"


def lesson(*cells, **about):
    title = new_markdown_cell("# 03 · Loops\n\nText.", id="title")
    setup = new_code_cell("SETUP", id="setup")
    return new_notebook(cells=[title, setup, *cells], metadata={"unloop": about})


def saved(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(canonical.text(notebook), encoding="utf-8")
    return path
