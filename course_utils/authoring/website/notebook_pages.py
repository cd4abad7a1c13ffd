"""A stored notebook as a page of the site: folded setup, buttons, forms for predictions, working links.

Nothing is executed: the page shows the stored outputs.
"""

from __future__ import annotations

import re

import nbformat
from nbformat import NotebookNode

from course_utils.authoring import task_cell_ids
from course_utils.authoring.stored_css import STYLE
from course_utils.authoring.website import prediction_form
from course_utils.authoring.website.page_links import PageLinks

_LAUNCH_LINE = re.compile(r"^Open in \[(Binder)\](\([^)]*\)) or \[(Colab)\](\([^)]*\))$", re.MULTILINE)
_UNWRITTEN = "is not written yet"


def page(notebook: NotebookNode, folder: str, links: PageLinks) -> tuple[NotebookNode, set[str]]:
    """Return the notebook as the site shows it, and the style sheets of its outputs; ``notebook`` itself does not
    change.

    Args:
        notebook: a stored notebook.
        folder: its folder, such as ``"notebooks"``.
        links: where its links lead.
    """
    shown: NotebookNode = nbformat.from_dict(notebook)
    sheets: set[str] = set()
    for cell in shown.cells:
        if cell.cell_type == "markdown":
            cell.source = links.rewrite(cell.source, folder)
        else:
            _fold(cell)
            _leave_out_unwritten(cell)
    title = shown.cells[0]
    title.source = _LAUNCH_LINE.sub(r"[Open in \1]\2{.unloop-launch} [Open in \3]\4{.unloop-launch}", title.source)
    prediction_form.ask_on_page(shown.cells)
    for cell in shown.cells:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                sheets.update(STYLE.findall(output.data["text/html"]))
                output.data["text/html"] = STYLE.sub("", output.data["text/html"])
    return shown, sheets


def _fold(cell: NotebookNode) -> None:
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        cell.metadata.setdefault("tags", []).append("hide-input")
        prompt = "Show the setup" if cell.id == "setup" else "Show the code"
        cell.metadata["mystnb"] = {"code_prompt_show": prompt, "code_prompt_hide": "Hide it"}


def _leave_out_unwritten(cell: NotebookNode) -> None:
    """Leave out what ``check`` printed about an unwritten answer."""
    if task_cell_ids.is_practice(cell.id):
        cell.outputs = [each for each in cell.outputs if _UNWRITTEN not in each.get("text", "")]
