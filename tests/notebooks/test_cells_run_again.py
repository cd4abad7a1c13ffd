"""A cell of a lesson shows the same if it runs again after the last one, because no later cell changes its inputs."""

import symtable
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

LESSONS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


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
def test_no_later_cell_changes_what_a_cell_reads(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    cells = [cell for cell in cells if not cell.source.startswith("%%")]
    parts = [(cell.id, *names(cell.source)) for cell in cells]
    last = {name: index for index, (_, bound, _) in enumerate(parts) for name in bound}
    for index, (id, _, read) in enumerate(parts):
        earlier = set().union(*(bound for _, bound, _ in parts[:index]))
        changed = {name: parts[last[name]][0] for name in read & earlier if last[name] > index}
        assert not changed, f"{id} reads names that later cells bind anew: {changed}"


def test_names_of_inner_scopes_are_no_cells_names() -> None:
    assert names("def f(x):\n    return x + y\ng = lambda n: (z := n)") == ({"f", "g"}, {"y"})
