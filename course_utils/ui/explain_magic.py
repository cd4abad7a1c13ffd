"""``%%explain``: explains the code of a cell as ``explain`` does a function."""

from __future__ import annotations

from types import FunctionType

from course_utils.explaining import Explanation, explain


def explain_cell(line: str, cell: str) -> Explanation:
    """Return where the time of the cell goes, by the cell's own line numbers; see ``explain``.

    Existing variables keep their values; new variables have their values of the last run.
    """
    from IPython import get_ipython

    shell = get_ipython()
    source = "\n" + shell.transform_cell(cell)  # The first line of the cell is the magic itself.
    file = shell.compile.cache(source)
    # The function runs a module's code, so it sets variables in the notebook's namespace.
    return explain(FunctionType(compile(source, file, "exec"), shell.user_ns, "cell"))
