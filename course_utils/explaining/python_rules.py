"""The rules that decide whether Python, and not the operations that it calls, takes a line's time."""

from __future__ import annotations

from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.thresholds import (
    CALL_LAUNCHES,
    CLEARLY_MOST,
    FRAMEWORK_CALL_S,
    INTERPRETED_S,
    MOST,
    MUCH,
    OTHER_WRITTEN,
    PYTHON_FUNCTION_S,
    REPEATED,
    SLOW_BYTE_S,
    SMALL_LAUNCHES,
)


def converts_python_objects(line: LineMeasurements) -> bool:
    """Return whether the conversion takes most of the line's time, or much of it if the line does nothing else."""
    only_converts = line.work.launches == line.work.python_calls == 0 and not line.has_comprehension
    return line.conversion_s > 0 and line.conversion_s >= (MUCH if only_converts else MOST) * line.seconds


def has_other_code(line: LineMeasurements) -> bool:
    """Return whether the line also runs Python code that starts no operation."""
    return _runs_functions_or_loops(line) or _writes_more_than_operations(line)


def _runs_functions_or_loops(line: LineMeasurements) -> bool:
    return line.has_comprehension or line.work.python_calls > line.work.launches


def _writes_more_than_operations(line: LineMeasurements) -> bool:
    return line.operations_written * line.work.runs >= OTHER_WRITTEN * line.work.launches


def _writes_only_operators(line: LineMeasurements) -> bool:
    """Return whether the source has only operators, which take little of the line's time even on Python's numbers."""
    return not line.has_longer_steps and _interpreted_s(line) < MUCH * line.seconds


def _interpreted_s(line: LineMeasurements) -> float:
    """Return the most seconds that Python typically takes for the source itself, without the functions that it calls."""
    return INTERPRETED_S * line.work.runs * (1 + line.operations_written)


def _typical_calls_s(line: LineMeasurements) -> float:
    """Return the seconds that the line's operations and calls of framework functions typically take."""
    return line.operation_s + line.launch_s + FRAMEWORK_CALL_S * _framework_calls(line)


def most_calls_s(line: LineMeasurements) -> float:
    """Return the most seconds that the line's operations and calls of framework functions take."""
    calls_s = CALL_LAUNCHES * line.launch_s + REPEATED * FRAMEWORK_CALL_S * _framework_calls(line)
    # Operations that were timed in another run may take longer here, unless they move few bytes.
    few_bytes = SLOW_BYTE_S * (line.work.reads + line.work.writes) < MUCH * line.seconds
    is_known = few_bytes or not line.are_operations_timed_apart
    operation_s = line.operation_s if is_known else line.seconds
    return operation_s + line.page_fault_s + calls_s + line.conversion_s


def _framework_calls(line: LineMeasurements) -> int:
    return line.work.library_calls - line.work.python_calls


def works_in_python(line: LineMeasurements) -> bool:
    """Return whether its operations cannot take most of its time, or far more Python functions run than its operations call."""
    has_longer_code = _writes_more_than_operations(line) and not _writes_only_operators(line)
    if line.is_compiled or line.work.hidden_work or not (_runs_functions_or_loops(line) or has_longer_code):
        return False
    functions_s = PYTHON_FUNCTION_S * line.work.python_calls
    runs_functions = functions_s >= MUCH * line.seconds and functions_s >= _typical_calls_s(line)
    return runs_functions or most_calls_s(line) <= (1 - CLEARLY_MOST) * line.seconds


def may_be_no_python(line: LineMeasurements) -> bool:
    """Return whether time outside its operations may be a pass of NumPy over an array, the release of large tensors, or a wait,
    because the interpreter does not explain it.
    """
    functions_s = REPEATED * FRAMEWORK_CALL_S * line.work.library_calls
    if line.has_comprehension or _interpreted_s(line) + functions_s >= MUCH * _outside_s(line):
        return False
    may_release = line.release_s >= MUCH * _outside_s(line)
    return line.names_numpy or line.numpy_passes > 0 or may_release or may_wait(line)


def may_wait(line: LineMeasurements) -> bool:
    """Return whether much of the line's time outside its operations may be a wait for a file, a thread or another process."""
    return line.waited_s > 0 and line.waited_s >= MUCH * _outside_s(line)


def _outside_s(line: LineMeasurements) -> float:
    return max(line.python_s, line.seconds if line.work.launches == 0 else 0.0)


def groups_in_python(line: LineMeasurements) -> bool:
    """Return whether a line without operations groups the values of a loop by a key."""
    return line.work.launches == 0 and line.groups_by_key and line.work.runs > 1


def reads_for_other_code(line: LineMeasurements) -> bool:
    """Return whether the line reads values for Python code of other libraries, as logging does, and the reads take at most
    half of its time.

    Such a line calls more of their functions than it reads values. On an accelerator, a read may wait as long as the device
    works.
    """
    calls_functions = line.has_operation_times and line.work.python_calls > line.waits > 0
    reads_s = max(most_calls_s(line), CALL_LAUNCHES * line.sync_s)
    return calls_functions and works_in_python(line) and reads_s <= MOST * line.seconds


def runs_mostly_python(line: LineMeasurements) -> bool:
    """Return whether most of its time is outside its operations, and its source has something else that takes time."""
    writes_few = line.operations_written * line.work.runs <= line.work.launches or _writes_only_operators(line)
    only_operations = writes_few and not line.has_comprehension
    if may_be_no_python(line):
        return False
    if works_in_python(line):
        return True
    if line.work.hidden_work or only_operations and not line.work.library_calls:
        return False  # No other code was seen. The two times come from different runs, which a busy machine slows down differently.
    if line.are_operations_timed_apart:
        return False  # In the call itself, the operations may have taken all of the time.
    return line.python_s >= CLEARLY_MOST * line.seconds + SMALL_LAUNCHES * line.launch_s
