"""Walks of very different lengths: a batch continues until its longest walk ends, while Python processes each walk separately.

No walk exceeds int64 on its way, so Python numbers and tensor elements agree.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case
from course_utils.tasks.torch_inputs import integers, noncontiguous

LARGEST, LONGEST = 27, 32  # Every walk that starts below 27 reaches 1 within 23 steps.


def collatz_steps_slow(n, limit):
    """Return each number's steps to 1, at most limit: an even number is halved, an odd one becomes 3n + 1."""
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


def masked(n, limit):
    """Advance all walks with one mask per step; numbers that reached 1 stay there."""
    steps = torch.zeros_like(n)
    for _ in range(limit):
        active = n != 1
        if not active.any():
            break
        steps += active
        n = torch.where(active, torch.where(n % 2 == 0, n // 2, 3 * n + 1), n)
    return steps


def python_scalars(n, limit):
    """Run each walk in Python numbers."""
    counts = []
    for number in n.tolist():
        steps = 0
        while number != 1 and steps < limit:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            steps += 1
        counts.append(steps)
    return torch.tensor(counts, dtype=n.dtype, device=n.device)


def _until_all_arrive(n, limit):
    """Every walk counts as many steps as the longest."""
    steps = collatz_steps_slow(n, limit)
    return torch.full_like(steps, int(steps.max())) if len(steps) else steps


def _walks_past_1(n, limit):
    return torch.full_like(n, limit)


def _odd_steps_are_two(n, limit):
    """3n + 1 is even, so it is halved in the same step."""
    counts = []
    for number in n.tolist():
        steps = 0
        while number != 1 and steps < limit:
            number = number // 2 if number % 2 == 0 else (3 * number + 1) // 2
            steps += 1
        counts.append(steps)
    return torch.tensor(counts, dtype=n.dtype)


def _starts_again(n, limit):
    """A number at 1 goes on to 4, and its steps count again."""
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
    title="Walks of different lengths",
    points=3,
    level=2,
    slow=collatz_steps_slow,
    inputs=lambda size, generator: (
        integers(generator, 1, LARGEST, size),
        LONGEST if size >= 8 else int(generator.integers(1, 30)),
    ),
    edge_cases=(
        Case("an empty vector", lambda generator: (integers(generator, 1, 9, 0), 5)),
        fixed_case("two numbers that are already 1, and 2", [1, 1, 2], rest=(9,)),
        fixed_case("a limit of 0", [1, 7, 6], rest=(0,)),
        fixed_case("a limit that only some walks reach", [27, 2, 1, 6, 97, 24, 13], rest=(8,)),
        fixed_case("a walk with exactly as many steps as the limit", [6, 3, 8], rest=(8,)),
        fixed_case("numbers beyond float32", [2**40, 2**40 + 1, 2**30 - 1, 2**62], rest=(70,)),
        Case("4,200 numbers and a limit of 1", lambda g: (integers(g, 1, 9, 4200), 1)),
        Case("noncontiguous numbers", lambda g: (noncontiguous(integers(g, 1, 60, 5)), 25)),
    ),
    worst=(
        fixed_case("numbers beyond float64", [2**53 + 1, 2**53 + 75], rest=(1000,)),
        fixed_case("a walk of 1,862 steps among short ones", [942_488_749_153_153, 1, 2, 27], rest=(1900,)),
        fixed_case("walks that are all cut off", [27, 31, 41, 27], rest=(100,)),
    ),
    count_sizes=(8, 32),
    race_size=64,
    story=prose(
        """
        A load test sends requests through a service. The number of hops that a request takes isn't known in advance, and each
        hop depends on the one before. The test's model is a famous walk: an even number is halved, an odd one becomes
        3n + 1, and the walk ends at 1. Write `collatz_steps(n, limit)`: how many steps does each number of the vector
        `n` take? No scan is known for this walk, and the walks have very different lengths. Lesson 10 has two remedies
        that fit. Choose either; the card shows which of the two is closer to the limit.
        """
    ),
    rules=prose(
        """
        - `n` and the result are int64 vectors; the values of `n` are 1 or more. `limit` is a Python integer, 0 or more. A
          walk that hasn't reached 1 after `limit` steps counts `limit`. No number on the way exceeds int64. `n` is not
          modified.
        - The number of tensor operations may grow with the steps of the longest walk and with `limit`, but not with the
          number of walks. The counts use walks of at most 23 steps and a limit of 32.
        - Synchronizations aren't limited: Python may read values whenever that pays off.
        """
    ),
    limits=(at_most(600, "ops"),),
    target=4.0,
    cost=lambda size: Cost(reads=8 * size, writes=8 * size),
    ways={"whole vector, masked": masked, "Python numbers": python_scalars},
    hints=items(
        """
        - Two approaches work: copy the numbers out of the tensor once and walk in plain Python, or let all walks take each
          step together.
        - In plain Python: `n.tolist()` at the beginning, `torch.tensor(counts, dtype=n.dtype, device=n.device)` at the
          end, and the slow loop in between, on Python numbers. An empty list needs the dtype.
        - Together: the mask `active = n != 1` marks the active walks, and `steps += active` counts for them. With
          `next_number = torch.where(n % 2 == 0, n // 2, 3 * n + 1)`, `n = torch.where(active, next_number, n)` leaves
          the other walks at 1. Stop after `limit` steps, or when no walk is active.
        """
    ),
    mistakes=(
        Mistake(
            "Every walk counts the steps of the longest walk: each stops counting when it reaches 1.", _until_all_arrive
        ),
        Mistake("Every walk counts `limit`: each stops counting when it reaches 1.", _walks_past_1),
        Mistake("A walk continues from 1 to 4 and counts again: a walk that reached 1 stays there.", _starts_again),
        Mistake(
            "Long walks count more than `limit` steps: count at most `limit`.",
            lambda n, limit: collatz_steps_slow(n, 10**6),
        ),
        Mistake("3n + 1 and the halving after it count as one step: count two.", _odd_steps_are_two),
        Mistake(
            "One step too many is counted: a walk that starts at 1 takes 0 steps.",
            lambda n, limit: collatz_steps_slow(n, limit) + 1,
        ),
        Mistake(
            "Long walks are cut off one step too early: count up to `limit` steps.",
            lambda n, limit: collatz_steps_slow(n, max(0, limit - 1)),
        ),
        Mistake("A walk that hasn't ended counts −1: it should count `limit`.", _minus_1),
    ),
    sources=("S0.1",),
)
