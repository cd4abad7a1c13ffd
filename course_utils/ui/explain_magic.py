"""``%%explain``: the code of a cell, explained as a function's is. It keeps and measures nothing itself."""

from __future__ import annotations

from types import FunctionType

from course_utils.explaining import Explanation, explain


def explain_cell(line: str, cell: str) -> Explanation:
    """Run the cell a few times and tell where its time goes, by the cell's own line numbers; see ``explain``.

    Its variables keep the values that they had before; those that are new keep the last run's.
    """
    from IPython import get_ipython

    shell = get_ipython()
    source = "\n" + shell.transform_cell(cell)  # the first line of the cell is the magic itself
    file = shell.compile.cache(source)
    # Python runs such a function in its globals, as it does a module.
    return explain(FunctionType(compile(source, file, "exec"), shell.user_ns, "cell"))
