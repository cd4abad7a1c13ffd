"""A pool of processes that returns results in the order of the items, and passes on errors.

The first item takes the longest, and each result names the process that computed it.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import traceback

from course_utils.core import process_announcements
from course_utils.core.errors import CourseError
from course_utils.core.wording import pluralize
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Task

DELAY_S = 0.12
_REFUSAL = "has no square root"
_COMPUTED_HERE = (
    "Some results were computed in this process, perhaps in a thread: give the items to a pool of processes."
)


def ordered_map_slow(fn, items, workers):
    """Return the results of fn for all items in their order, computed one after the other."""
    results = []
    for item in items:
        results.append(fn(item))
    return results


def squared_root(item):
    """Return the square root of an integer and the process that computed it; the first item of a list takes the longest."""
    process_announcements.announce()
    position, number = item
    time.sleep(0.0 if position else DELAY_S)
    if number is None or number < 0:
        raise (TypeError if number is None else ValueError)(f"{number} {_REFUSAL}")
    return number**0.5, os.getpid()


def is_even(item):
    """Return whether an integer is even, or None for no integer: a result may be False or None."""
    process_announcements.announce()
    return None if item is None else item % 2 == 0


def long_text(item):
    """Return a text of more than 64 kB, which a pipe holds only in parts."""
    process_announcements.announce()
    return 70_000 * str(item)


def _inputs(generator, count, workers=2):
    numbers = generator.choice(1000, size=count, replace=False).tolist()
    # Items that are not in sorted order: an answer that sorts its results is wrong.
    return squared_root, list(zip([0, *range(count - 1, 0, -1)], numbers)), workers


def _lists(generator):
    fn, numbered, workers = _inputs(generator, 2)
    return fn, [[position + 1, number] for position, number in numbered], workers


def _with_negative(generator):
    fn, numbered, workers = _inputs(generator, 3)
    return fn, [*numbered, (3, -4)], workers


def _with_none(generator):
    fn, numbered, workers = _inputs(generator, 3)
    return fn, [*numbered, (3, None)], workers


def run_pool(function, fn, items, workers):
    """Return the answer's results, and the processes that computed them.

    Raises:
        CourseError: if the answer raises an error that fn raised in this process.
    """
    ask_system = getattr(function, "computing", None)  # only the class grader's functions have it
    try:
        if ask_system is None:
            return _run_here(function, fn, items, workers)
        ask_system()  # This drops the reports of an earlier call that raised an error.
        return function(fn, items, workers), ask_system()
    except (ValueError, TypeError) as error:
        if ask_system is None:
            is_here = any(frame.f_code is fn.__code__ for frame, _ in traceback.walk_tb(error.__traceback__))
        else:
            is_here = (computing := ask_system()).caller in computing.processes
        if is_here:
            raise CourseError(_COMPUTED_HERE) from None
        if fn is squared_root and _REFUSAL not in str(error) and any(n is None or n < 0 for _, n in items):
            raise CourseError(
                f"fn raises an error whose message ends with {_REFUSAL!r}: raise the same error."
            ) from None
        raise


def _run_here(function, fn, items, workers):
    before = multiprocessing.active_children()
    results = function(fn, items, workers)
    processes = [process for _, process in results] if _are_results(results) else []
    after = multiprocessing.active_children()
    return results, process_announcements.ComputingProcesses(
        os.getpid(), processes, any(child not in before for child in after)
    )


def _are_results(values):
    """Return whether these are results of ``squared_root``."""
    return isinstance(values, list) and all(
        isinstance(each, tuple) and [type(part) for part in each] == [float, int] for each in values
    )


def judge_results(judged, expected, inputs):
    """Return None if the results are the expected ones in order, from at most ``workers`` other processes, which have
    ended."""
    fn, _, workers = inputs
    given, computing = judged
    if given is None:
        return "The result is None; is `return` missing?"
    if not isinstance(given, list):
        return f"The result has type {type(given).__name__}: return a list."
    if fn is not squared_root:  # The results don't name the processes.
        if given == expected:
            return None
        return f"Expected {pluralize(len(expected), 'result')}, {expected!r:.200}, got {given!r:.200}."
    if not _are_results(given):
        return f"The result is {given!r:.200}: return a list with the result of fn for each item."
    values, wanted = [value for value, _ in given], [value for value, _ in expected]
    if values != wanted and sorted(values) == sorted(wanted):
        return "The results are not in the order of the items: the first result belongs to the first item."
    if values != wanted:
        return f"Expected {pluralize(len(wanted), 'result')}, {wanted}, got {values}."
    if computing.caller in computing.processes or len(computing.processes) < len(given):
        return _COMPUTED_HERE
    if len(processes := {*computing.processes}) > workers:
        return (
            f"The items were computed in {len(processes)} processes, but `workers` is {workers}: "
            "use one pool of `workers` processes."
        )
    if computing.are_running:
        return "The results are right, but processes of the pool still run: use the pool in a `with` block, which ends them."
    return None


TASK = Task(
    id="ordered_map",
    title="A pool that keeps the order",
    points=2,
    level=1,
    framework="none",
    slow=ordered_map_slow,
    inputs=lambda size, generator: _inputs(generator, size),
    sizes=(4,),
    run=run_pool,
    same=judge_results,
    starts_processes=True,
    edge_cases=(
        Case("an empty list", lambda generator: _inputs(generator, 0)),
        Case("a single item", lambda generator: _inputs(generator, 1)),
        Case("a single worker", lambda generator: _inputs(generator, 3, workers=1)),
        Case("results that are False or None", lambda _: (is_even, [3, None, 5, 6], 2)),
        Case("12 items, among which many are equal", lambda _: (long_text, [i % 5 for i in range(12)], 2)),
        Case("items that are lists, which can't be keys of a dict", _lists),
    ),
    worst=(Case("two items, of which the second is ready first", lambda generator: _inputs(generator, 2)),),
    raises=(
        (Case("an item whose function raises ValueError", _with_negative), ValueError),
        (Case("an item whose function raises TypeError", _with_none), TypeError),
    ),
    count_sizes=(2, 4),
    timeout_s=40.0,
    story=prose(
        """
        A service prepares documents, one item after the other. The items are independent, so several processes can
        share them. But the service must return the results in the order of the items, although some items take longer
        than others. Write `ordered_map(fn, items, workers)`, which returns the list `[fn(item) for item in items]`,
        computed by a pool of `workers` processes.
        """
    ),
    rules=prose(
        """
        - `fn` can be sent to another process, and so can each item and each result. `items` is a list, which may be empty.
        - Each item is computed in a process other than this one. There are at most `workers` such processes in
          total, and they have ended when the function returns.
        - If `fn` raises an error, the function raises it.
        """
    ),
    hints=items(
        """
        - The results of a pool arrive in any order, but a pool can return them in the order of the items.
        - `concurrent.futures.ProcessPoolExecutor` and `multiprocessing.Pool` both have a method `map` that keeps the
          order and raises the errors of `fn`.
        - Import `ProcessPoolExecutor`. Within `with ProcessPoolExecutor(workers) as pool:`, return `list(pool.map(fn, items))`.
        """
    ),
    sources=("S4.3",),
)
