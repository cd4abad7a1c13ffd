"""What runs inside compiled code: torch's profiler, and a clock around each kernel that inductor generated for the CPU.

torch's profiler shows Dynamo's guard checks and the operations that compiled code calls, such as ``mm``. Generated
kernels for the CPU are plain functions of a generated module, which the profiler does not see, so a clock replaces them
there during the profile.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter, thread_time
from types import ModuleType
from typing import Any

from course_utils.frameworks import torch_internals
from course_utils.frameworks.compiler_interface import LAYOUT_COPIES, TimedWork

_GUARDS = "TorchDynamo Cache Lookup"
_REGIONS = "Torch-Compiled Region", "## Call CompiledFxGraph"  # Prefixes of the events around compiled code.
_MARK, _MARKS = "course_utils: start", 20  # The clocks are compared at each mark.
_KERNEL = re.compile(r"cpp_\w*fused\w*")
_ENGINE = ("autograd", "torch", "c10", "profiler")  # Namespaces of events that are not operations.
_FUNCTIONS = re.compile(
    r"(?:\.|std::)(exp2|expm1|exp|log1p|log10|log2|log|pow|tanh|sinh|cosh|sin|cos|tan|erfc|erf|sigmoid|lgamma|digamma)(?:_u20)?\("
)
_RANDOM = re.compile(r"\b(?:normalized_rand|randn|randint64)_cpu\(")
RANDOM = "random numbers"
# To pad or concatenate tensors, a kernel compares each element's position with the borders.
_POSITION_MASK = re.compile(r"VecMask<int64_t")
MASKS = "masks of positions"
# The pointer, and a computed position behind it: `in_ptr1[… tmp5 …]`, `in_ptr1 + …(x1 + 64L*tmp5)` or `out_ptr0, tmp5`.
_BY_INDEX = re.compile(r"(\w*ptr\d+)(?:\[[^\]]*|(?: \+|,)[^,;]*)\btmp\d+")
# Each core has a cache that holds this many bytes, so a kernel that reads them by an index reads each once.
_SMALL = 2**18


def generated_folder() -> str | None:
    """Return the folder of the source that the compiler generated; None if it has generated nothing."""
    return os.environ.get("TORCHINDUCTOR_CACHE_DIR")  # torch sets it when it writes the first file.


def compilation_count() -> int:
    """Return how many functions and graphs this process has compiled so far; a backward pass is a graph of its own."""
    counters = torch_internals.compile_counters
    return sum(sum(counters[name].values()) for name in ("frames", "aot_autograd", "inductor"))


@contextmanager
def profile(torch: Any) -> Iterator[list[TimedWork]]:
    """Fill the list with what runs inside the block, after the block ends."""
    works: list[TimedWork] = []
    with ExitStack() as clocks:
        for module in list(torch_internals.generated_code.modules):
            clocks.enter_context(_timed_kernels(module, works))
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
            marks = [_mark(torch) for _ in range(_MARKS)]
            yield works
    events = profiler.events()
    shows_regions = any(event.name.startswith(_REGIONS) for event in events)
    ahead_s = _clock_difference_s(marks, [event for event in events if event.name == _MARK])
    for event in events:
        kind = _kind(event)
        if kind is not None:
            start_s, end_s = (ahead_s + 1e-6 * time for time in (event.time_range.start, event.time_range.end))
            name = event.name.rpartition("::")[2]
            is_outside = shows_regions and kind == "operation" and not _is_compiled(event) and not _is_view(torch, name)
            works.append(TimedWork(name, kind, start_s, end_s, is_outside=is_outside))


def _mark(torch: Any) -> tuple[float, float]:
    """Add a mark to the profile, and return the times before and after it."""
    before_s = perf_counter()
    with torch.profiler.record_function(_MARK):
        pass
    return before_s, perf_counter()


def _clock_difference_s(marks: Sequence[tuple[float, float]], events: Iterable[Any]) -> float:
    """Return the seconds by which ``perf_counter`` is ahead of the profiler's clock.

    Each event of a mark lies between the times before and after it, so it limits the difference on both sides. A difference
    that is a few microseconds wrong would give the last operation of a line to the next line.
    """
    ranges = sorted((event.time_range.start, event.time_range.end) for event in events)
    pairs = list(zip(marks, ranges))
    least_s = max(before_s - 1e-6 * start_us for (before_s, _), (start_us, _) in pairs)
    most_s = min(after_s - 1e-6 * end_us for (_, after_s), (_, end_us) in pairs)
    return (least_s + most_s) / 2


def _is_compiled(event: Any) -> bool:
    """Return whether the event is inside compiled code."""
    parent = event.cpu_parent
    while parent is not None and not parent.name.startswith(_REGIONS):
        parent = parent.cpu_parent
    return parent is not None


def _is_view(torch: Any, name: str) -> bool:
    """Return whether the operation's result may share the memory of its argument, for example in ``slice`` and
    ``reshape``.
    """
    packet = getattr(torch.ops.aten, name, None)
    if packet is None:
        return False
    returned = torch_internals.operation_returns(getattr(packet, packet.overloads()[0]))
    return any(each.alias_info is not None and not each.alias_info.is_write for each in returned)


def _kind(event: Any) -> str | None:
    """Return ``"guards"`` or ``"operation"``; None for an event inside another operation, or of the profiler or
    autograd.
    """
    if event.name == _GUARDS:
        return "guards"
    if not _is_operation(event.name):
        return None
    parent = event.cpu_parent
    while parent is not None:
        if _is_operation(parent.name):
            return None
        parent = parent.cpu_parent
    return "operation"


def _is_operation(name: str) -> bool:
    namespace, _, operation = name.partition("::")
    return bool(operation) and namespace.isidentifier() and namespace not in _ENGINE


@contextmanager
def _timed_kernels(module: ModuleType, works: list[TimedWork]) -> Iterator[None]:
    """Time each call of a generated kernel inside the block."""
    kernels = {name: value for name, value in vars(module).items() if _KERNEL.fullmatch(name) and callable(value)}
    source = Path(module.__file__ or "").read_text(encoding="utf-8") if kernels else ""
    for name, kernel in kernels.items():
        setattr(module, name, _add_clock(name, kernel, source, works))
    try:
        yield
    finally:
        for name, kernel in kernels.items():
            setattr(module, name, kernel)


def _add_clock(name: str, kernel: Callable[..., Any], source: str, works: list[TimedWork]) -> Callable[..., Any]:
    pointers, by_index, functions = _read_kernel(name, source)
    fused = re.sub(r"^cpp_\w*?fused_?|_?\d+$", "", name)
    # The name of a kernel that the compiler inserted contains no operation.
    label = f"fused {fused}" if fused else LAYOUT_COPIES
    moved: list[tuple[int, int]] = []
    # While this thread waits, others may work for the kernel. Windows updates the time of a thread only every 16 ms.
    is_core_known = sys.modules["torch"].get_num_threads() == 1 and sys.platform != "win32"

    def timed(*args: Any) -> Any:
        core_start_s, start_s = thread_time(), perf_counter()
        result = kernel(*args)
        end_s, core_s = perf_counter(), thread_time() - core_start_s if is_core_known else math.inf
        if not moved:  # A kernel is generated for one shape, so its bytes are the same in each call.
            sizes = [each.numel() * each.element_size() if hasattr(each, "element_size") else 0 for each in args]
            reads = sum(size for size, pointer in zip(sizes, pointers) if pointer.startswith("in"))
            writes = sum(size for size, pointer in zip(sizes, pointers) if "out" in pointer)
            is_known = sum(size for size, pointer in zip(sizes, pointers) if pointer in by_index) <= _SMALL
            moved.append((reads, writes) if is_known else (0, 0))
        works.append(TimedWork(label, "kernel", start_s, end_s, *moved[0], functions, core_s=core_s))
        return result

    return timed


def _read_kernel(name: str, source: str) -> tuple[list[str], set[str], tuple[str, ...]]:
    """Return the names of a kernel's pointers, such as ``"in_ptr0"``, those at which it reads or writes by an index, and what
    it computes: elementary functions, random numbers and masks.

    The size of an input that is read by an index does not show how much is read. Masks of such a kernel do not count,
    because they only check the indices.
    """
    call = re.search(rf"^{name} = .*?kernel\((.*?)\)(.*?)^'''", source, re.DOTALL | re.MULTILINE)
    if call is None:
        return [], set(), ()
    by_index = set(_BY_INDEX.findall(call[2]))
    masks = [MASKS] if _POSITION_MASK.search(call[2]) and not by_index else []
    random = [RANDOM] if _RANDOM.search(call[2]) else []
    return re.findall(r"\*\s*(\w+)", call[1]), by_index, (*dict.fromkeys(_FUNCTIONS.findall(call[2])), *random, *masks)
