"""Collects the course's claims from the lessons, and writes what the fact check needs to test them.

The cell that tests a claim names it in its metadata, under ``unloop.claim``:

- ``id`` and ``verdict``;
- ``race`` with ``contender``, ``rival`` and ``at``, if the order of two contenders decides; text that the cell prints
  must be the same, too;
- ``needs``, the ids of cells whose files the test reads.

The statement is the heading above the cell, and the reason is the lesson's verdict below it.
"""

from __future__ import annotations

import ast
import json
import re
import symtable
from collections.abc import Collection
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.core.errors import CourseError
from course_utils.core.plain_data import to_data
from course_utils.races import claims
from course_utils.races.claims import Claim

_STATEMENT = re.compile(r"^###+ (?P<text>[\"“].+)$|^> \*(?P<quote>.+?)\*$", re.MULTILINE)
_VERDICT = re.compile(r"\*\*(?:The )?[Vv]erdict[^*]*\*\*,?\s*(?P<reason>[^\n]*(?:\n(?!\n|[-#|>])[^\n]*)*)")


class InvalidClaim(CourseError):
    """A lesson's cell does not say what its claim is."""


def update(root: Path) -> list[Path]:
    """Write all claims of the lessons under ``root``, and return the file if it changed."""
    path, of_lessons = root / claims.FILE.relative_to(claims.FILE.parents[2]), collect(root)
    text = json.dumps([to_data(each) for each in of_lessons], indent=1, ensure_ascii=False) + "\n"
    if not of_lessons or (path.exists() and path.read_text(encoding="utf-8") == text):
        return []
    path.write_text(text, encoding="utf-8")
    claims.load_claims.cache_clear()
    return [path]


def collect(root: Path) -> list[Claim]:
    """Return the claims of all lessons under ``root``, by id.

    Raises:
        InvalidClaim: if a cell's verdict is none of the five, or the lesson lacks the claim's statement or reason.
    """
    all_claims = [
        _claim(notebook, path.stem, position)
        for path in sorted((root / "notebooks").glob("*.ipynb"))
        for notebook in [nbformat.read(path, as_version=4)]
        for position, cell in enumerate(notebook.cells)
        if "claim" in cell.metadata.get("unloop", {})
    ]
    return sorted(all_claims, key=lambda claim: claim.id)


def _claim(notebook: NotebookNode, lesson: str, position: int) -> Claim:
    cell = notebook.cells[position]
    what = cell.metadata.unloop.claim
    place = f"{lesson}, cell {cell.id}"
    if what.verdict not in claims.VERDICTS:
        raise InvalidClaim(f"{place}: {what.verdict!r} is not a verdict; choose one of {', '.join(claims.VERDICTS)}.")
    number = what.id.lower().replace(".", "-")
    before, after = notebook.cells[position::-1], notebook.cells[position:]
    statement = _search(_STATEMENT, [*_cells_with_id(notebook.cells, f"claim-{number}-text"), *before, *after])
    verdict = _search(_VERDICT, [*_cells_with_id(notebook.cells, f"claim-{number}-verdict"), *after])
    if statement is None or verdict is None:
        missing = 'a heading `### "…"` above' if statement is None else "a sentence after **Verdict: …** below"
        raise InvalidClaim(f"{place}: the claim {what.id} needs {missing} its cell.")
    code = [each for each in notebook.cells[: position + 1] if each.cell_type == "code"]
    race = what.get("race")
    printed = "".join(
        output.text for output in cell.outputs if output.output_type == "stream" and output.name == "stdout"
    )
    if race is None and not printed:
        raise InvalidClaim(f"{place}: the cell prints nothing; name the race's `contender`, `rival` and `at`.")
    return Claim(
        id=what.id,
        text=statement["text"] or f'"{statement["quote"]}"',
        verdict=what.verdict,
        reason=" ".join(verdict["reason"].split()),
        lesson=lesson,
        cell=cell.id,
        framework=notebook.metadata.unloop.framework,
        setup=slice_code(
            [_as_python(each.source) for each in code],
            {place for place, each in enumerate(code) if each.id in what.get("needs", [])},
        ),
        code=cell.source,
        prints=printed,
        race=None if race is None else claims.Race(id=_race_id(cell.source), **race),
    )


def _race_id(source: str) -> str:
    """Return the name of the race in a cell."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    races = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "race"]
    return ast.literal_eval(races[-1].args[0])


def _cells_with_id(cells: list[NotebookNode], id: str) -> list[NotebookNode]:
    return [cell for cell in cells if cell.id == id]


def _search(pattern: re.Pattern[str], cells: list[NotebookNode]) -> re.Match[str] | None:
    """Return the last match in the first Markdown cell that has a match."""
    for cell in cells:
        matches = list(pattern.finditer(cell.source)) if cell.cell_type == "markdown" else []
        if matches:
            return matches[-1]
    return None


def _as_python(source: str) -> str:
    """Return a cell as Python: a cell that writes a file becomes a statement, and any other cell magic is left out."""
    magic, _, body = source.partition("\n")
    if not magic.startswith("%%"):
        return source
    name, _, path = magic.partition(" ")
    if name != "%%writefile":
        return ""
    return (
        f"import pathlib\npathlib.Path({path!r}).parent.mkdir(parents=True, exist_ok=True)\n"
        f"pathlib.Path({path!r}).write_text({body!r})"
    )


def slice_code(cells: list[str], whole: Collection[int] = ()) -> str:
    """Return the statements of the earlier cells on whose names the last cell depends (M. Weiser, "Program slicing",
    IEEE Transactions on Software Engineering 10(4), 1984).

    Args:
        cells: sources, in order.
        whole: the positions of cells that are kept whole, because their effects are needed and not only their names.

    >>> print(slice_code(["import math\\nimport os\\nx = 1", "x = 2\\nprint(x)", "y = x * math.pi"]))
    import math
    x = 2
    """
    needed: set[str] = set()
    statements: list[str] = []
    for place, source in reversed(list(enumerate(cells))):
        for statement in reversed(ast.parse(source).body):
            first = min(each.lineno for each in (statement, *getattr(statement, "decorator_list", ())))
            text = "\n".join(source.splitlines()[first - 1 : statement.end_lineno])
            names = _changes(text)
            is_last = place == len(cells) - 1
            if is_last or place in whole or names & needed:
                if _defines(statement):
                    needed -= names
                needed |= _uses(text)
                statements += [] if is_last else [text]
    return "\n".join(reversed(statements))


def _defines(statement: ast.stmt) -> bool:
    """Return whether the statement replaces the values of all names that it changes, independently of their old
    values."""
    definitions = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return isinstance(statement, definitions) or any(isinstance(each, (ast.Name, ast.Tuple)) for each in targets)


def _changes(source: str) -> set[str]:
    """Return the global names that a statement defines, and those whose items it sets."""
    symbols = symtable.symtable(source, "", "exec").get_symbols()
    items = {
        node.value.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    }
    return items | {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}


def _uses(source: str) -> set[str]:
    """Return the global names that a statement reads, also inside its functions, except names that its own blocks
    introduce.
    """

    def names(table: symtable.SymbolTable) -> set[str]:
        top = table.get_type() == "module"
        own = {each.get_name() for each in table.get_symbols() if each.is_referenced() and (top or each.is_global())}
        return own.union(*map(names, table.get_children()))

    introduced: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler) and node.name:
            introduced.add(node.name)
        target = (
            node.target if isinstance(node, ast.For) else node.optional_vars if isinstance(node, ast.withitem) else None
        )
        if target is not None:
            introduced |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return names(symtable.symtable(source, "", "exec")) - introduced
