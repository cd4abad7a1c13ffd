"""A pool of processes that returns results in the order of the items, and carries errors.

The first item takes the longest, and each result names the process that computed it.
"""

from __future__ import annotations

import multiprocessing
import os
import time

from course_utils.core.wording import pluralize
from course_utils.tasks.task import Case, Task
from course_utils.tasks.unwrap import items, prose

DELAY_S = 0.12


def ordered_map_slow(fn, items, workers):
    """The results of fn for all items, in the order of the items; one after the other."""
    results = []
    for item in items:
        results.append(fn(item))
    return results


def squared_root(item):
    """The square root of an integer, and the process that computed it; the first item of a list takes the longest."""
    position, number = item
    time.sleep(0.0 if position else DELAY_S)
    if number < 0:
        raise ValueError(f"{number} has no square root")
    return number**0.5, os.getpid()


_running_before: set[int | None] = set()


def _inputs(generator, count, workers=2):
    _running_before.clear()
    _running_before.update(child.pid for child in multiprocessing.active_children())
    numbers = generator.choice(1000, size=count, replace=False).tolist()
    # Items that are not in sorted order: an answer that sorts its results is wrong.
    return squared_root, list(zip([0, *range(count - 1, 0, -1)], numbers)), workers


def _with_negative(generator):
    fn, numbered, workers = _inputs(generator, 3)
    return fn, [*numbered, (3, -4)], workers


def judge_results(given, expected, inputs):
    """None if ``given`` holds the expected values in order, from at most ``workers`` other processes, which have ended."""
    _, _, workers = inputs
    if given is None:
        return "The result is None; is `return` missing?"
    if not isinstance(given, list):
        return f"The result has type {type(given).__name__}: return a list."
    values, wanted = [value for value, _ in given], [value for value, _ in expected]
    if values != wanted and sorted(values) == sorted(wanted):
        return "The results are in another order than the items: the first item takes the longest, and its result comes first."
    if values != wanted:
        return f"Expected {pluralize(len(wanted), 'result')}, {wanted}, got {values}."
    processes = {process for _, process in given}
    if os.getpid() in processes:
        return "Some results were computed in this process, perhaps in a thread: give the items to a pool of processes."
    if len(processes) > workers:
        return f"The items were computed in {len(processes)} processes; `workers` is {workers}."
    if any(child.pid not in _running_before for child in multiprocessing.active_children()):
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
    same=judge_results,
    several_processes=True,
    edge_cases=(
        Case("an empty list", lambda generator: _inputs(generator, 0)),
        Case("a single worker", lambda generator: _inputs(generator, 3, workers=1)),
    ),
    worst=(Case("two items, of which the second is ready first", lambda generator: _inputs(generator, 2)),),
    raises=((Case("an item whose function raises ValueError", _with_negative), ValueError),),
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
        - `fn` can be sent to another process, and so can each item and each result. `items` may be empty.
        - Each item is computed in a process other than this one. There are at most `workers` such processes, and they
          have ended when the function returns.
        - If `fn` raises an error, the function raises it.
        """
    ),
    hints=items(
        """
        - The results of a pool arrive in any order, but a pool can return them in the order of the items.
        - `concurrent.futures.ProcessPoolExecutor` and `multiprocessing.Pool` both have a method `map` that keeps the
          order and raises the errors of `fn`.
        - Within `with ProcessPoolExecutor(workers) as pool:`, return `list(pool.map(fn, items))`.
        """
    ),
    sources=("S4.3",),
)
