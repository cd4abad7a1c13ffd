"""torch's compiler: run code uncompiled, record its graphs, explain its errors.

Nothing here loads the compiler, which takes seconds. If it is not loaded, nothing is compiled.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from course_utils.frameworks import torch_compiled_profile, torch_internals
from course_utils.frameworks.compiler_interface import Compiler, Graph, RecordedGraphs, TimedWork

# torch stops compiling a function after this many traces. Its default limit is too low: earlier checks traced it, too.
_RECOMPILE_LIMIT = 64

# torch's name for a data-dependent branch that ends a graph, and its name in the error that fullgraph=True raises.
_BRANCH = "generic_jump", "Data-dependent branching:"

# ``sys.platform`` → how to install a C++ compiler.
_INSTALL_COMPILER = {
    "darwin": "install one with `xcode-select --install` in a terminal",
    "win32": "install the Build Tools for Visual Studio with C++, and start Jupyter in their x64 Native Tools prompt",
    "linux": "install one with `apt install g++` or your system's package manager",
}
# A pattern in the compiler's message → its meaning for the learner.
_MEANINGS = (
    (
        re.compile(r"Data-dependent branching|\.item\b|data-dependent"),
        "Here the graph would have to end, because Python needs a value of the data; torch.where selects without it.",
    ),
    (
        re.compile(r"builtin|print|logging|skipped function"),
        "Here the graph would have to end, because this is not a tensor operation; move it out of the compiled function.",
    ),
)


class _RecordingBackend:
    """A backend of torch's compiler that records each graph and runs it uncompiled.

    All recordings share one instance: torch caches graphs by backend, and stops compiling a function that has too many
    graphs.
    """

    def __init__(self) -> None:
        self.recorded = RecordedGraphs()

    def __call__(self, module: Any, inputs: Any) -> Callable[..., Any]:
        end, start = torch_internals.graph_break(module), torch_internals.graph_resumption(module)
        file, resumes_at = start or ("", 0)
        graph = Graph("", file, 0, resumes_at)
        if end is not None:
            reason, file, line = end
            graph = Graph(reason.strip().splitlines()[0].replace(*_BRANCH), file, line, resumes_at)
        self.recorded.traced.append(graph)

        def run(*args: Any) -> Any:
            self.recorded.ran.append(graph)
            return module(*args)

        return run


class TorchCompiler(Compiler):
    """``torch.compile``."""

    def __init__(self) -> None:
        self._backend = _RecordingBackend()

    def is_loaded(self) -> bool:
        return torch_internals.is_compiler_loaded()

    def compilation_count(self, with_traces: bool = False) -> int:
        return torch_compiled_profile.compilation_count() if self.is_loaded() else 0

    def run_uncompiled(self) -> AbstractContextManager[object]:
        return sys.modules["torch"].compiler.set_stance("force_eager") if self.is_loaded() else nullcontext()

    def run_compiled(self) -> AbstractContextManager[object]:
        return sys.modules["torch"].compiler.set_stance("default") if self.is_loaded() else nullcontext()

    @contextmanager
    def record_graphs(self) -> Iterator[RecordedGraphs]:
        self._backend.recorded = recorded = RecordedGraphs()
        if not self.is_loaded():
            yield recorded
            return
        log = logging.getLogger(torch_internals.COMPILER_LOGGER)
        level = log.level
        log.setLevel(logging.ERROR)  # Its warnings repeat what is recorded here.
        recording = sys.modules["torch"].compiler.set_stance("default", force_backend=self._backend)
        try:
            with (
                torch_internals.recompile_limit(_RECOMPILE_LIMIT),
                recording,
                torch_internals.reads_inside_full_graphs(),
            ):
                yield recorded
        finally:
            log.setLevel(level)

    def generated_folder(self) -> str | None:
        return torch_compiled_profile.generated_folder()

    def profile(self) -> AbstractContextManager[list[TimedWork]]:
        return torch_compiled_profile.profile(sys.modules["torch"]) if self.is_loaded() else nullcontext([])

    def missing_program(self) -> str:
        program = os.environ.get("CXX") or {"darwin": "clang++", "win32": "cl"}.get(sys.platform, "g++")
        return "" if shutil.which(program) else _no_compiler()

    def explain_error(self, error: BaseException) -> str:
        types = {base.__name__ for each in _chain(error) for base in type(each).__mro__}
        if "InvalidCxxCompiler" in types or "InvalidCxxCompiler" in str(error):
            return _no_compiler()
        if "found no compiled frames" in str(error):
            return (
                "With fullgraph=True the compiler takes a whole function or nothing, and it takes nothing here because "
                "a graph would have to end inside a Python loop. Without fullgraph=True, `graphs` shows the line."
            )
        if not types & {"TorchDynamoException", "CppCompileError"}:
            return ""
        first_line = (str(error).strip().splitlines() or [""])[0]
        meanings = (meaning for pattern, meaning in _MEANINGS if pattern.search(first_line))
        return next(meanings, "The compiler cannot compile this code.")


def _no_compiler() -> str:
    remedy = _INSTALL_COMPILER.get(sys.platform, _INSTALL_COMPILER["linux"])
    return f"torch.compile needs a C++ compiler and finds none; {remedy}. Everything else works without it."


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = getattr(error, "inner_exception", None) or error.__cause__
