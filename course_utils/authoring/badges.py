"""Links that open a notebook on Binder or Colab: plain words in notebooks, pictures in the README.

Colab opens one notebook and has no folder around it: a link to another folder's notebook gets its address there beside
it. Notebooks get words because a picture would have to be fetched, and a lesson opens no connection by itself.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from nbformat import NotebookNode

_HOST = "https://github.com/"
_LINE_STARTS = "Open in [Binder]("
_ACROSS = re.compile(r"(?P<link>\[[^\]]*\]\(\.\./(?P<inside>\w+/\w+\.ipynb)\))(?: \(\[on Colab\]\([^)]*\)\))?")


def binder(path: Path, address: str) -> str:
    """The address at which Binder opens the notebook ``path`` in JupyterLab."""
    return f"https://mybinder.org/v2/gh/{address.removeprefix(_HOST)}/main?labpath={quote(_inside(path), safe='')}"


def colab(path: Path, address: str) -> str:
    """The address at which Colab opens the notebook ``path``."""
    return f"https://colab.research.google.com/github/{address.removeprefix(_HOST)}/blob/main/{_inside(path)}"


def line(path: Path, address: str) -> str:
    """The line under a notebook's title."""
    return f"{_LINE_STARTS}{binder(path, address)}) or [Colab]({colab(path, address)})"


def pictures(path: Path, address: str) -> str:
    """The two badges of a lesson in the README."""
    number = path.stem.split("_")[0]
    return (
        f"[![Open lesson {number} in Binder](docs/binder.svg)]({binder(path, address)}) "
        f"[![Open lesson {number} in Colab](docs/colab.svg)]({colab(path, address)})"
    )


def put(notebook: NotebookNode, path: Path, address: str) -> None:
    """Write the badge line of ``path`` into the notebook's first cell, below the title unless it stands elsewhere."""
    title, *rest = notebook.cells[0].source.split("\n")
    if not any(each.startswith(_LINE_STARTS) for each in rest):
        rest = ["", _LINE_STARTS, *rest]
    wanted = line(path, address)
    notebook.cells[0].source = "\n".join([title, *(wanted if each.startswith(_LINE_STARTS) else each for each in rest)])


def put_beside_links(notebook: NotebookNode, address: str) -> None:
    """Beside each link to a notebook of another folder write its address on Colab, anew where one stands already."""

    def both(found: re.Match) -> str:
        return f"{found['link']} ([on Colab]({colab(Path(found['inside']), address)}))"

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _ACROSS.sub(both, cell.source)


def _inside(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"
