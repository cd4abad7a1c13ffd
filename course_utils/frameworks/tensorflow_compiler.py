"""TensorFlow's tracer and XLA: what they have traced, and what runs inside a graph.

TensorFlow's profiler shows an operation of a graph as ``"while/body/Sin:Sin"``, its name in the graph and its kind;
operations that take a few microseconds are not listed. A kernel of XLA has a name such as ``"add_tanh_fusion"``, and
its end is an event ``"end: add_tanh_fusion"``, which is sometimes missing.
"""

from __future__ import annotations

import math
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from course_utils.frameworks import tensorflow_internals
from course_utils.frameworks.compiler_interface import Compiler, TimedWork
from course_utils.frameworks.private_names import PrivateNameMissing
from course_utils.frameworks.xla_program import FUNCTIONS, label_of

_MARK = "course_utils: start"
_UNOPTIMIZED = "disable_meta_optimizer"  # TensorFlow's name of the option that runs graphs without its optimizer
# TensorFlow keeps a function for each kind of eager operation; such a function is not a trace.
_OF_ONE_OPERATION = "__wrapped__"
# oneDNN's kernel for MatMul is _MklMatMul, and an operation that a graph's optimizer has fused is _FusedMatMul.
_GRAPH_OPERATION = re.compile(r"(?!__)[^\s:]+:(?:_Mkl(?:Native)?|_(?=Fused))?([A-Z]\w*)")
_GRAPH_CALL = re.compile(r"EagerLocalExecute: __\w+")
_END = "end: "
_PROGRAM = "CpuExecutable::ExecuteAsyncOnStream"
_FUSION = re.compile(r"\w+_fusion(\.\d+)*")
_RUNS_KERNELS = re.compile(r"(while|conditional|call)(\.\d+)*")


class _Event(NamedTuple):
    """One event of the profile; its times are those of ``perf_counter``."""

    start_s: float
    end_s: float
    name: str


class TensorflowCompiler(Compiler):
    """``tf.function``, with and without ``jit_compile=True``."""

    def __init__(self) -> None:
        self._traced: set[str] = set()

    def compilation_count(self, with_traces: bool = False) -> int:
        if not with_traces:
            return 0
        names = tensorflow_internals.graph_function_names()
        self._traced.update(name for name in names if not name.startswith(_OF_ONE_OPERATION))
        return len(self._traced)

    @contextmanager
    def run_uncompiled(self) -> Iterator[None]:
        """Run graphs as they were traced, without TensorFlow's optimizer, which takes longer for a new graph than tracing it
        or running it once.
        """
        optimizer = sys.modules["tensorflow"].config.optimizer
        before = optimizer.get_experimental_options().get(_UNOPTIMIZED, False)
        optimizer.set_experimental_options({_UNOPTIMIZED: True})
        try:
            yield
        finally:
            optimizer.set_experimental_options({_UNOPTIMIZED: before})

    @contextmanager
    def profile(self) -> Iterator[list[TimedWork]]:
        works: list[TimedWork] = []
        with tempfile.TemporaryDirectory() as folder:
            profiler = sys.modules["tensorflow"].profiler.experimental
            with profiler.Profile(folder):
                with profiler.Trace(_MARK):
                    pass
                marked_s = perf_counter()
                yield works
            for path in Path(folder).rglob("*.xplane.pb"):
                try:
                    threads = tensorflow_internals.profiled_threads(path.read_bytes())
                except PrivateNameMissing:
                    return  # A version that stores its profiles in another form shows no operations inside a graph.
                mark_s = next(event[1] for events in threads for event in events if event[2] == _MARK)
                all_events: list[_Event] = []
                for events in threads:
                    shifted = [
                        _Event(start + marked_s - mark_s, end + marked_s - mark_s, name) for start, end, name in events
                    ]
                    calls = (each for each in shifted if _GRAPH_CALL.fullmatch(each.name))
                    works += (TimedWork("graph", "call", each.start_s, each.start_s) for each in calls)
                    works += _graph_operations(shifted)
                    all_events += shifted
                works += _xla_kernels(all_events)  # A kernel may begin on one thread and end on another.


def _graph_operations(events: Iterable[_Event]) -> Iterator[TimedWork]:
    """Yield the operations of graphs, without those that run other operations, such as a loop."""
    named = ((event, _GRAPH_OPERATION.fullmatch(event.name)) for event in sorted(events))
    operations = [(event, match[1]) for event, match in named if match]
    for (event, kind), following in zip(operations, [*(event for event, _ in operations[1:]), None]):
        if following is None or following.start_s >= event.end_s:
            yield TimedWork(kind, "operation", event.start_s, event.end_s)


def _xla_kernels(events: Iterable[_Event]) -> Iterator[TimedWork]:
    """Yield the kernels of XLA: fused ones, and products; a loop or a branch only if none of its kernels is listed.

    A kernel that several threads run lasts until the last of them ends. If it is the last kernel of its program, it lasts until
    the program ends.
    """
    events = sorted(events)
    ends: dict[str, list[float]] = defaultdict(list)
    for event in events:
        if event.name.startswith(_END):
            ends[event.name.removeprefix(_END)].append(event.end_s)
    programs = [event for event in events if event.name == _PROGRAM]
    later_s, next_start_s = math.inf, dict[str, float]()
    works: list[TimedWork] = []
    for event in reversed(events):
        if event.name in ends or _FUSION.fullmatch(event.name):
            if _RUNS_KERNELS.fullmatch(event.name) and works and works[-1].start_s < event.end_s:
                continue
            label = label_of(event.name)
            words = label.removeprefix("fused ").split("_")
            functions = tuple(FUNCTIONS[word] for word in dict.fromkeys(words) if word in FUNCTIONS)
            kind = "kernel" if label.startswith(("fused ", "wrapped_")) else "operation"
            before_s = next_start_s.get(event.name, math.inf)
            end_s = max([event.end_s, *(each for each in ends[event.name] if event.start_s < each < before_s)])
            if end_s > event.end_s:
                around = (
                    each.end_s for each in programs if each.start_s <= event.start_s and end_s < each.end_s < later_s
                )
                end_s = min(around, default=end_s)
            works.append(TimedWork(label, kind, event.start_s, end_s, functions=functions))
            later_s = next_start_s[event.name] = event.start_s
    return reversed(works)
