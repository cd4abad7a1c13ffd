"""torch's compiler, as the course asks for it: code run as it is written, the graphs made of it, what a refusal means.

Nothing here loads the compiler, which takes seconds: where nobody has used it, nothing is compiled.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from course_utils.frameworks.compiling import Compiler, Graph, Graphs

_COMPILER = "torch._dynamo.eval_frame"
_MOST_TRACES = 64  # of one function, before torch gives up on it; its own number counts what earlier checks traced

_BRANCH = "generic_jump", "Data-dependent branching:"  # what it calls a branch when it goes on, and when it refuses

# How to get a C++ compiler, by what Python calls the system.
_GET_ONE = {
    "darwin": "`xcode-select --install`, in a terminal, brings one",
    "win32": "the Build Tools for Visual Studio, with C++ chosen, bring one",
    "linux": "`apt install g++`, or the package manager of your system, brings one",
}
# What the compiler says → what it means.
_MEANT = (
    (
        re.compile(r"Data-dependent branching|\.item\(\) call|data-dependent"),
        (
            "The graph would have to end here, as Python asks for a value that only running code knows: torch.where chooses "
            "without asking."
        ),
    ),
    (
        re.compile(r"builtin|print|logging|skipped function"),
        (
            "The graph would have to end here, as this is Python's own work and no tensor operation: do it outside of what "
            "is compiled."
        ),
    ),
)


class _Told:
    """A backend of torch's compiler that compiles nothing and takes down what it is given.

    One for all counts: torch keeps graphs by their backend, and gives up on a function with too many.
    """

    def __init__(self) -> None:
        self.found = Graphs()

    def __call__(self, module: Any, inputs: Any) -> Callable[..., Any]:
        why = module.compile_subgraph_reason
        graph = Graph()
        if why.graph_break:
            where = why.user_stack[-1] if why.user_stack else None
            said = why.reason.strip().splitlines()[0].replace(*_BRANCH)
            graph = Graph(said, where.filename if where else "", where.lineno or 0 if where else 0)
        self.found.traced.append(graph)

        def run(*args: Any) -> Any:
            self.found.ran.append(graph)
            return module(*args)

        return run


class TorchCompiler(Compiler):
    """``torch.compile``."""

    def __init__(self) -> None:
        self._told = _Told()

    def is_loaded(self) -> bool:
        return _COMPILER in sys.modules

    def as_written(self) -> AbstractContextManager[object]:
        return sys.modules["torch"].compiler.set_stance("force_eager") if self.is_loaded() else nullcontext()

    @contextmanager
    def graphs_told(self) -> Iterator[Graphs]:
        self._told.found = found = Graphs()
        if not self.is_loaded():
            yield found
            return
        torch, log = sys.modules["torch"], logging.getLogger("torch._dynamo")
        level = log.level
        log.setLevel(logging.ERROR)  # it would warn of what is told here anyway
        taken_down = torch.compiler.set_stance("default", force_backend=self._told)
        try:
            with torch._dynamo.config.patch(recompile_limit=_MOST_TRACES), taken_down:
                yield found
        finally:
            log.setLevel(level)

    def refusal(self, error: BaseException) -> str:
        kinds = {kind.__name__ for each in _chain(error) for kind in type(each).__mro__}
        if "InvalidCxxCompiler" in kinds or "InvalidCxxCompiler" in str(error):
            get_one = _GET_ONE.get(sys.platform, _GET_ONE["linux"])
            return f"torch.compile writes C++, and there is no C++ compiler on this system: {get_one}. All else runs without."
        if "found no compiled frames" in str(error):
            return (
                "With fullgraph=True the compiler takes the whole function or nothing, and here it takes nothing: a graph would "
                "have to end inside a Python loop. Without fullgraph=True, `graphs` tells where."
            )
        if not kinds & {"TorchDynamoException", "CppCompileError"}:
            return ""
        said = (str(error).strip().splitlines() or [""])[0]
        return next((meant for pattern, meant in _MEANT if pattern.search(said)), "The compiler refuses this code.")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = getattr(error, "inner_exception", None) or error.__cause__
