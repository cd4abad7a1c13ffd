"""A cell of a lesson can run again after any other, because each name that it reads is bound in one cell."""

import symtable
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

LESSONS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
# Lesson 00 checks the learner's own version, then a version of the page.
ON_PURPOSE = {"halfway": ["turn-halfway", "predict-chunks"]}


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from scopes(child)


def names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell binds, imports aside, and those that it reads from other cells."""
    table = symtable.symtable(source, "cell", "exec")
    bound = {each.get_name() for each in table.get_symbols() if each.is_assigned() and not each.is_imported()}
    read = {
        each.get_name()
        for scope in scopes(table)
        for each in scope.get_symbols()
        if each.is_referenced() and (scope is table or each.is_global())
    }
    return bound, read - bound


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_what_a_cell_reads_comes_from_one_cell(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    parts = [(cell.id, *names(cell.source)) for cell in cells if not cell.source.startswith("%%")]
    sources = {name: [id for id, bound, _ in parts if name in bound] for _, _, read in parts for name in read}
    for id, _, read in parts:
        several = {name: sources[name] for name in read if sources[name][1:] and sources[name] != ON_PURPOSE.get(name)}
        assert not several, f"{id} reads names that several cells bind, so the last of them to run decides: {several}"


def test_names_of_inner_scopes_are_no_cells_names() -> None:
    assert names("def f(x):\n    return x + y\ng = lambda n: (z := n)") == ({"f", "g"}, {"y"})
