"""Answers to least_seconds."""

from answers import AnswersTo

answers = AnswersTo("least_seconds")


@answers.right()
def by_max(flops, nbytes, peak_flops, peak_bytes_per_s):
    return max(flops / peak_flops, nbytes / peak_bytes_per_s)


@answers.right("a branch at the ridge point")
def by_the_ridge(flops, nbytes, peak_flops, peak_bytes_per_s):
    if flops * peak_bytes_per_s >= nbytes * peak_flops:
        return flops / peak_flops
    return nbytes / peak_bytes_per_s


answers.wrong("the peaks of one machine", "correct")(lambda flops, nbytes, *peaks: max(flops / 5e10, nbytes / 1e10))
answers.wrong("at least a microsecond", "correct", says="little work")(lambda *work: max(by_max(*work), 1e-6))


@answers.wrong("the ridge of one machine", "correct", says="little work")
def by_a_fixed_ridge(flops, nbytes, peak_flops, peak_bytes_per_s):
    return flops / peak_flops if flops > 5 * nbytes else nbytes / peak_bytes_per_s


@answers.wrong("nothing for equal times", "correct", says="equal times")
def of_unequal_times(flops, nbytes, peak_flops, peak_bytes_per_s):
    times = flops / peak_flops, nbytes / peak_bytes_per_s
    return max(times) if times[0] != times[1] else 0.0
