"""``compare``: times contenders in interleaved rounds."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from course_utils import frameworks
from course_utils.core.errors import USER_CODE_ERRORS, summarize_error
from course_utils.core.measurement_budgets import LONGEST_BUDGET_S
from course_utils.frameworks import across_frameworks, devices, tensor_trees
from course_utils.timing.comparison import Comparison
from course_utils.timing.comparison_lock import ComparisonError, exclusive_clock, no_garbage_collection
from course_utils.timing.comparison_run import ComparisonRun
from course_utils.timing.stopwatch import stopwatch


def compare(
    contenders: Mapping[str, Callable],
    args: tuple | Callable[[], tuple] = (),
    *,
    baseline: str | None = None,
    device: str | None = None,
    threads: int = 1,
    budget_s: float = 3.0,
    min_rounds: int = 9,
    on_progress: Callable[[float, Callable[[], Comparison]], None] | None = None,
    cancel: threading.Event | None = None,
    calls_per_block: int | None = None,
) -> Comparison:
    """Return the times of ``contenders`` and their ratios, measured in interleaved rounds.

    On the CPU, calls follow each other with warm caches; on an accelerator, caches are flushed before each call. A call
    that compiles code, as after a change of threads, gradient mode or shapes, is left out of the times and reported in
    a note.

    Args:
        contenders: name → function; each is called with ``args``.
        args: the arguments, or a function that makes new ones; it is called before each block, outside the measurement.
        baseline: the contender that ratios are relative to; by default the first one.
        device: ``"cpu"``, ``"cuda:0"``, …; by default the device of the tensors in ``args``, or else the CPU.
        threads: how many threads an operation may use on the CPU; TensorFlow's first operation fixes the number.
        budget_s: seconds to spend, without compiling; the comparison takes at most twice as long, unless a single call takes
            longer. A contender is not run if the others have used the whole budget.
        min_rounds: with fewer paired rounds there is no interval, and the verdict is ``unclear``.
        on_progress: called between rounds with the share of the budget that is used, from 0 to 1, and a function that
            returns the ``Comparison`` so far. Timing pauses until it returns, so it may draw.
        cancel: an event; when it is set, the comparison ends after the current block and returns what it has.
        calls_per_block: the most consecutive calls with the same arguments; None derives it from their time.

    Raises:
        ComparisonError: an argument cannot be used.
        devices.DeviceMissing: this machine doesn't have the device.

    >>> result = compare({"loop": lambda: [i for i in range(99)], "list": lambda: list(range(99))}, budget_s=0.05)
    >>> result.verdict("loop")
    'same'
    """
    _validate(contenders, args, baseline, budget_s, min_rounds, threads)
    device = devices.require(device) if device else tensor_trees.device_of(() if callable(args) else args)
    with (
        exclusive_clock(cancel),
        across_frameworks.threads(threads) as thread_count,
        no_garbage_collection(),
        across_frameworks.device_scope(device),
    ):
        run = ComparisonRun(
            contenders=dict(contenders),
            make_args=partial(_make_args, args) if callable(args) else lambda: args,
            baseline=next(iter(contenders)) if baseline is None else baseline,
            stopwatch=stopwatch(device),
            shuffle=random.Random().shuffle,
            budget_s=min(budget_s, LONGEST_BUDGET_S),
            min_rounds=min_rounds,
            on_progress=on_progress or (lambda share, so_far: None),
            compilation_count=frameworks.compilation_count,
            cancelled=cancel.is_set if cancel is not None else lambda: False,
            device=device,
            threads=thread_count,
            calls_per_block=calls_per_block,
        )
        run.run()
    return run.result()


def _make_args(make: Callable[[], tuple]) -> tuple:
    try:
        args = make()
    except USER_CODE_ERRORS as error:
        raise ComparisonError(f"The function that makes the arguments raised {summarize_error(error)}") from error
    if not isinstance(args, (tuple, list)):
        raise ComparisonError(
            f"The function that makes the arguments returned {_short(args)}, which is not a tuple; end it with `return "
            "(x,)`."
        )
    return args


def _validate(contenders: Any, args: Any, baseline: Any, budget_s: float, min_rounds: int, threads: int) -> None:
    if not isinstance(contenders, Mapping) or not contenders:
        raise ComparisonError(
            f'There is nothing to compare in {contenders!r}; pass at least one contender, as in {{"slow": slow}}.'
        )
    for name, function in contenders.items():
        if not callable(function):
            raise ComparisonError(
                f"The contender {name!r} is {_short(function)}, which is not a function; pass the function itself, "
                "without parentheses after its name."
            )
    if not callable(args) and not isinstance(args, (tuple, list)):
        raise ComparisonError(
            f"args is {_short(args)}, which is not a tuple; write args=(x,) for one argument x, or pass a function "
            "that makes them."
        )
    if baseline is not None and baseline not in contenders:
        raise ComparisonError(f"The baseline {baseline!r} is not a contender; choose one of: {', '.join(contenders)}.")
    if not isinstance(budget_s, (int, float)) or not budget_s > 0:
        raise ComparisonError(f"budget_s must be above 0; got {budget_s!r}.")
    if not isinstance(min_rounds, int) or min_rounds < 2:
        raise ComparisonError(f"min_rounds must be an integer of 2 or more; got {min_rounds!r}.")
    if not isinstance(threads, int) or threads < 1:
        raise ComparisonError(f"threads must be an integer of 1 or more; got {threads!r}.")


def _short(value: Any) -> str:
    text = repr(value).splitlines()[0]
    return text if len(text) <= 40 else f"a {type(value).__name__}"
