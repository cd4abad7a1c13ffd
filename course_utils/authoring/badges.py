"""Links that open a notebook on Binder or Colab: words in notebooks, pictures in the README.

A picture would have to be fetched, and a lesson opens no connection by itself. Colab opens a notebook without the other
folders, so a link to a notebook in another folder also gets its Colab address.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from nbformat import NotebookNode

_HOST = "https://github.com/"
_LINE_START = "Open in [Binder]("
_LINK_ACROSS_FOLDERS = re.compile(
    r"(?P<link>\[[^\]]*\]\(\.\./(?P<target>\w+/\w+\.ipynb)\))(?:\s\(\[on\sColab\]\([^)]*\)\))?"
)


def binder_url(path: Path, address: str) -> str:
    """Return the URL that opens the notebook ``path`` in JupyterLab on Binder."""
    repository, notebook = address.removeprefix(_HOST), quote(_in_repository(path), safe="")
    return f"https://mybinder.org/v2/gh/{repository}/main?labpath={notebook}"


def colab_url(path: Path, address: str) -> str:
    """Return the URL that opens the notebook ``path`` on Colab."""
    return f"https://colab.research.google.com/github/{address.removeprefix(_HOST)}/blob/main/{_in_repository(path)}"


def notebook_line(path: Path, address: str) -> str:
    """Return the line under a notebook's title."""
    return f"{_LINE_START}{binder_url(path, address)}) or [Colab]({colab_url(path, address)})"


def readme_badges(path: Path, address: str) -> str:
    """Return a lesson's two badges in the README, in Markdown."""
    number = path.stem.split("_")[0]
    return (
        f"[![Open lesson {number} in Binder](docs/binder.svg)]({binder_url(path, address)}) "
        f"[![Open lesson {number} in Colab](docs/colab.svg)]({colab_url(path, address)})"
    )


def update_badges(notebook: NotebookNode, path: Path, address: str) -> None:
    """Write the badge line of ``path`` into the notebook's first cell: in place of the old line, or below the title."""
    title, *rest = notebook.cells[0].source.split("\n")
    if not any(each.startswith(_LINE_START) for each in rest):
        rest = ["", _LINE_START, *rest]
    line = notebook_line(path, address)
    notebook.cells[0].source = "\n".join([title, *(line if each.startswith(_LINE_START) else each for each in rest)])


def update_colab_links(notebook: NotebookNode, address: str) -> None:
    """Write the Colab address after each link to a notebook of another folder, in place of the old address."""

    def with_colab(match: re.Match) -> str:
        return f"{match['link']} ([on Colab]({colab_url(Path(match['target']), address)}))"

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _LINK_ACROSS_FOLDERS.sub(with_colab, cell.source)


def _in_repository(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"
