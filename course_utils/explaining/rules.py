"""The rules that decide a line's reason: each answers yes or no from the measurements of one line.

A reason is a claim, so a rule asks for evidence. If no rule holds, the reason is ``unknown``. Every threshold is defined here.
"""

from __future__ import annotations

from course_utils.explaining.line_measurements import LineMeasurements

NEAR_FLOOR = 1.5
"""A line that takes at most this many times its floor runs at the machine's limit."""

MOST = 0.5
"""Work that takes this share of a line's time explains the line."""

MUCH = 0.3
"""Work that takes less than this share of a line's time does not explain it."""

LITTLE = 0.15
"""Bytes that need less than this share of a line's time have nothing to do with it, whatever its operations are called."""

CLEARLY_MOST = 0.65
"""Time that is measured in two separate runs needs this share: a busy machine may have slowed down one of them."""

SMALL_LAUNCHES = 15
"""An operation that takes at most this many times the least launch is small, whatever it does."""

FEW_BYTES_LAUNCHES = 100
"""An operation on few bytes may take this many times the least launch and still be small, because the machine may be busy."""

SLOW_BYTE_S, CHEAP_BYTE_S = 1.5e-9, 0.3e-9
"""Seconds that an elementwise operation needs at most for one byte, and those that a cheap one needs."""

COMPILED_CALL_S = 3e-4
"""Seconds that a call of compiled code takes at most if it has little to do, also on a busy machine."""

GRAPH_CALL_S, GRAPH_OPERATION_S = 3e-3, 3e-5
"""Seconds that a call of a graph takes at most around its operations, and those to start one of its operations."""

REPEATED = 2.0
"""A line that moves this many times the bytes that it must move has bytes to save."""

PRODUCTS_SHOWN = 1 / 3
"""Multiplication is shown to take the time if it needs this share of it even at the machine's multiply peak."""

REREADS = 3
"""A loop that reads the same tensor in at least this many iterations groups or searches by hand."""

MOVES = ("copy", "reorder", "pick")
"""The kinds of operations that only move bytes."""

COMPUTES = ("math", "search")
"""The kinds of operations whose arithmetic takes longer than their bytes."""


def is_near_its_floor(line: LineMeasurements) -> bool:
    """Whether the line takes about its floor; not if it moved many bytes in less time than that takes, so that a limit is too low."""
    contradicts = line.memory_s >= NEAR_FLOOR * line.seconds and _moved(line) >= REPEATED * line.must_touch
    return 0 < line.floor_s and line.seconds <= NEAR_FLOOR * line.floor_s and (line.is_compiled or not contradicts)


def converts_python_objects(line: LineMeasurements) -> bool:
    return line.conversion_s > 0 and line.conversion_s >= MOST * line.seconds


def transfers(line: LineMeasurements) -> bool:
    """Whether it moves values between NumPy, or another device, and tensors, and does little else."""
    causes = line.work.sync_causes
    numpy = causes.get(".numpy()", 0) + causes.get("NumPy on a tensor", 0) + line.work.conversions.get("ndarray", 0)
    asks_numpy = bool(numpy) or (line.names_numpy and line.work.launches > 0)
    if asks_numpy and not line.has_comprehension and line.python_s >= MUCH * line.seconds:
        return True
    starts_little = line.work.launches <= 2 * line.work.transfers + 2
    copies = line.share_of("copy") * line.operation_s >= MOST * line.seconds
    return bool(asks_numpy or line.work.transfers) and (copies or starts_little and not line.work.syncs)


def synchronizes(line: LineMeasurements) -> bool:
    """Whether synchronizations explain it: not if other operations outnumber them, or if it takes far longer than they can."""
    if line.parts_s("overhead") >= MOST * line.seconds:
        return False
    few_operations = line.work.launches <= line.launches_per_wait * line.waits
    # A comprehension may synchronize once and then compute in Python for each value.
    share = 0.1 if line.has_comprehension else 1 / FEW_BYTES_LAUNCHES
    return few_operations and line.waits > 0 and line.sync_s >= share * line.seconds


def runs_no_operation(line: LineMeasurements) -> bool:
    return line.work.launches == 0 or line.share_of("mark") == 1.0


def calls_compiled_code_for_little(line: LineMeasurements) -> bool:
    """Whether the call of compiled code takes most of its time: the guard check, and the Python code around the kernels."""
    if line.parts:
        overhead_s = line.parts_s("overhead")
        # A busy machine may delay the threads of a graph, which is not work of the call. A kernel runs many operations as one.
        started = 0 if line.parts_s("kernel") else line.work.ops
        most_s = GRAPH_CALL_S * max(1, line.work.runs) + GRAPH_OPERATION_S * started
        return overhead_s >= MOST * line.seconds and (line.checks_guards or overhead_s <= most_s)
    if not line.is_compiled or line.memory_s + line.page_fault_s >= MUCH * line.seconds:
        return False
    has_little_to_do = line.share_of("cheap", *MOVES) >= MOST or _has_few_bytes(line)
    return has_little_to_do and line.seconds <= COMPILED_CALL_S * max(1, line.work.runs)


def launches_small_operations(line: LineMeasurements) -> bool:
    # Operations that move many bytes are not small if the hardware needs a noticeable share of their time.
    if line.is_compiled or line.hardware_s >= (MUCH if _has_few_bytes(line) else LITTLE) * line.seconds:
        return False
    most = FEW_BYTES_LAUNCHES if _has_few_bytes(line) else SMALL_LAUNCHES
    return line.seconds <= most * line.launch_s


def launches_a_small_chain(line: LineMeasurements) -> bool:
    """Whether its small operations are written out and run once: the line contains no loop that could be removed."""
    once = line.work.runs == 1 and not line.has_comprehension
    return launches_small_operations(line) and once and line.work.launches <= 2 * line.operations_written


def runs_mostly_python(line: LineMeasurements) -> bool:
    """Whether most of its time is outside its operations, and its source contains something else that takes time."""
    only_operations = line.operations_written * line.work.runs <= line.work.launches and not line.has_comprehension
    if only_operations and not line.work.library_calls:
        return False  # Both times are from separate runs, which a busy machine slows down differently.
    return line.python_s >= CLEARLY_MOST * line.seconds + SMALL_LAUNCHES * line.launch_s


def copies_a_growing_result(line: LineMeasurements) -> bool:
    return not line.is_compiled and line.work.grown_bytes >= MOST * max(1, line.work.bytes)


def allocates(line: LineMeasurements) -> bool:
    return line.page_fault_s >= MOST * line.seconds


def rereads_for_each_group(line: LineMeasurements) -> bool:
    """Whether a loop compares the same tensor with one value after another, as one does to group values by a label."""
    compares = any(name in ("eq", "Equal") for name in line.work.operation_seconds)
    repeats = line.work.runs >= REREADS and line.work.reads >= REREADS * line.work.minimum_traffic.reads
    return not line.is_compiled and compares and repeats and line.work.minimum_traffic.reads > 0


def moves_values_again(line: LineMeasurements) -> bool:
    return moves_values(line) and _moved(line) >= REPEATED * line.must_touch


def moves_values(line: LineMeasurements) -> bool:
    """Whether most of its time is in operations that select or reorder values: those compute nothing."""
    inside = line.operation_s >= MOST * line.seconds
    return (
        not line.is_compiled and inside and line.share_of("reorder", "pick") >= MOST and line.share_of(*MOVES) >= MOST
    )


def is_bound_by_memory(line: LineMeasurements) -> bool:
    """Whether memory takes most of its time: by the bytes that it moves, or because its operations do little else."""
    if line.is_compiled:
        return False
    memory_s, inside = line.memory_s + line.page_fault_s, line.operation_s >= MOST * line.seconds
    only_moves = inside and line.share_of(*MOVES) >= CLEARLY_MOST
    computes_little = inside and line.share_of("cheap", *MOVES) >= CLEARLY_MOST and memory_s >= MUCH * line.seconds
    return only_moves or computes_little or memory_s >= MOST * line.seconds


def passes_again_over_memory(line: LineMeasurements) -> bool:
    """Whether its operations do little but move bytes, and move the same bytes repeatedly."""
    inside = line.operation_s >= MOST * line.seconds and line.share_of("cheap", *MOVES) >= CLEARLY_MOST
    plausible = inside and line.memory_s + line.page_fault_s >= LITTLE * line.seconds
    repeats = _moved(line) >= REPEATED * line.must_touch
    return not line.is_compiled and repeats and (plausible or is_bound_by_memory(line))


def multiplies(line: LineMeasurements) -> bool:
    in_products = not line.parts or line.parts_s("product") >= MOST * line.seconds
    return in_products and line.product_s >= PRODUCTS_SHOWN * line.seconds


def runs_kernels_bound_by_memory(line: LineMeasurements) -> bool:
    """Whether generated kernels take most of its time, and memory most of theirs; or much, if they do little but move bytes."""
    kernels_s = line.parts_s("kernel")
    moves = line.share_of("cheap", *MOVES) >= CLEARLY_MOST and line.floor_s >= MUCH * line.seconds
    return kernels_s >= MOST * line.seconds and (sum(line.parts_memory_s) >= MOST * kernels_s or moves)


def runs_computing_parts(line: LineMeasurements) -> bool:
    """Whether most of its time is shown to be arithmetic: multiplications, elementary functions, sorting."""
    computing_s = sum(part.seconds for part in line.computing_parts)
    shown_s = computing_s + min(line.product_s, line.parts_s("product"))
    # Compiled code moves no more bytes than the code as it is written.
    memory_s = min(line.most_parts_memory_s, line.parts_memory_by_cheap_ones_s)
    in_memory = not line.kernel_bytes and memory_s + line.page_fault_s >= MOST * line.seconds
    return computing_s > 0 and shown_s >= MOST * line.seconds and not in_memory or runs_long_arithmetic(line)


def runs_long_arithmetic(line: LineMeasurements) -> bool:
    """Whether generated kernels take most of its time, and the operations written for each element need much of it at the peak."""
    kernels_s = line.parts_s("kernel")
    return kernels_s >= MOST * line.seconds and line.arithmetic_s >= PRODUCTS_SHOWN * line.seconds


def runs_moving_parts(line: LineMeasurements) -> bool:
    """Whether most of its time is in operations of compiled code that only move bytes."""
    moving_s = sum(line.parts_s(kind) for kind in MOVES)
    return bool(line.parts) and moving_s >= MOST * line.seconds


def runs_cheap_parts_in_memory(line: LineMeasurements) -> bool:
    """Whether a graph runs cheap operations one by one, and memory takes most of their time."""
    cheap_s = sum(line.parts_s(kind) for kind in ("cheap", *MOVES))
    in_memory = line.least_parts_memory_s + line.page_fault_s >= MOST * line.seconds
    return cheap_s >= MOST * line.seconds and in_memory and not line.parts_s("kernel")


def computes(line: LineMeasurements) -> bool:
    """Whether most of its time is in operations with long arithmetic, and their bytes would take far less."""
    if line.is_compiled:
        return False
    memory_s = line.memory_s + line.page_fault_s
    computing_s = line.product_s + line.share_of(*COMPUTES) * line.operation_s
    return computing_s >= MOST * line.seconds and memory_s < MOST * line.seconds


def _has_few_bytes(line: LineMeasurements) -> bool:
    byte_s = CHEAP_BYTE_S if line.share_of("cheap", *MOVES) >= CLEARLY_MOST else SLOW_BYTE_S
    return byte_s * _moved(line) < MUCH * line.seconds


def _moved(line: LineMeasurements) -> int:
    return line.work.reads + line.work.writes
