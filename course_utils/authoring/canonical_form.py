"""The canonical form of a stored notebook, so that every difference between two files is a difference in the lesson.

Keys are sorted, the format is nbformat 4.5, and all notebooks name the same kernel. Time stamps, widget state, the
machine's paths and CSS rules that nothing uses are left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.authoring.stored_css import without_unused_rules

FOLDERS = ("notebooks", "solutions", "exercises")

_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_CELL_METADATA = {"cellView", "deletable", "editable", "jupyter", "nbgrader", "tags", "unloop"}
_WIDGET = re.compile(r"application/vnd\.jupyter\.widget-.*")
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_RANDOM_ID = re.compile(r"(?=.*\d)[0-9a-f]{8}")
# The part of a path before these two folders differs between machines and does not help a learner.
_LIBRARY = re.compile(r"(?:~|\b[A-Z]:)?[/\\][^\s\"'<>]*[/\\](site-packages|python3\.\d+)[/\\]")
_MACHINE_PATH = re.compile(r"(?<![\w.~/>-])(?:/(?:home|root|opt|Users|work|private|mnt)/|[A-Z]:\\\\?Users)[^\s\"'<>]*")


def notebook_paths(root: Path) -> list[Path]:
    """Return the paths of the course's notebooks under ``root``, lessons first."""
    return [path for folder in FOLDERS for path in sorted((root / folder).glob("*.ipynb"))]


def text(notebook: NotebookNode) -> str:
    """Return the text of the notebook's file in canonical form; ``notebook`` itself does not change."""
    copy = nbformat.from_dict(notebook)
    copy.nbformat, copy.nbformat_minor = 4, 5
    copy.metadata = nbformat.from_dict(_METADATA | _only({"unloop"}, notebook.metadata))
    copy.cells = [_canonical_cell(cell) for cell in copy.cells]
    code = [cell for cell in copy.cells if cell.cell_type == "code"]
    executed = any(cell.execution_count for cell in code)
    for number, cell in enumerate(code, start=1):
        cell.execution_count = number if executed else None
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = cell.execution_count
    return nbformat.writes(copy).rstrip("\n") + "\n"


def violations(path: Path) -> Iterator[str]:
    """Yield each way in which the notebook at ``path`` differs from the canonical form, in a sentence."""
    stored = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(stored, as_version=4)
    if stored != text(notebook):
        yield f"{path.name} is not in canonical form; run `unloop author run {path}`."
    for cell in notebook.cells:
        name = f"{path.name}: cell {cell.get('id')!r}"
        if not _ID.fullmatch(cell.get("id", "")) or _RANDOM_ID.fullmatch(cell.id):
            yield f"{name} has no readable id; choose one such as 'slow-loop'."
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                text_start = output.text.strip()[:60]
                yield f"{name} wrote {text_start!r} to stderr; remove the cause and run the notebook again."
            if machine_path := _MACHINE_PATH.search("\n".join(_texts(output))):
                yield f"{name} prints {machine_path[0]!r}, a path of this machine; leave it out of the output."


def _canonical_cell(cell: NotebookNode) -> NotebookNode:
    cell.metadata = _only(_CELL_METADATA, cell.metadata)
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        cell.metadata["cellView"] = "form"  # Colab's word for a folded cell
    if cell.cell_type == "code":
        outputs = [_canonical_output(output) for output in _merge_streams(cell.outputs)]
        cell.outputs = [output for output in outputs if output.get("data", True)]
    return cell


def _merge_streams(outputs: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield the outputs, with consecutive pieces of one stream merged, because a kernel splits a stream at random."""
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


def _canonical_output(output: NotebookNode) -> NotebookNode:
    if "data" in output:
        mimes = {mime for mime in output.data if not _WIDGET.fullmatch(mime)}
        if "image/png" in mimes:
            # JupyterLab sanitizes HTML from untrusted notebooks: it would keep only the text of an SVG.
            mimes.discard("text/html")
        if "unloop-still" in output.data.get("text/html", ""):
            mimes.discard("text/html")  # This HTML names a widget, and the name is different in every run.
        output.data = _only(mimes, output.data)
        if "text/html" in output.data:
            output.data["text/html"] = without_unused_rules(output.data["text/html"])
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
