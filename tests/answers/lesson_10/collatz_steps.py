"""Answers to collatz_steps."""

import torch

from answers import AnswersTo

answers = AnswersTo("collatz_steps")


@answers.right("Python numbers")
def in_python(n, limit):
    def walk(number):
        steps = 0
        while number != 1 and steps < limit:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            steps += 1
        return steps

    return torch.tensor([walk(number) for number in n.tolist()], dtype=n.dtype, device=n.device)


@answers.right("all walks at once")
def all_at_once(n, limit):
    steps = torch.zeros_like(n)
    for _ in range(limit):
        going = n != 1
        if not going.any():
            break
        steps = steps + going
        n = torch.where(going, torch.where(n % 2 == 0, n // 2, 3 * n + 1), n)
    return steps


@answers.right("all walks at once, without a break")
def limit_rounds(n, limit):
    steps = torch.zeros_like(n)
    for _ in range(limit):
        going = n != 1
        steps = steps + going
        n = torch.where(going, torch.where(n % 2 == 0, n // 2, 3 * n + 1), n)
    return steps


@answers.wrong("walks that continue after 1", "correct")
def never_stopping(n, limit):
    steps = torch.zeros_like(n)
    for _ in range(limit):
        if not (n != 1).any():
            break
        steps += n != 1
        n = torch.where(n % 2 == 0, n // 2, 3 * n + 1)
    return steps


answers.wrong("ignores the limit", "correct")(lambda n, limit: in_python(n, 10**4))
answers.wrong("int32 steps", "correct", says="dtype")(lambda n, limit: in_python(n, limit).int())


@answers.wrong("a loop over walks", "unlooped")
def one_by_one(n, limit):
    return torch.cat([all_at_once(each, limit) for each in n.split(1)]) if len(n) else n.clone()


answers.wrong("at most 64 rounds", "correct", says="beyond float32")(lambda n, limit: all_at_once(n, min(limit, 64)))
answers.wrong("at most 1,000 rounds", "correct", says="1,862 steps")(lambda n, limit: in_python(n, min(limit, 1000)))


@answers.wrong("numbers in float64", "correct", says="For numbers beyond float64")
def in_float64(n, limit):
    steps, numbers = torch.zeros_like(n), n.double()
    for _ in range(limit):
        active = numbers != 1
        if not active.any():
            break
        steps += active
        numbers = torch.where(active, torch.where(numbers % 2 == 0, numbers / 2, 3 * numbers + 1), numbers)
    return steps


@answers.wrong("the steps from 4 to 1 added without the limit", "correct")
def last_steps_added(n, limit):
    number, steps = n.clone(), torch.zeros_like(n)
    for _ in range(limit):
        walks = (number != 1) & (number != 2) & (number != 4)
        if not walks.any():
            break
        number = torch.where(walks, torch.where(number % 2 == 0, number // 2, 3 * number + 1), number)
        steps += walks
    last = torch.where(number == 4, 2, torch.where(number == 2, 1, 0))
    return torch.where(steps == 0, last.clamp(max=limit), steps + last)


answers.wrong("numbers up to 2⁶¹ only", "correct", says="beyond float32")(
    lambda n, limit: in_python(n.clamp(max=2**61), limit)
)
