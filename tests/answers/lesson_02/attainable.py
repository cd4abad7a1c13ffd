"""Answers to attainable."""

import torch

from answers import AnswersTo

answers = AnswersTo("attainable")


@answers.right()
def by_broadcasting(flops, nbytes, peak_flops, peak_bytes_per_s):
    return torch.minimum(peak_flops, (flops / nbytes)[:, None] * peak_bytes_per_s)


@answers.right("an outer product")
def by_outer(flops, nbytes, peak_flops, peak_bytes_per_s):
    return torch.outer(flops / nbytes, peak_bytes_per_s).minimum(peak_flops)


@answers.right("where, split at the ridge point")
def by_the_ridge(flops, nbytes, peak_flops, peak_bytes_per_s):
    intensity = (flops / nbytes)[:, None]
    bound_by_memory = intensity < peak_flops / peak_bytes_per_s
    return torch.where(bound_by_memory, intensity * peak_bytes_per_s, peak_flops)


@answers.right("clamp")
def by_clamp(flops, nbytes, peak_flops, peak_bytes_per_s):
    return (flops / nbytes).unsqueeze(1).mul(peak_bytes_per_s).clamp(max=peak_flops)


@answers.wrong("pairs instead of a table", line="correct", says="shape")
def pair_by_pair(flops, nbytes, peak_flops, peak_bytes_per_s):
    machines = min(len(flops), len(peak_flops))
    return torch.minimum(peak_flops[:machines], (flops / nbytes)[:machines] * peak_bytes_per_s[:machines])


@answers.wrong("transposed", line="correct", says="shape")
def transposed(flops, nbytes, peak_flops, peak_bytes_per_s):
    return by_broadcasting(flops, nbytes, peak_flops, peak_bytes_per_s).T


@answers.wrong("a product that overflows", line="correct", says="beyond float32")
def overflowing(flops, nbytes, peak_flops, peak_bytes_per_s):
    return torch.minimum(peak_flops, flops[:, None] * peak_bytes_per_s / nbytes[:, None])


@answers.wrong("0 if no bytes move", line="correct", says="moves nothing")
def zero_without_bytes(flops, nbytes, peak_flops, peak_bytes_per_s):
    intensity = torch.where(nbytes > 0, flops / nbytes, 0)
    return torch.minimum(peak_flops, intensity[:, None] * peak_bytes_per_s)


@answers.wrong("a loop over machines", line="unlooped", says="the number grows with the input")
def machine_by_machine(flops, nbytes, peak_flops, peak_bytes_per_s):
    columns = [torch.minimum(peak, flops / nbytes * rate) for peak, rate in zip(peak_flops, peak_bytes_per_s)]
    return torch.stack(columns, 1) if columns else flops.new_empty(len(flops), 0)


@answers.wrong("at least one byte", "correct", says="a single operation")
def at_least_one_byte(flops, nbytes, peak_flops, peak_bytes_per_s):
    return by_broadcasting(flops, nbytes.clamp_min(1), peak_flops, peak_bytes_per_s)


@answers.wrong("at least 100 operations", "correct", says="computes nothing")
def at_least_100_operations(flops, nbytes, peak_flops, peak_bytes_per_s):
    return by_broadcasting(flops.clamp_min(100), nbytes, peak_flops, peak_bytes_per_s)


answers.wrong("1e-9 bytes added", "correct", says="a slow memory")(
    lambda flops, nbytes, peak_flops, rate: by_broadcasting(flops, nbytes + 1e-9, peak_flops, rate)
)


@answers.wrong("1e20 instead of infinity", "correct", says="a slow memory")
def at_most_1e20(flops, nbytes, peak_flops, peak_bytes_per_s):
    intensity = torch.where(nbytes == 0, 1e20, flops / nbytes)
    return torch.minimum(intensity[:, None] * peak_bytes_per_s, peak_flops)


@answers.wrong("at most 1,000 machines", "correct", says="4,100 machines")
def of_1000_machines(*inputs):
    roof = by_broadcasting(*inputs)
    roof[:, 1000:] = 0
    return roof
