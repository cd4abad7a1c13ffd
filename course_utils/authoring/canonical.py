"""The one form in which notebooks are saved, so that a change in a file is a change in a lesson.

Sorted keys, nbformat 4.5, the same kernel for all, no time stamps, no widget state, no path of the machine that ran it.
It reads and rewrites notebooks; ``execute`` runs them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

FOLDERS = ("notebooks", "solutions", "exercises")

_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_CELL_METADATA = {"cellView", "deletable", "editable", "jupyter", "nbgrader", "tags", "unloop"}
_WIDGET = re.compile(r"application/vnd\.jupyter\.widget-.*")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_RANDOM_ID = re.compile(r"(?=.*\d)[0-9a-f]{8}")
# What stands before these two folders differs from machine to machine and tells a learner nothing.
_LIBRARY = re.compile(r"(?:~|\b[A-Z]:)?[/\\][^\s\"'<>]*[/\\](site-packages|python3\.\d+)[/\\]")
_MACHINE_PATH = re.compile(r"(?<![\w.~/>-])(?:/(?:home|root|opt|Users|work|private|mnt)/|[A-Z]:\\\\?Users)[^\s\"'<>]*")


def notebooks(root: Path) -> list[Path]:
    """All notebooks of the course under ``root``, lessons first."""
    return [path for folder in FOLDERS for path in sorted((root / folder).glob("*.ipynb"))]


def slug(task_id: str) -> str:
    """A task's name as it stands in the ids of its cells: ``"clip-and-scale"``."""
    return task_id.replace("_", "-")


def text(notebook: NotebookNode) -> str:
    """The notebook in canonical form, as it stands in a file. The notebook given is not changed."""
    tidy = nbformat.from_dict(notebook)
    tidy.nbformat, tidy.nbformat_minor = 4, 5
    tidy.metadata = nbformat.from_dict(_METADATA | _only({"unloop"}, notebook.metadata))
    tidy.cells = [_tidy_cell(cell) for cell in tidy.cells]
    code = [cell for cell in tidy.cells if cell.cell_type == "code"]
    executed = any(cell.execution_count for cell in code)
    for number, cell in enumerate(code, start=1):
        cell.execution_count = number if executed else None
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = cell.execution_count
    return nbformat.writes(tidy).rstrip("\n") + "\n"


def write(path: Path) -> None:
    """Save the notebook at ``path`` again, in canonical form."""
    path.write_text(text(nbformat.read(path, as_version=4)), encoding="utf-8")


def check(paths: Iterable[Path]) -> list[str]:
    """What keeps the notebooks at ``paths`` from canonical form, one sentence a complaint; empty when nothing does."""
    return [complaint for path in paths for complaint in _complaints(path)]


def _complaints(path: Path) -> Iterator[str]:
    stored = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(stored, as_version=4)
    if stored != text(notebook):
        yield f"{path.name} is not in canonical form; save it with `unloop author run {path}`."
    for cell in notebook.cells:
        name = f"{path.name}, cell {cell.get('id')!r},"
        if not _ID.fullmatch(cell.get("id", "")) or _RANDOM_ID.fullmatch(cell.id):
            yield f"{name} has no readable id; give it one such as 'slow-loop'."
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                yield f"{name} wrote to stderr ({output.text.strip()[:60]!r}); find out why, and run it again."
            if found := _MACHINE_PATH.search("\n".join(_texts(output))):
                yield f"{name} shows the path {found[0]!r} of the machine that ran it; keep it out of the output."


def _tidy_cell(cell: NotebookNode) -> NotebookNode:
    cell.metadata = _only(_CELL_METADATA, cell.metadata)
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        cell.metadata["cellView"] = "form"  # a folded cell, as Colab says it
    if cell.cell_type == "code":
        outputs = [_tidy_output(output) for output in _joined(cell.outputs)]
        cell.outputs = [output for output in outputs if output.get("data", True)]
    return cell


def _joined(outputs: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """The outputs with neighbouring pieces of one stream in one piece: where they were cut is chance."""
    last = None
    for output in outputs:
        if last is not None and output.output_type == "stream" and output.name == last.get("name"):
            last.text += output.text
            continue
        if last is not None:
            yield last
        last = output
    if last is not None:
        yield last


def _tidy_output(output: NotebookNode) -> NotebookNode:
    if "data" in output:
        kept = {mime for mime in output.data if not _WIDGET.fullmatch(mime)}
        if "image/png" in kept:
            # JupyterLab trusts no HTML that was not made on the spot: of an SVG in it only the words would be left.
            kept.discard("text/html")
        if "unloop-still" in output.data.get("text/html", ""):
            kept.discard("text/html")  # it stands for a widget of one run, by a name that no other run gives
        output.data = _only(kept, output.data)
    if output.output_type == "stream":
        output.text = _LIBRARY.sub(r"\1/", output.text)
    if output.output_type == "error":
        output.traceback = [_LIBRARY.sub(r"\1/", line) for line in output.traceback]
    return output


def _only(keys: Collection[str], node: NotebookNode) -> NotebookNode:
    return nbformat.from_dict({key: value for key, value in node.items() if key in keys})


def _texts(output: NotebookNode) -> Iterator[str]:
    if output.output_type == "stream":
        yield output.text
    elif output.output_type == "error":
        yield from output.traceback
    else:
        texts = {mime: value for mime, value in output.data.items() if isinstance(value, str)}
        yield from (value for mime, value in texts.items() if mime.startswith("text/"))
