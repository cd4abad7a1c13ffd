"""``compare``: contenders timed against each other, in pairs."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from course_utils.core.errors import USER_CODE_ERRORS, summarize_error
from course_utils.frameworks import devices
from course_utils.timing.clock_lock import ComparisonError, alone, no_collection
from course_utils.timing.comparison import Comparison
from course_utils.timing.session import Session
from course_utils.timing.stopwatch import stopwatch


def compare(
    contenders: Mapping[str, Callable],
    args: tuple | Callable[[], tuple] = (),
    *,
    baseline: str | None = None,
    device: str = "cpu",
    threads: int = 1,
    budget_s: float = 3.0,
    min_rounds: int = 9,
    on_progress: Callable[[float, Callable[[], Comparison]], None] | None = None,
    cancel: threading.Event | None = None,
) -> Comparison:
    """Time ``contenders`` against each other, in pairs.

    On the CPU calls follow each other and find warm caches; on an accelerator each call finds its caches flushed.

    Args:
        contenders: name → function; each is called with ``args``.
        args: the arguments, or a function that makes fresh ones; it is called before each block, off the clock.
        baseline: the contender to take ratios against; the first one unless told.
        device: ``"cpu"``, ``"cuda:0"``, …
        threads: threads an operation may use on the CPU.
        budget_s: seconds to spend; never more than twice this, unless one call alone takes longer.
        min_rounds: paired rounds below which there is no interval and the verdict is ``unclear``.
        on_progress: called between rounds with the share of the budget that is used, from 0 to 1, and a function that
            returns the ``Comparison`` so far. Nothing is timed until it returns, so it may draw.
        cancel: an event; once set, the comparison ends between two calls and returns what it has.

    Raises:
        ComparisonError: for arguments that cannot be timed, in one sentence.
        devices.DeviceMissing: when the device is not there.

    >>> found = compare({"loop": lambda: [i for i in range(99)], "list": lambda: list(range(99))}, budget_s=0.05)
    >>> found.verdict("loop")
    'same'
    """
    _validate(contenders, args, baseline, budget_s, min_rounds, threads)
    device = devices.require(device)
    with alone(cancel), devices.threads(threads) as in_force, no_collection():
        session = Session(
            contenders=dict(contenders),
            make_args=partial(_made, args) if callable(args) else lambda: args,
            baseline=next(iter(contenders)) if baseline is None else baseline,
            stopwatch=stopwatch(device),
            shuffle=random.Random().shuffle,
            budget_s=budget_s,
            min_rounds=min_rounds,
            on_progress=on_progress or (lambda share, so_far: None),
            cancelled=cancel.is_set if cancel is not None else lambda: False,
            device=device,
            threads=in_force,
        )
        session.run()
    return session.result()


def _made(args: Callable[[], tuple]) -> tuple:
    try:
        made = args()
    except USER_CODE_ERRORS as error:
        raise ComparisonError(f"The function that makes the arguments raised {summarize_error(error)}") from error
    if not isinstance(made, (tuple, list)):
        raise ComparisonError(
            f"The function that makes the arguments returned {_short(made)}, which is no tuple; end it with return (x,)."
        )
    return made


def _validate(contenders: Any, args: Any, baseline: Any, budget_s: float, min_rounds: int, threads: int) -> None:
    if not isinstance(contenders, Mapping) or not contenders:
        raise ComparisonError(
            f'There is nothing to compare in {contenders!r}; give at least one contender, as in {{"slow": slow}}.'
        )
    for name, function in contenders.items():
        if not callable(function):
            raise ComparisonError(
                f"The contender {name!r} is {_short(function)}, which cannot be called; give the function itself, "
                "without parentheses after its name."
            )
    if not callable(args) and not isinstance(args, (tuple, list)):
        raise ComparisonError(
            f"args is {_short(args)}, which is no tuple; write args=(x,) for one argument x, or give a function that makes them."
        )
    if baseline is not None and baseline not in contenders:
        raise ComparisonError(f"The baseline {baseline!r} is no contender; choose one of: {', '.join(contenders)}.")
    if not isinstance(budget_s, (int, float)) or not budget_s > 0:
        raise ComparisonError(f"A budget of {budget_s!r} seconds leaves no time to measure; give a number above 0.")
    if not isinstance(min_rounds, int) or min_rounds < 2:
        raise ComparisonError(f"min_rounds={min_rounds!r} allows no interval; give 2 or more.")
    if not isinstance(threads, int) or threads < 1:
        raise ComparisonError(f"threads={threads!r} cannot compute anything; give 1 or more.")


def _short(value: Any) -> str:
    text = repr(value).splitlines()[0]
    return text if len(text) <= 40 else f"a {type(value).__name__}"
