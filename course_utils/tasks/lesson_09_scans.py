"""The exercises of lesson 09: loops in which each step needs the one before, and which are scans all the same.

The limits on operations leave room for every kind of scan, doubling and pairing included, and for no loop over the rows.
"""

from __future__ import annotations

import torch

from course_utils.tasks.prose import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import every_second, normal, uniform, whole

INF = float("inf")
NAN = float("nan")
_COUNT_SIZES = (64, 1024)
_MAX_OPS = 400  # a scan of pairs over 1,024 rows takes about 300, the loop thousands
_RACE_SIZE = 4096


def _columns(rows):
    """Few where values are shown; where few rows are counted so many that a loop over the columns is seen, too."""
    return 2 if rows <= 17 else 512 if rows == min(_COUNT_SIZES) else 8


def running_total_slow(x):
    """Row t of the result is the sum of the rows 0 to t of x."""
    result = torch.empty_like(x)
    total = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        total = total + x[t]
        result[t] = total
    return result


def decayed_sum_slow(x, decay):
    """Row t of the result is row t of x, plus decay times the result's row before."""
    result = torch.empty_like(x)
    state = torch.zeros(x.shape[1:], dtype=x.dtype, device=x.device)
    for t in range(len(x)):
        state = decay * state + x[t]
        result[t] = state
    return result


def max_drawdown_slow(prices):
    """Per column the largest fall from a price to one of the same or a later day."""
    peak = prices[0]
    worst = torch.zeros_like(peak)
    for t in range(len(prices)):
        peak = torch.maximum(peak, prices[t])
        worst = torch.maximum(worst, peak - prices[t])
    return worst


def queue_wait_slow(change):
    """How long each queue is after every step; it changes as told, but not below 0."""
    result = torch.empty_like(change)
    queue = torch.zeros(change.shape[1:], dtype=change.dtype, device=change.device)
    for t in range(len(change)):
        queue = (queue + change[t]).clamp(min=0)
        result[t] = queue
    return result


def _powers(x, decay):
    return (decay ** torch.arange(len(x), dtype=x.dtype, device=x.device)).view(-1, *[1] * (x.dim() - 1))


def _shapes(make):
    """The cases of shape and memory that every task along the rows shares; ``make(x)`` gives the arguments."""
    return (
        Case("no rows", lambda generator: make(normal(generator, 0, 3))),
        Case("no columns", lambda generator: make(normal(generator, 4, 0))),
        Case("one row", lambda generator: make(normal(generator, 1, 3))),
        Case("a single series, without columns", lambda generator: make(normal(generator, 6))),
        Case("three dimensions", lambda generator: make(normal(generator, 5, 2, 3))),
        Case("a matrix turned on its side", lambda generator: make(normal(generator, 3, 5).T)),
        Case("every second column of a wider matrix", lambda generator: make(every_second(normal(generator, 5, 2)))),
        Case("float64 values", lambda generator: make(normal(generator, 6, 2, dtype=torch.float64))),
    )


RUNNING_TOTAL = Task(
    id="running_total",
    title="The balance after every day",
    points=1,
    lesson="09_scans",
    slow=running_total_slow,
    inputs=lambda size, generator: (normal(generator, size, _columns(size)),),
    edge_cases=(
        *_shapes(lambda x: (x,)),
        Case("int64 values", lambda generator: (whole(generator, -9, 10, 5, 2),)),
        Case("int32 values", lambda generator: (whole(generator, -9, 10, 5, 2, dtype=torch.int32),)),
        Case("int64 values beyond float64", lambda _: (torch.tensor([[2**53, 1], [1, 1], [1, 1]]),)),
        Case("infinity and NaN", lambda _: (torch.tensor([[1.0, 1.0], [INF, NAN], [2.0, 2.0], [-INF, 3.0]]),)),
    ),
    count_sizes=_COUNT_SIZES,
    race_size=_RACE_SIZE,
    story=prose(
        """
        Each row of `x` is a day, each column an account, each number what was paid in or taken out. Write
        `running_total(x)`: row `t` of the result holds the balances after day `t`.
        """
    ),
    counts=prose(
        """
        - The sum runs along dimension 0, whatever other dimensions `x` has, and includes the row itself. Shape and dtype
        are those of `x`; `x` itself stays as it was.
        - `x` may also have one row, or none.
        - At most 400 tensor operations, also for 1,024 rows.
        """
    ),
    max_ops=_MAX_OPS,
    target=10.0,
    hints=items(
        """
        - What combines two steps into one is plain addition. Which operation of the lesson is the scan with +?
        - `torch.cumsum` along dimension 0 does it. Then look at the dtype of its result when `x` is int32.
        - `torch.cumsum(x, dim=0, dtype=x.dtype)`.
        """
    ),
    mistakes=(
        Mistake("This is the sum up to, but without, the current row.", lambda x: running_total_slow(x) - x),
        Mistake(
            "The sum runs along the last dimension; it should run along dimension 0.",
            lambda x: x.cumsum(-1, dtype=x.dtype),
        ),
        Mistake(
            "The sum runs from the end: row t holds what is still to come.",
            lambda x: running_total_slow(x.flip(0)).flip(0),
        ),
        Mistake("This is the sum of all rows, in every row.", lambda x: x.sum(0, keepdim=True).expand_as(x).clone()),
        Mistake(
            "`cumsum` turns int32 into int64: pass dtype=x.dtype.",
            lambda x: x.cumsum(0),
        ),
    ),
    sources=("S0.1", "S0.5"),
)

DECAYED_SUM = Task(
    id="decayed_sum",
    title="A memory that fades",
    points=4,
    lesson="09_scans",
    slow=decayed_sum_slow,
    inputs=lambda size, generator: (
        normal(generator, size, _columns(size)),
        round(float(generator.uniform(0.5, 0.95)), 2),
    ),
    edge_cases=(
        *_shapes(lambda x: (x, 0.75)),
        Case("decay 0, which forgets at once", lambda generator: (normal(generator, 5, 2), 0.0)),
        Case("decay 1, which forgets nothing", lambda generator: (normal(generator, 5, 2), 1.0)),
        Case("decay 0.999 over 3,000 steps", lambda generator: (normal(generator, 3000, 2), 0.999)),
        Case("decay 0.9 over 3,000 steps", lambda generator: (normal(generator, 3000, 2), 0.9)),
        Case("float64 values over 500 steps", lambda generator: (normal(generator, 500, 2, dtype=torch.float64), 0.9)),
        Case("decay 0.5 over 2,000 steps", lambda generator: (normal(generator, 2000, 2), 0.5)),
    ),
    count_sizes=_COUNT_SIZES,
    race_size=_RACE_SIZE,
    story=prose(
        """
        A sensor's reading jumps, and a smoothed one is wanted that forgets: at each step what is remembered shrinks to
        `decay` times itself, and the new reading is added. Write `decayed_sum(x, decay)` with
        `y[t] = decay * y[t-1] + x[t]`, and `y[0] = x[0]`.
        """
    ),
    counts=prose(
        """
        - Time runs along dimension 0, whatever other dimensions `x` has. `x` holds finite floating-point numbers, `decay`
        is a Python number from 0 to 1, both included. Shape and dtype are those of `x`; `x` itself stays as it was.
        - `x` may also have one row, or none. The result always has memory of its own: it is neither `x` nor a view of it.
        - Right for thousands of steps, and as exact as the loop.
        - At most 400 tensor operations, also for 1,024 rows, and no matrix of rows × rows.
        """
    ),
    max_ops=_MAX_OPS,
    max_bytes=lambda x, decay: 64 * x.numel() * x.element_size() + 2**20,
    target=5.0,
    hints=items(
        """
        - Suppose that every y already remembers the last k rows. How do you get from there, in one step for all rows,
          to a y that remembers the last 2k?
        - What y[t] still lacks is what y[t-k] remembers, k steps older: decay**k times that. The first k rows lack
          nothing. Begin with y = x and k = 1, and double k until it covers all rows.
        - In each round y = torch.cat([y[:k], y[k:] + decay**k * y[:-k]]); k is 1, 2, 4, … while k < len(x). For one
          row no round runs: begin with x.clone(), or the result is the input itself.
        """
    ),
    mistakes=(
        Mistake(
            "Dividing by powers of decay loses everything: after enough steps they are 0 in this dtype, and the result is "
            "no number.",
            lambda x, decay: _powers(x, decay) * torch.cumsum(x / _powers(x, decay), 0),
        ),
        Mistake(
            "Off by one power: the row itself is multiplied by decay, too.",
            lambda x, decay: decay * decayed_sum_slow(x, decay),
        ),
        Mistake(
            "This is the average that fades: new rows are multiplied by 1 - decay; here they are added as they are.",
            lambda x, decay: (1 - decay) * decayed_sum_slow(x, decay),
        ),
        Mistake(
            "This is what is remembered before the current row is added.",
            lambda x, decay: decayed_sum_slow(x, decay) - x,
        ),
        Mistake("Nothing fades: this is the running sum.", lambda x, decay: x.cumsum(0)),
        Mistake(
            "Only the row before is remembered: the first round of doubling, without the others.",
            lambda x, decay: torch.cat([x[:1], x[1:] + decay * x[:-1]]),
        ),
        Mistake(
            "Each round multiplies by decay; rows that are k steps apart need decay**k.",
            lambda x, decay: _doubling(x, lambda k: decay),
        ),
        Mistake(
            "The sum runs along the last dimension; it should run along dimension 0.",
            lambda x, decay: decayed_sum_slow(x.movedim(-1, 0), decay).movedim(0, -1),
        ),
        Mistake(
            "Time runs backwards: row t remembers later rows.",
            lambda x, decay: decayed_sum_slow(x.flip(0), decay).flip(0),
        ),
    ),
    sources=("S0.1",),
)


def _doubling(x, factor):
    y, k = x.clone(), 1
    while k < len(x):
        y = torch.cat([y[:k], y[k:] + factor(k) * y[:-k]])
        k *= 2
    return y


MAX_DRAWDOWN = Task(
    id="max_drawdown",
    title="The worst time to have bought",
    points=2,
    lesson="09_scans",
    slow=max_drawdown_slow,
    inputs=lambda size, generator: (100 + normal(generator, size, _columns(size)).cumsum(0),),
    edge_cases=(
        Case("one day", lambda generator: (uniform(generator, 10, 20, 1, 3),)),
        Case("no columns", lambda generator: (normal(generator, 4, 0),)),
        Case("prices that only rise", lambda _: (torch.tensor([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]),)),
        Case("prices that only fall", lambda _: (torch.tensor([[3.0, 9.0], [2.0, 6.0], [1.0, 5.0]]),)),
        Case("the lowest price before the highest", lambda _: (torch.tensor([[1.0], [9.0], [8.0]]),)),
        Case(
            "a deep fall early, a shallow one from a higher peak",
            lambda _: (torch.tensor([[5.0], [1.0], [9.0], [8.0]]),),
        ),
        Case("a fall and a full recovery", lambda _: (torch.tensor([[5.0], [2.0], [5.0]]),)),
        Case("prices below zero", lambda generator: (normal(generator, 6, 2) - 50,)),
        Case("a matrix turned on its side", lambda generator: (normal(generator, 3, 5).T,)),
        Case("every second column of a wider matrix", lambda generator: (every_second(normal(generator, 5, 2)),)),
        Case("float64 values", lambda generator: (normal(generator, 6, 2, dtype=torch.float64),)),
        Case("whole numbers", lambda generator: (whole(generator, 1, 100, 6, 2),)),
    ),
    count_sizes=_COUNT_SIZES,
    race_size=_RACE_SIZE,
    story=prose(
        """
        Somebody bought at some day and looked at the price on a later one. How much can they have lost at the worst? Each row
        of `prices` is a day, each column a share. Write `max_drawdown(prices)`: for each column the largest fall from a
        price to a later one, or 0 where the price never falls.
        """
    ),
    counts=prose(
        """
        - `prices` has the shape (days, columns), with at least one day; the result has the shape (columns,) and the
        dtype of `prices`. Falls are differences, not percentages. `prices` itself stays as it was.
        - At most 400 tensor operations, also for 1,024 days; and memory in proportion to `prices`: no table of all pairs
        of days.
        """
    ),
    max_ops=_MAX_OPS,
    max_bytes=lambda prices: 64 * prices.numel() * prices.element_size() + 2**20,
    target=10.0,
    hints=items(
        """
        - For one selling day, which earlier buying day was the worst? What must you know about the past for that, and
          does it need all of the past?
        - The running peak is a scan with max: `torch.cummax(prices, dim=0)` gives values and indices.
        - Peak minus price is the fall at each day: `(prices.cummax(0).values - prices).amax(0)`.
        """
    ),
    mistakes=(
        Mistake(
            "This is the highest price minus the lowest: the lowest may have come first, and that is no fall.",
            lambda prices: prices.amax(0) - prices.amin(0),
        ),
        Mistake(
            "This is the fall from the highest price to the last one; a deeper one may have come before.",
            lambda prices: prices.amax(0) - prices[-1],
        ),
        Mistake(
            "This is the fall from the first price; it may have risen first.",
            lambda prices: (prices[0] - prices).amax(0),
        ),
        Mistake(
            "This is the largest fall from one day to the next; a fall may take many days.",
            lambda prices: (torch.cat([prices[:1], prices[:-1]]) - prices).amax(0).clamp(min=0),
        ),
        Mistake("This is the largest rise: time runs backwards.", lambda prices: max_drawdown_slow(prices.flip(0))),
        Mistake("The sign is turned: a fall counts as a positive number.", lambda prices: -max_drawdown_slow(prices)),
        Mistake(
            "This is the fall as a share of the peak; wanted is the difference.",
            lambda prices: ((prices.cummax(0).values - prices) / prices.cummax(0).values).amax(0),
        ),
        Mistake(
            "These are the falls of every day; wanted is the largest one of each column.",
            lambda prices: prices.cummax(0).values - prices,
        ),
        Mistake(
            "This is the largest fall of all columns; wanted is one for each.", lambda p: max_drawdown_slow(p).max()
        ),
    ),
    sources=("S0.1",),
)


def _queue_from_walk(walk):
    return walk - walk.cummin(0).values.clamp(max=0)


QUEUE_WAIT = Task(
    id="queue_wait",
    title="The line that looks sequential",
    points=4,
    lesson="09_scans",
    slow=queue_wait_slow,
    inputs=lambda size, generator: (normal(generator, size, _columns(size)),),
    edge_cases=(
        *_shapes(lambda x: (x,)),
        Case("a line that only grows", lambda generator: (uniform(generator, 1, 2, 5, 2),)),
        Case("a line that stays empty", lambda generator: (-uniform(generator, 1, 2, 5, 2),)),
        Case("a line that empties and grows again", lambda _: (torch.tensor([[2.0], [-5.0], [3.0], [-1.0], [4.0]]),)),
        Case("a first step that serves nobody", lambda _: (torch.tensor([[-3.0], [2.0], [1.0]]),)),
        Case("int64 values", lambda generator: (whole(generator, -9, 10, 8, 2),)),
        Case("int32 values", lambda generator: (whole(generator, -9, 10, 8, 2, dtype=torch.int32),)),
        Case("int64 values beyond float64", lambda _: (torch.tensor([[2**53, 1], [1, 1], [1, -2]]),)),
        Case("a quiet counter, 2,000 steps that serve far more than comes", lambda g: (normal(g, 2000, 2) - 2.5,)),
    ),
    count_sizes=_COUNT_SIZES,
    race_size=_RACE_SIZE,
    story=prose(
        """
        At every step some people join a queue, and some are served: `change` is the difference, one row a step, one
        column a counter. Nobody waits at the start, and a queue is never shorter than 0. Write `queue_wait(change)` with
        `y[t] = max(0, y[t-1] + change[t])`, where `y[-1]`, before the first step, is 0.
        """
    ),
    counts=prose(
        """
        - Time runs along dimension 0, whatever other dimensions `change` has; its numbers are finite. Shape and dtype are
        those of `change`, which stays as it was. There may also be one step, or none.
        - As exact as the loop, also where most of the time nobody waits.
        - At most 400 tensor operations, also for 1,024 steps.
        """
    ),
    max_ops=_MAX_OPS,
    target=5.0,
    hints=items(
        """
        - Let the running sum of change go below zero, and draw it. Where is the queue empty on that picture? How far
          above its lowest point so far is the sum at any time?
        - The queue is the running sum minus its own minimum so far, and that minimum counts the 0 before the first
          step. `cumsum`, `cummin` and `clamp(max=0)` are enough.
        - walk = change.cumsum(0); walk - walk.cummin(0).values.clamp(max=0). A walk that sinks far below 0 takes the
          last digits with it: for floating-point numbers sum in float64, and return to change.dtype at the end.
        """
    ),
    mistakes=(
        Mistake(
            "The running sum sinks far below 0, and the difference of two large numbers keeps few digits: sum in float64, "
            "or scan pairs.",
            lambda change: _queue_from_walk(change.cumsum(0, dtype=change.dtype)),
        ),
        Mistake(
            "The running sum is held at 0 afterwards: it still owes what an empty queue has forgiven.",
            lambda change: change.cumsum(0, dtype=change.dtype).clamp(min=0),
        ),
        Mistake(
            "The 0 before the first step is missing: the lowest point so far is at most 0.",
            lambda change: change.cumsum(0, dtype=change.dtype) - change.cumsum(0, dtype=change.dtype).cummin(0).values,
        ),
        Mistake(
            "The queue goes below 0: this is the running sum.", lambda change: change.cumsum(0, dtype=change.dtype)
        ),
        Mistake(
            "Only the current change is held at 0: what waited before is missing.", lambda change: change.clamp(min=0)
        ),
        Mistake(
            "Each change is held at 0 before it is added, so nobody is ever served.",
            lambda change: change.clamp(min=0).cumsum(0, dtype=change.dtype),
        ),
        Mistake(
            "This is the queue before the step, not after it.",
            lambda change: torch.cat([torch.zeros_like(change[:1]), queue_wait_slow(change)[:-1]]),
        ),
        Mistake(
            "`cumsum` turns int32 into int64: pass dtype=change.dtype.",
            lambda change: _queue_from_walk(change.cumsum(0)),
        ),
    ),
    sources=("S0.1",),
)

TASKS = (RUNNING_TOTAL, DECAYED_SUM, MAX_DRAWDOWN, QUEUE_WAIT)
