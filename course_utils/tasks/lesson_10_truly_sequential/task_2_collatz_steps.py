"""Walks of very different lengths: a batch of them goes on until its longest is done, and Python takes each on its own.

No walk leaves int64 on its way, so Python's numbers and those of a tensor agree.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import integers, noncontiguous
from course_utils.tasks.unwrap import items, prose

LARGEST, LONGEST = 27, 32  # from below 27 every walk is at 1 within 23 steps


def collatz_steps_slow(n, limit):
    """Steps of each number to 1: an even one is halved, any other becomes 3n + 1; limit where it takes more."""
    steps = torch.zeros_like(n)
    for i in range(len(n)):
        number = n[i]
        while number != 1 and steps[i] < limit:
            if number % 2 == 0:
                number = number // 2
            else:
                number = 3 * number + 1
            steps[i] += 1
    return steps


def all_at_once(n, limit):
    """One mask a step; who has arrived stays at 1."""
    steps = torch.zeros_like(n)
    for _ in range(limit):
        going = n != 1
        if not going.any():
            break
        steps += going
        n = torch.where(going, torch.where(n % 2 == 0, n // 2, 3 * n + 1), n)
    return steps


def in_python(n, limit):
    """Each walk in Python's numbers."""
    counted = []
    for number in n.tolist():
        steps = 0
        while number != 1 and steps < limit:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            steps += 1
        counted.append(steps)
    return torch.tensor(counted, dtype=n.dtype, device=n.device)


def _until_all_arrive(n, limit):
    """Every walk is as long as the longest."""
    steps = collatz_steps_slow(n, limit)
    return torch.full_like(steps, int(steps.max())) if len(steps) else steps


def _walks_past_1(n, limit):
    return torch.full_like(n, limit)


def _odd_steps_are_two(n, limit):
    """3n + 1 is even, so it is halved in the same step."""
    counted = []
    for number in n.tolist():
        steps = 0
        while number != 1 and steps < limit:
            number = number // 2 if number % 2 == 0 else (3 * number + 1) // 2
            steps += 1
        counted.append(steps)
    return torch.tensor(counted, dtype=n.dtype)


def _starts_again(n, limit):
    """What is at 1 goes on to 4, and is counted from there."""
    steps = torch.zeros_like(n)
    for _ in range(limit):
        steps += n != 1
        n = torch.where(n % 2 == 0, n // 2, 3 * n + 1)
    return steps


def _minus_1(n, limit):
    longer, steps = collatz_steps_slow(n, limit + 1), collatz_steps_slow(n, limit)
    return torch.where(longer > limit, -1, steps)


TASK = Task(
    id="collatz_steps",
    title="Walks that end when they like",
    points=3,
    level=2,
    slow=collatz_steps_slow,
    inputs=lambda size, generator: (
        integers(generator, 1, LARGEST, size),
        LONGEST if size >= 8 else int(generator.integers(1, 30)),
    ),
    edge_cases=(
        Case("an empty vector", lambda generator: (integers(generator, 1, 9, 0), 5)),
        fixed_case("numbers that are at 1 already", [1, 1, 2], rest=(9,)),
        fixed_case("a limit of 0", [1, 7, 6], rest=(0,)),
        fixed_case("a limit that only some walks reach", [27, 2, 1, 6, 97], rest=(8,)),
        fixed_case("a walk of just as many steps as the limit", [6, 3, 8], rest=(8,)),
        fixed_case("numbers beyond float32", [2**40, 2**40 + 1, 2**30 - 1], rest=(60,)),
        Case("numbers with gaps between them in memory", lambda g: (noncontiguous(integers(g, 1, 60, 5)), 25)),
    ),
    count_sizes=(8, 32),
    race_size=64,
    story=prose(
        """
        A load test lets requests walk through a service. Nobody knows beforehand how many hops one takes, and each hop depends on
        the one before. Its stand-in is a famous walk: an even number is halved, any other becomes 3n + 1, and it ends at 1. Write
        `collatz_steps(n, limit)`: how many steps does each number of the vector `n` take? No scan is known for this walk, and the
        walks have very different lengths. Lesson 10 has two remedies that fit. Take either: which of the two is nearer to the limit, the card says.
        """
    ),
    rules=prose(
        """
        - `n` is a vector of int64, each 1 or more, and so is the result; `limit` is a Python number, 0 or more. A walk that is not at 1
        after `limit` steps counts `limit`. No number on the way is too large for int64. `n` stays as it was.
        - The tensor operations may follow the steps of the longest walk: at most 600 in 23 steps. They may not follow how many walks there are.
        - Python may wait for values as often as you think it pays.
        """
    ),
    limits=(at_most(600, "ops"),),
    target=4.0,
    cost=lambda size: Cost(reads=8 * size, writes=8 * size),
    ways={"all at once": all_at_once, "Python numbers": in_python},
    hints=items(
        """
        - Two ways lead out. Either take the numbers out of the tensor once, and walk in plain Python. Or let all walks take their step at once.
        - In plain Python: `n.tolist()` at the beginning, `torch.tensor(counted, dtype=n.dtype, device=n.device)` at the end, and the slow loop in between,
          on Python's numbers. An empty list needs the dtype.
        - All at once: a mask tells who is still going, steps += going counts for them, and torch.where(going, the next number, n) leaves the others at 1.
          Stop after `limit` steps, or when nobody is going.
        """
    ),
    mistakes=(
        Mistake("All count as many steps as the longest walk; each stops counting when it is at 1.", _until_all_arrive),
        Mistake("What is at 1 walks on, 1, 4, 2, 1: nobody stops before the limit here.", _walks_past_1),
        Mistake("What is at 1 walks on to 4 and is counted again; who has arrived stays at 1.", _starts_again),
        Mistake("A walk that is longer than `limit` counts `limit`.", lambda n, limit: collatz_steps_slow(n, 10**6)),
        Mistake("3n + 1 and the halving after it are two steps.", _odd_steps_are_two),
        Mistake("One step too many is counted.", lambda n, limit: collatz_steps_slow(n, limit) + 1),
        Mistake(
            "The limit cuts off one step too early.",
            lambda n, limit: collatz_steps_slow(n, max(0, limit - 1)),
        ),
        Mistake("Walks that have not ended count `limit`, not −1.", _minus_1),
    ),
    sources=("S0.1",),
)
