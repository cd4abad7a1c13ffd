"""Small lessons and two repository addresses, with and without an owner, for the tests of authoring."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils.authoring import canonical_form

ADDRESS = "https://github.com/someone/unloop"
NO_OWNER = "https://github.com/_owner_/unloop"


def lesson(*cells, **metadata):
    title = new_markdown_cell("# 03 · Loops\n\nText.", id="title")
    setup = new_code_cell("SETUP", id="setup")
    return new_notebook(cells=[title, setup, *cells], metadata={"unloop": metadata})


def save_notebook(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(canonical_form.text(notebook), encoding="utf-8")
    return path
