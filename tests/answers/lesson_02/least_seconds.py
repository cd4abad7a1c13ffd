"""Answers to least_seconds."""

from answers import AnswersTo

answers = AnswersTo("least_seconds")


@answers.right()
def by_max(flops, nbytes, peak_flops, peak_bytes_per_s):
    return max(flops / peak_flops, nbytes / peak_bytes_per_s)


@answers.right("through the ridge")
def by_the_ridge(flops, nbytes, peak_flops, peak_bytes_per_s):
    if flops * peak_bytes_per_s >= nbytes * peak_flops:
        return flops / peak_flops
    return nbytes / peak_bytes_per_s
