"""The number of workers with the shortest step, for whole arrays of jobs, from a formula instead of a search."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers, noncontiguous, uniform


def scaling_limit_slow(compute_s, bytes, bandwidth, workers):
    """Return each job's number of workers with the shortest step; the fewest if several are equally fast."""
    best = torch.ones_like(workers)
    jobs = zip(compute_s.tolist(), bytes.tolist(), bandwidth.tolist(), workers.tolist())
    for job, (compute, size, rate, most) in enumerate(jobs):
        shortest = compute
        for count in range(2, most + 1):
            step = compute / count + 2 * (count - 1) * size / rate
            if step < shortest:
                shortest, best[job] = step, count
    return best


def _by_formula(compute_s, bytes, bandwidth, workers):
    # Worker w + 1 shortens the step as long as compute / (w (w + 1)) > 2 bytes / bandwidth.
    ratio = compute_s * bandwidth / (2 * bytes)
    best = torch.ceil((torch.sqrt(1 + 4 * ratio) - 1) / 2)
    return torch.minimum(best.clamp(min=1), workers.to(best.dtype)).to(workers.dtype)


def _jobs(generator, count, most=64):
    """Return jobs whose best number of workers is from 1 to about 40, so that the number of available workers limits some of
    them."""
    bandwidth = uniform(generator, 1e9, 2e10, count, dtype=torch.float64)
    size = uniform(generator, 1e6, 1e9, count, dtype=torch.float64)
    best = uniform(generator, 0.3, 40.0, count, dtype=torch.float64)
    compute = 2 * size / bandwidth * best * (best + 1)
    return compute, size, bandwidth, integers(generator, 1, most + 1, count)


def _near_a_tie(generator, distance):
    """Return jobs in which w and w + 1 workers are almost equally fast, at a relative distance of ``distance``.

    In the last job, 2 workers are clearly faster than 1, although the minimum of its curve is at 1.45: float32 finds 2,
    and rounding finds 1.
    """
    count = torch.arange(1, 13, dtype=torch.float64)
    size, bandwidth = torch.full((2, 13), 123456789.0, dtype=torch.float64)  # float32 has no such number
    compute = torch.cat([2 * count * (count + 1) * (1 + distance), count.new_tensor([4.2])])
    return compute, size, bandwidth, torch.full((13,), 64)


def _one(compute, size, bandwidth, workers):
    return *(torch.tensor([float(each)], dtype=torch.float64) for each in (compute, size, bandwidth)), torch.tensor(
        [workers]
    )


TASK = Task(
    id="scaling_limit",
    title="The limit of scaling",
    points=3,
    level=2,
    slow=scaling_limit_slow,
    inputs=lambda size, generator: _jobs(generator, size),
    bounded=("compute_s", "bytes", "bandwidth"),
    edge_cases=(
        Case("a job of a nanosecond and less than a byte", lambda _: _one(1e-9, 0.3, 1e10, 64)),
        Case("no jobs", lambda generator: _jobs(generator, 0)),
        Case("a job that one worker does fastest", lambda _: _one(1e-9, 1e12, 1000, 8)),
        Case("a job that could use more workers than there are", lambda _: _one(1000, 1e6, 1e10, 4)),
        Case("a job that could use billions of workers", lambda _: _one(1e9, 1, 1e12, 8)),
        Case("a job that 70,000 of 100,000 workers do fastest", lambda _: _one(9800, 1000, 1e9, 100_000)),
        Case("a single available worker", lambda _: _one(10, 1e6, 1e10, 1)),
        Case("2 and 3 workers that are equally fast", lambda _: _one(12, 0.5, 0.5, 8)),
        Case("w and w + 1 workers that are equally fast, and another job", lambda g: _near_a_tie(g, 0.0)),
        Case("4,100 jobs", lambda g: _jobs(g, 4100, most=8)),
        Case("every second job of a longer list", lambda g: tuple(map(noncontiguous, _jobs(g, 6)))),
    ),
    worst=(
        Case(
            "jobs in which one more worker gains almost nothing, and another job",
            lambda g: _near_a_tie(g, 1e-10),
        ),
        Case(
            "jobs in which one more worker costs almost nothing, and another job",
            lambda g: _near_a_tie(g, -1e-10),
        ),
    ),
    count_sizes=(8, 64),
    race_size=512,
    story=prose(
        """
        A planner decides for thousands of training jobs how many workers each one gets. With w workers, a step takes
        `compute_s / w` seconds of computing. Then a ring all-reduce sends `2 (w − 1) · bytes` in total through one shared
        link, at `bandwidth` bytes per second. Computing and sending don't overlap. One worker sends nothing. The loop
        tries all numbers of workers. Write `scaling_limit(compute_s, bytes, bandwidth, workers)`, which returns for
        each job the number of workers with the shortest step.
        """
    ),
    rules=prose(
        """
        - All arguments are vectors with one value per job, perhaps for no jobs. `compute_s`, `bytes` and `bandwidth` are
          positive float64 values, and `compute_s * bandwidth / bytes` is at most 1e30. `workers` holds the largest number
          of workers that each job may get, an int64 from 1 to 1,000,000.
        - The result is an int64 vector with values from 1 to `workers`. If several numbers are equally fast for a job,
          return the smallest of them.
        """
    ),
    limits=(
        at_most(64, "ops"),
        at_most(0, "syncs"),
        at_most(lambda compute, size, rate, workers: 24 * 8 * len(workers), "peak bytes", "24 float64 values per job"),
    ),
    target=5.0,
    ways={"formula": _by_formula},
    hints=items(
        """
        - One more worker saves computing and costs communication. From w to w + 1 workers, the computing falls by
          `compute_s / (w (w + 1))`. By how much does the communication grow?
        - The limit is the smallest w with `w (w + 1) ≥ compute_s · bandwidth / (2 · bytes)`. That is a quadratic
          inequality, so no search is needed.
        - With `r = compute_s * bandwidth / (2 * bytes)`, the limit is `torch.ceil((torch.sqrt(1 + 4 * r) - 1) / 2)`.
          Keep it between 1 and `workers`.
        """
    ),
    mistakes=(
        Mistake(
            "The result exceeds the number of workers that a job may get: limit it to `workers`.",
            lambda compute_s, bytes, bandwidth, workers: _by_formula(
                compute_s, bytes, bandwidth, torch.full_like(workers, 2**40)
            ),
        ),
        Mistake(
            "The minimum of the curve is rounded here: compare the integers below and above it instead.",
            lambda compute_s, bytes, bandwidth, workers: torch.minimum(
                (compute_s * bandwidth / (2 * bytes)).sqrt().round().long().clamp(min=1), workers
            ),
        ),
        Mistake(
            "This is the integer below the minimum of the curve: compare it with the integer above.",
            lambda compute_s, bytes, bandwidth, workers: torch.minimum(
                (compute_s * bandwidth / (2 * bytes)).sqrt().floor().long().clamp(min=1), workers
            ),
        ),
        Mistake(
            "The ring sends `(w − 1) · bytes` here: use `2 (w − 1) · bytes` in total.",
            lambda compute_s, bytes, bandwidth, workers: _by_formula(compute_s, bytes / 2, bandwidth, workers),
        ),
    ),
)
