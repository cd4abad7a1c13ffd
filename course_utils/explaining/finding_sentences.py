"""The findings about a line, as the end of a sentence whose subject is the line.

``compiled_line_findings`` has those of compiled code.
"""

from __future__ import annotations

from course_utils.core.wording import count_times, enumerate_words, format_bytes, format_percent, pluralize
from course_utils.counting.operation_kinds import kind_of
from course_utils.counting.work_inside_graphs import WHOLE_GRAPH
from course_utils.explaining import python_rules, rules
from course_utils.explaining.compiled_line_parts import GUARD_CHECKS
from course_utils.explaining.line_measurements import LineMeasurements

MANY_FUNCTIONS = 50
"""If a framework calls more Python functions for each operation, they take longer than the operator calls."""

MANY_OPERANDS = 20
"""An operation on more tensors takes most of its time for creating them or passing them on."""


def describe_limit(line: LineMeasurements) -> str:
    """Return how near the line is to its limit."""
    if line.is_below_limit:
        return (
            "takes less time than this machine's limit as it was measured, so that limit is too low; press Measure again in "
            "lesson 00's `machine()`"
        )
    near = format_percent(min(1.0, line.floor_s / max(line.seconds, line.shown_s)))  # of the time that is shown
    return f"reaches {near} of this machine's limit for this work (the best rate of the framework's own operations)"


def describe_conversion(line: LineMeasurements) -> str:
    """Return which Python objects the line converts."""
    kinds = enumerate_words(sorted(kind for kind in line.work.conversion_seconds if kind != "ndarray"))
    times = sum(number for kind, number in line.work.conversions.items() if kind != "ndarray")
    return f"converts Python objects ({kinds}) to tensors value by value, {line.work.count_prefix}{count_times(times)}"


def describe_python(line: LineMeasurements) -> str:
    """Return what takes the time of a line without operations."""
    # A cause such as "NumPy on a tensor" is no code.
    causes = [cause if " " in cause else f"`{cause}`" for cause in line.work.sync_causes]
    if causes:
        library = "NumPy or Python" if line.names_numpy else "Python, or another library,"
        return f"works in {library} on values that {enumerate_words(causes)} {'reads' if len(causes) == 1 else 'read'}"
    return f"runs no tensor operation, so {_other_causes(line)} takes the time"


def describe_time_outside_operations(line: LineMeasurements) -> str:
    """Return where the time outside of operations may go: a line that calls a function also frees its tensors."""
    return f"spends most of its time outside tensor operations: in {_other_causes(line)}"


def _other_causes(line: LineMeasurements) -> str:
    causes = "NumPy, Python" if line.names_numpy else "Python, another library"
    if python_rules.may_wait(line):
        return f"{causes}, the release of memory or a wait (for a file, a thread or another process)"
    return f"{causes}, another thread or the release of memory"


def describe_transfers(line: LineMeasurements) -> str:
    """Return what the line transfers."""
    if line.work.transfers:
        return f"asks {line.work.count_prefix}{count_times(line.work.transfers)} for a tensor on a device"
    return (
        f"passes values between tensors and NumPy, {line.work.count_prefix}{count_times(line.numpy_passes)}, "
        "with little work on each"
    )


def describe_syncs(line: LineMeasurements) -> str:
    """Return how often Python needs a value; whether it then waits depends on the device."""
    causes = ", ".join(line.work.sync_causes)
    return f"needs values in Python {line.work.count_prefix}{count_times(line.work.syncs)}" + (
        f" ({causes})" if causes else ""
    )


def describe_launches(line: LineMeasurements) -> str:
    """Return how many small operations the line calls, and on how many tensors if one takes or returns many."""
    if line.work.operands > MANY_OPERANDS * line.work.launches:
        return f"calls {line.work.count_prefix}{pluralize(line.work.launches, 'operation')} on {line.work.operands:,} tensors"
    calls = f"calls {line.work.count_prefix}{pluralize(line.work.launches, 'small operation')}" + " one by one" * (
        line.work.launches > 1
    )
    if line.waits:
        calls += f" and reads {line.work.count_prefix}{pluralize(line.waits, 'value')}"
    functions = line.work.library_calls - line.work.python_calls
    runs_many = functions > MANY_FUNCTIONS * line.work.launches
    return calls + f", with {functions:,} calls of the framework's Python functions around them" * runs_many


def describe_growth(line: LineMeasurements) -> str:
    """Return that the line copies a growing result."""
    return f"copies the whole previous result into new memory, {line.work.count_prefix}{count_times(line.work.growths)}"


def describe_allocation(line: LineMeasurements) -> str:
    """Return how much memory the line allocates."""
    # A page that was just provided is in the cache, so the work on it is faster than on memory that is reused.
    is_share_known = line.page_fault_s < rules.NEARLY_ALL * line.seconds
    share = f"about {format_percent(line.page_fault_s / line.seconds)}" if is_share_known else "most"
    inside = " apart from its tensors" * line.allocates_inside
    new = f"memory{inside}" if line.is_compiled or inside else counted_bytes(line, line.work.bytes)
    return f"allocates {new}, which the system must provide page by page: {share} of its time"


def describe_rereads(line: LineMeasurements) -> str:
    """Return how many bytes a loop reads again."""
    return f"reads {counted_bytes(line, line.work.reread_bytes)} of tensors that earlier iterations have read, too"


def describe_scattered_traffic(line: LineMeasurements) -> str:
    """Return how many bytes the line could save, and which operation moves them."""
    return f"{describe_repeated_traffic(line)}, {_busiest(line)}"


def describe_repeated_traffic(line: LineMeasurements) -> str:
    """Return how many bytes the line could save."""
    return f"reads and writes {_moved(line)}, but {format_bytes(line.must_touch)} is enough"


def describe_traffic(line: LineMeasurements) -> str:
    """Return how many bytes the line moves."""
    if line.work.reads + line.work.writes > rules.NEAR_FLOOR * line.must_touch:
        return describe_repeated_traffic(line)
    return f"moves {_moved(line)} through memory, each byte about once"


def describe_short_pieces(line: LineMeasurements) -> str:
    """Return how little of the time a copy of as many neighbors would take."""
    most = format_percent((line.cold_memory_s + line.page_fault_s) / line.seconds)
    return f"copies short pieces, {_busiest(line, 'copy')}: copying as many contiguous bytes would take at most {most} of its time"


def describe_reordering(line: LineMeasurements) -> str:
    """Return which operation moves values."""
    return f"moves values to other positions, {_busiest(line)}"


def describe_strides(line: LineMeasurements) -> str:
    """Return which operation visits values that are not neighbors."""
    return f"reads or writes values that are not neighbors in memory, {_busiest(line)}"


def describe_products(line: LineMeasurements) -> str:
    """Return how fast the line multiplies."""
    # The share is that of the time that is shown; a limit that was measured too low may exceed even that.
    share = format_percent(min(1.0, line.product_s / max(line.seconds, line.shown_s)))
    return f"multiplies at {share} of this machine's peak, {_busiest(line, 'product')}"


def describe_compute(line: LineMeasurements) -> str:
    """Return which operation computes."""
    memory = format_percent(line.memory_s / line.seconds)
    kinds = "product", *rules.COMPUTES, "cheap"
    return f"spends its time on {_work(line, *kinds)}, {_busiest(line, *kinds)}; moving its bytes takes {memory} of its time"


def describe_arithmetic(line: LineMeasurements, shown_s: float | None = None) -> str:
    """Return how much of the time is shown to be arithmetic, ``arithmetic_shown_s`` by default; the overhead around kernels is
    not.
    """
    # Without kernels, the overhead also contains operations that are too short for the framework's profiler.
    overhead_s = line.parts_s("overhead") if line.parts_s("kernel") else 0.0
    shown_s = min(line.seconds - overhead_s, line.arithmetic_shown_s if shown_s is None else shown_s)
    # A trial on few values is not exact enough to show that nothing else takes time.
    is_exact = shown_s < rules.NEARLY_ALL * line.seconds
    rest = f"it would still take {format_percent(shown_s / line.seconds)} as long"
    return (
        f"spends its time on {_work(line)}, {_busiest(line)}: without the calls, and with all values in the cache, "
        f"{rest if is_exact else 'most of its time would be left'}"
    )


def describe_waiting(line: LineMeasurements) -> str:
    """Return how long the line would take if the cache held all values; what was not tried would take as long as it does."""
    share = format_percent((line.arithmetic_shown_s + line.seconds - line.tried_s) / line.seconds)
    return f"waits for memory, {_busiest(line)}: with all values in the cache, it would take about {share} as long"


def describe_unknown(line: LineMeasurements) -> str:
    """Return where the time is, as far as that is known."""
    if line.work.is_cut_short:
        return "does more than was counted, because counting took too long, so the counts do not explain its time"
    if line.parts:
        part = max(line.parts, key=lambda part: part.seconds)
        share = format_percent(part.seconds / line.seconds)
        if part.name == GUARD_CHECKS:
            times = count_times(part.calls)
            return f"spends {share} of its time in {part.name}, {times}; nothing else takes longer"
        if part.kind == "overhead":
            return f"spends {share} of its time outside the operations that the profiler lists, and the counts do not explain that"
        return f"spends {share} of its time in `{part.name}`, and the counts do not explain that"
    if line.is_compiled:
        return "runs a graph or compiled code, and the counts do not explain its time"
    if line.work.hidden_work:
        return f"runs other code in `{next(iter(line.work.hidden_work))}`, which is not seen from outside"
    if line.tried_s >= rules.CLEARLY_MOST * line.seconds and line.arithmetic_shown_s >= rules.MUCH * line.seconds:
        share = format_percent(line.arithmetic_shown_s / line.seconds)
        return (
            f"spends its time on {_work(line)} and on waiting for memory, {_busiest(line)}: with all values in the cache, it "
            f"would take at least {share} as long"
        )
    is_outside = not line.are_operations_timed_apart and line.python_s >= rules.CLEARLY_MOST * line.seconds
    if is_outside and python_rules.may_be_no_python(line):
        return describe_time_outside_operations(line)
    rest = "the operator calls, bytes and multiplications that were counted do not explain it"
    if line.operation_s >= rules.MOST * line.seconds:
        is_named = line.has_leader() or line.busiest == WHOLE_GRAPH
        inside = f"operations, {_busiest(line)}" if is_named else "several operations"
        return f"spends most of its time inside {inside}; {rest}"
    if not any(line.work.operation_seconds.values()):
        names = ", ".join(f"`{name}`" for name in list(line.work.operation_seconds)[:3])
        return f"runs {names}, which cannot be timed alone; {rest}"
    # TensorFlow's operations are timed in another run, which reuses memory: in the call they may have taken longer.
    if line.work.ops == 1:
        return f"takes longer than `{line.busiest}` takes when it is timed alone; {rest}"
    longest = f" (`{line.busiest}` takes the longest)" * line.has_leader()
    return f"takes longer than all its operations that can be timed alone take together{longest}; {rest}"


def counted_bytes(line: LineMeasurements, number: int) -> str:
    """Return a number of bytes that was counted in the line, such as "about 3 MB"."""
    return f"{line.work.count_prefix}{format_bytes(number)}"


def _moved(line: LineMeasurements) -> str:
    return counted_bytes(line, line.work.reads + line.work.writes)


def _work(line: LineMeasurements, *kinds: str) -> str:
    is_search = kind_of(line.busiest_of(*kinds)) == "search"
    return "arithmetic or comparisons" if is_search else "arithmetic"


def _busiest(line: LineMeasurements, *kinds: str) -> str:
    if line.busiest_of(*kinds) == WHOLE_GRAPH:
        return "inside its graph"
    if not line.has_leader(*kinds):
        return "in several operations"
    return f"{'mostly' if line.has_one_for_most(*kinds) else 'longest'} in `{line.busiest_of(*kinds)}`"
