"""Answers to scaling_limit."""

import torch

from answers import AnswersTo

answers = AnswersTo("scaling_limit")


def _step_s(compute_s, bytes, bandwidth, count):
    return compute_s / count + 2 * (count - 1) * bytes / bandwidth


@answers.right("the quadratic formula")
def quadratic(compute_s, bytes, bandwidth, workers):
    ratio = compute_s * bandwidth / (2 * bytes)
    best = torch.ceil((torch.sqrt(1 + 4 * ratio) - 1) / 2).clamp(min=1)
    return torch.minimum(best.long(), workers)


@answers.right("the integers next to the minimum")
def next_to_the_minimum(compute_s, bytes, bandwidth, workers):
    most = workers.double()
    low = torch.minimum((compute_s * bandwidth / (2 * bytes)).sqrt().floor().clamp(min=1), most)
    high = torch.minimum(low + 1, most)
    gains = _step_s(compute_s, bytes, bandwidth, high) < _step_s(compute_s, bytes, bandwidth, low)
    return torch.where(gains, high, low).long()


@answers.wrong("rounded down", "correct", says="compare it with the integer above")
def rounded_down(compute_s, bytes, bandwidth, workers):
    best = (compute_s * bandwidth / (2 * bytes)).sqrt().floor().clamp(min=1)
    return torch.minimum(best.long(), workers)


@answers.wrong("every worker sends all", "correct")
def every_worker_sends_all(compute_s, bytes, bandwidth, workers):
    best = (compute_s * bandwidth / bytes).sqrt().ceil().clamp(min=1)
    return torch.minimum(best.long(), workers)


@answers.wrong("zero workers", "correct")
def zero_workers(compute_s, bytes, bandwidth, workers):
    ratio = compute_s * bandwidth / (2 * bytes)
    return torch.minimum(((torch.sqrt(1 + 4 * ratio) - 1) / 2).floor().long(), workers)


@answers.wrong("zero workers if computing takes hardly any time", "correct", says="one worker does fastest")
def at_least_none(compute_s, bytes, bandwidth, workers):
    ratio = compute_s * bandwidth / (2 * bytes)
    return torch.minimum(torch.ceil((torch.sqrt(1 + 4 * ratio) - 1) / 2).long(), workers)


@answers.wrong("a table of the first 64 numbers of workers", "unlooped", says="bytes")
def by_table(compute_s, bytes, bandwidth, workers):
    counts = torch.arange(1, 65, dtype=compute_s.dtype, device=compute_s.device)
    steps = _step_s(compute_s[:, None], bytes[:, None], bandwidth[:, None], counts)
    steps = steps.masked_fill(counts > workers[:, None], float("inf"))
    return torch.where(workers > 64, quadratic(compute_s, bytes, bandwidth, workers), steps.argmin(1) + 1)


@answers.wrong("a loop over jobs", "unlooped")
def a_loop(compute_s, bytes, bandwidth, workers):
    return (
        torch.stack([quadratic(*job) for job in zip(compute_s, bytes, bandwidth, workers)]) if len(workers) else workers
    )


@answers.wrong("int32 numbers", "correct", says="billions of workers")
def numbers_of_32_bits(compute_s, bytes, bandwidth, workers):
    low = (compute_s * bandwidth / (2 * bytes)).sqrt().int().clamp(min=1).minimum(workers.int())
    high = torch.minimum(low + 1, workers)
    gains = _step_s(compute_s, bytes, bandwidth, high) < _step_s(compute_s, bytes, bandwidth, low)
    return torch.where(gains, high, low.long())


@answers.wrong("steps in float32", "correct", says="one more worker gains almost nothing")
def steps_in_float32(compute_s, bytes, bandwidth, workers):
    return next_to_the_minimum(compute_s.float(), bytes.float(), bandwidth.float(), workers)


@answers.wrong("a binary search up to 64 workers", "correct", says="70,000 of 100,000 workers")
def binary_search_up_to_64(compute_s, bytes, bandwidth, workers):
    count = torch.ones_like(compute_s)
    for more in (32, 16, 8, 4, 2, 1):
        larger = torch.minimum(count + more, workers)
        count = torch.where(compute_s > 2 * bytes / bandwidth * larger * (larger - 1), larger, count)
    return count.long()


@answers.wrong("bytes as integers", "correct")
def whole_bytes(compute_s, bytes, bandwidth, workers):
    return next_to_the_minimum(compute_s, bytes.long(), bandwidth, workers)


@answers.wrong("at most 4,096 jobs", "correct", says="4,100 jobs")
def at_most_4096_jobs(compute_s, bytes, bandwidth, workers):
    result = torch.ones_like(workers)
    result[:4096] = quadratic(compute_s[:4096], bytes[:4096], bandwidth[:4096], workers[:4096])
    return result


@answers.wrong("two workers that are as fast as one", "correct", says="equally fast")
def two_of_equally_fast(compute_s, bytes, bandwidth, workers):
    result = quadratic(compute_s, bytes, bandwidth, workers)
    return torch.where((compute_s >= 4 * bytes / bandwidth) & (result == 1), 2, result).minimum(workers)


answers.wrong("numbers of workers in int16", "correct", says="70,000 of 100,000 workers")(
    lambda compute_s, bytes, bandwidth, workers: quadratic(compute_s, bytes, bandwidth, workers.clamp(max=32_767))
)
answers.wrong("a byte or more", "correct", says="less than a byte")(
    lambda compute_s, bytes, bandwidth, workers: quadratic(compute_s, bytes.clamp(min=1), bandwidth, workers)
)
