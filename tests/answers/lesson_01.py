"""Answers to the exercises of lesson 01."""

import statistics
import time
import timeit
from time import perf_counter

import numpy as np
import torch

from answers.table import right, wrong
from answers.tricks import cached_first, forging_clocks, forging_comparisons, forging_the_check, only_for
from course_utils.tasks.lesson_01_time_it_honestly.task_1_honest_time import quick_time
from course_utils.tasks.lesson_01_time_it_honestly.task_2_ratio_interval import TASK as RATIO_INTERVAL
from course_utils.tasks.lesson_01_time_it_honestly.task_2_ratio_interval import ratio_interval_slow
from course_utils.tasks.lesson_01_time_it_honestly.task_3_break_even import TASK as BREAK_EVEN
from course_utils.tasks.lesson_01_time_it_honestly.task_3_break_even import break_even_slow

INF = float("inf")


# honest_time


def readings(run, wait, calls, clock=perf_counter, warm_ups=1):
    for _ in range(warm_ups):
        run()
        wait()
    seconds = []
    for _ in range(calls):
        start = clock()
        run()
        wait()
        seconds.append(clock() - start)
    return seconds


def in_nanoseconds(run, wait, calls):
    return float(np.median(readings(run, wait, calls, time.perf_counter_ns))) / 1e9


def generous_warm_up(run, wait, calls):
    for _ in range(3):
        run()
    wait()
    return statistics.median(readings(run, wait, calls))


def one_more_and_dropped(run, wait, calls):
    return statistics.median(readings(run, wait, calls + 1, warm_ups=0)[1:])


def waiting_before_too(run, wait, calls):
    run()
    stamps = []
    for _ in range(calls):
        wait()
        stamps.append(-time.perf_counter())
        run()
        wait()
        stamps[-1] += time.perf_counter()
    return sorted(stamps)[len(stamps) // 2]


def by_timeit(run, wait, calls):
    def waited():
        run()
        wait()

    waited()
    return statistics.median(timeit.repeat(waited, number=1, repeat=calls))


def between_stamps(run, wait, calls):
    run()
    wait()
    stamps = [perf_counter()]
    for _ in range(calls):
        run()
        wait()
        stamps.append(perf_counter())
    return np.median(np.diff(stamps))


def counting_the_warm_up(run, wait, calls):
    return statistics.median(readings(run, wait, calls + 1, warm_ups=0))


def trimmed(run, wait, calls):
    return statistics.fmean(sorted(readings(run, wait, calls))[: calls - calls // 5])


def no_wait(run, wait, calls):
    return statistics.median(readings(run, lambda: None, calls))


def one_wait_at_the_end(run, wait, calls):
    run()
    wait()
    start = perf_counter()
    for _ in range(calls):
        run()
    wait()
    return (perf_counter() - start) / calls


def impatient_warm_up(run, wait, calls):
    run()
    return statistics.median(readings(run, wait, calls, warm_ups=0))


def waiting_outside_the_clock(run, wait, calls):
    run()
    wait()
    seconds = []
    for _ in range(calls):
        start = perf_counter()
        run()
        seconds.append(perf_counter() - start)
        wait()
    return statistics.median(seconds)


right("honest_time", "the median of waited calls", lambda *inputs: statistics.median(readings(*inputs)))
right("honest_time", "on the clock of nanoseconds", in_nanoseconds)
right("honest_time", "three calls to warm up", generous_warm_up)
right("honest_time", "one call more and the first dropped", one_more_and_dropped)
right("honest_time", "waiting before each call too", waiting_before_too)
right("honest_time", "torch's median", lambda *inputs: torch.tensor(readings(*inputs)).median().item())
right("honest_time", "timeit", by_timeit)
right("honest_time", "the differences of stamps", between_stamps)
right("honest_time", "the lower of the two in the middle", lambda *inputs: statistics.median_low(readings(*inputs)))

wrong("honest_time", "the quick time itself", "correct", quick_time, says="wait()")
wrong("honest_time", "no wait", "correct", no_wait, says="never called")
wrong("honest_time", "one wait at the end", "correct", one_wait_at_the_end, says="Some call")
wrong("honest_time", "the wait outside the clock", "correct", waiting_outside_the_clock)
wrong("honest_time", "no warm-up", "correct", lambda *i: statistics.median(readings(*i, warm_ups=0)), says="warm up")
wrong("honest_time", "a warm-up without a wait", "correct", impatient_warm_up, says="warm-up")
wrong("honest_time", "the warm-up among the calls", "correct", counting_the_warm_up, says="warm-up is among")
wrong("honest_time", "nothing returned", "correct", lambda *inputs: None, says="`return` missing")
wrong("honest_time", "the mean", "correct", lambda *inputs: statistics.fmean(readings(*inputs)), says="mean")
wrong("honest_time", "the best call", "correct", lambda *inputs: min(readings(*inputs)), says="shortest")
wrong("honest_time", "a mean without the longest", "correct", trimmed)
wrong("honest_time", "the sum", "correct", lambda *inputs: sum(readings(*inputs)), says="sum")
wrong("honest_time", "milliseconds", "correct", lambda *i: 1e3 * statistics.median(readings(*i)), says="milliseconds")
wrong(
    "honest_time",
    "a clock that stops while the process waits",
    "correct",
    lambda *inputs: statistics.median(readings(*inputs, time.process_time)),
)
wrong("honest_time", "a tensor", "correct", lambda *inputs: torch.tensor(readings(*inputs)).median(), says="number")
wrong("honest_time", "all readings", "correct", readings, says="number")
wrong(
    "honest_time", "half of the calls", "correct", lambda r, w, calls: statistics.median(readings(r, w, -(-calls // 2)))
)
wrong("honest_time", "a fixed number", "correct", lambda run, wait, calls: 0.002)
wrong("honest_time", "a cached first answer", "correct", cached_first(lambda *i: statistics.median(readings(*i))))
wrong(
    "honest_time",
    "right for five calls only",
    "correct",
    only_for(lambda r, w, calls: calls == 5, lambda *i: statistics.median(readings(*i)), lambda *i: max(readings(*i))),
)
wrong("honest_time", "forged clocks", "correct", forging_clocks(quick_time))
wrong("honest_time", "forged comparisons", "correct", forging_comparisons(no_wait))
wrong("honest_time", "the check forged", "correct", forging_the_check(no_wait))


# ratio_interval


def picks_of(rounds, resamples, generator):
    return torch.randint(rounds, (resamples, rounds), generator=generator)


def three(ratios, medians):
    ends = torch.tensor([0.025, 0.975], dtype=medians.dtype)
    return torch.cat([ratios.quantile(0.5).view(1), medians.quantile(ends)])


def by_quantile(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = ratios[picks_of(len(ratios), resamples, generator)].quantile(0.5, dim=1)
    return torch.stack([ratios.quantile(0.5), medians.quantile(0.025), medians.quantile(0.975)])


def by_sorting(slow_s, fast_s, resamples, generator):
    ratios, rounds = slow_s / fast_s, len(slow_s)
    drawn = ratios.take(picks_of(rounds, resamples, generator)).sort(dim=1).values
    return three(ratios, (drawn[:, (rounds - 1) // 2] + drawn[:, rounds // 2]) / 2)


def from_drawn_pairs(slow_s, fast_s, resamples, generator):
    picks = picks_of(len(slow_s), resamples, generator)
    return three(slow_s / fast_s, torch.nanquantile(slow_s[picks] / fast_s[picks], 0.5, dim=1))


def by_gathering(slow_s, fast_s, resamples, generator):
    ratios = torch.div(slow_s, fast_s)
    picks = picks_of(len(ratios), resamples, generator)
    return three(ratios, ratios.expand(resamples, -1).gather(1, picks).quantile(0.5, dim=1))


def by_kth_value(slow_s, fast_s, resamples, generator):
    ratios, rounds = slow_s / fast_s, len(slow_s)
    drawn = ratios[picks_of(rounds, resamples, generator)]
    low, high = drawn.kthvalue((rounds + 1) // 2, 1).values, drawn.kthvalue(rounds // 2 + 1, 1).values
    return three(ratios, (low + high) / 2)


def half_the_picks(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    picks = torch.randint(len(ratios), (resamples, -(-len(ratios) // 2)), generator=generator)
    return three(ratios, ratios[picks].quantile(0.5, dim=1))


def median_of_the_medians(slow_s, fast_s, resamples, generator):
    medians = (slow_s / fast_s)[picks_of(len(slow_s), resamples, generator)].quantile(0.5, dim=1)
    return three(medians, medians)


def resample_by_resample(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = [ratios[picks].quantile(0.5) for picks in picks_of(len(ratios), resamples, generator)]
    return three(ratios, torch.stack(medians))


def by_an_array_of_quantiles(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = ratios[picks_of(len(ratios), resamples, generator)].quantile(0.5, dim=1)
    ends = medians.quantile(torch.from_numpy(np.array([0.025, 0.975])).to(medians.dtype))
    return torch.cat([ratios.quantile(0.5).view(1), ends])


def by_rounds(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    picks, rounds = picks_of(len(ratios), resamples, generator), len(ratios)
    drawn = torch.stack([ratios[column] for column in picks.unbind(1)], dim=1).sort(dim=1).values
    medians = (drawn[:, (rounds - 1) // 2] + drawn[:, rounds // 2]) / 2
    ends = medians.quantile(torch.tensor([0.025, 0.975], dtype=medians.dtype))
    return torch.cat([ratios.quantile(0.5).view(1), ends])


def joined_by_values(slow_s, fast_s, resamples, generator):
    middle, low, high = by_quantile(slow_s, fast_s, resamples, generator)
    return torch.tensor([middle, low, high], dtype=slow_s.dtype)


def in_plain_python(slow_s, fast_s, resamples, generator):
    ratios = [slow / fast for slow, fast in zip(slow_s.tolist(), fast_s.tolist())]
    drawn = picks_of(len(ratios), resamples, generator).tolist()
    medians = [statistics.median(ratios[pick] for pick in picks) for picks in drawn]
    ends = np.quantile(medians, [0.025, 0.975]).tolist()
    return torch.tensor([statistics.median(ratios), *ends], dtype=slow_s.dtype)


def with_low_and_high(low, high):
    def interval(slow_s, fast_s, resamples, generator):
        ratios = slow_s / fast_s
        medians = ratios[picks_of(len(ratios), resamples, generator)].quantile(0.5, dim=1)
        return torch.stack([ratios.quantile(0.5), medians.quantile(low), medians.quantile(high)])

    return interval


def of_the_medians(slow_s, fast_s, resamples, generator):
    picks = picks_of(len(slow_s), resamples, generator)
    medians = slow_s[picks].quantile(0.5, dim=1) / fast_s[picks].quantile(0.5, dim=1)
    return torch.cat([(slow_s.quantile(0.5) / fast_s.quantile(0.5)).view(1), three(slow_s, medians)[1:]])


def with_means(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    means = ratios[picks_of(len(ratios), resamples, generator)].mean(dim=1)
    return torch.cat([ratios.mean().view(1), three(ratios, means)[1:]])


def drawn_apart(slow_s, fast_s, resamples, generator):
    slow = slow_s[picks_of(len(slow_s), resamples, generator)]
    fast = fast_s[picks_of(len(fast_s), resamples, generator)]
    return three(slow_s / fast_s, (slow / fast).quantile(0.5, dim=1))


def with_lower_medians(slow_s, fast_s, resamples, generator):
    ratios = slow_s / fast_s
    medians = ratios[picks_of(len(ratios), resamples, generator)].median(dim=1).values
    return torch.cat([ratios.median().view(1), three(ratios, medians)[1:]])


def dividing_in_place(slow_s, fast_s, resamples, generator):
    return by_quantile(slow_s.div_(fast_s), torch.ones_like(fast_s), resamples, generator)


right("ratio_interval", "quantiles along an axis", by_quantile)
right("ratio_interval", "sorted by hand", by_sorting)
right("ratio_interval", "pairs drawn, then divided", from_drawn_pairs)
right("ratio_interval", "gathered", by_gathering)
right("ratio_interval", "the values in the middle", by_kth_value)
right("ratio_interval", "float64 inside", lambda s, f, *r: by_quantile(s.double(), f.double(), *r).to(s.dtype))

right("ratio_interval", "quantiles from an array", by_an_array_of_quantiles)

wrong("ratio_interval", "a loop over rounds", "unlooped", by_rounds)
wrong("ratio_interval", "joined by torch.tensor", "unlooped", joined_by_values, says="torch.stack")
wrong("ratio_interval", "the slow loop itself", "unlooped", ratio_interval_slow)
wrong("ratio_interval", "a loop over resamples", "unlooped", resample_by_resample)
wrong("ratio_interval", "plain Python", "unlooped", in_plain_python)
wrong("ratio_interval", "a 90 % interval", "correct", with_low_and_high(0.05, 0.95), says="90 %")
wrong("ratio_interval", "the ends exchanged", "correct", with_low_and_high(0.975, 0.025))
wrong("ratio_interval", "the ratio of the medians", "correct", of_the_medians, says="ratio of the medians")
wrong("ratio_interval", "half the picks", "correct", half_the_picks)
wrong("ratio_interval", "the median of the medians", "correct", median_of_the_medians)
wrong("ratio_interval", "means", "correct", with_means, says="means")
wrong("ratio_interval", "slow and fast drawn apart", "correct", drawn_apart, says="drawn apart")
wrong("ratio_interval", "fast over slow", "correct", lambda s, f, *rest: by_quantile(f, s, *rest), says="slow / fast")
wrong("ratio_interval", "wrong for an even number", "correct", with_lower_medians, says="lower")
wrong(
    "ratio_interval",
    "another generator",
    "correct",
    lambda s, f, n, _: by_quantile(s, f, n, torch.Generator()),
    says="Nothing is drawn",
)
wrong(
    "ratio_interval", "no generator", "correct", lambda s, f, n, _: by_quantile(s, f, n, None), says="Nothing is drawn"
)
wrong("ratio_interval", "float32 whatever came", "correct", lambda *i: by_quantile(*i).float(), says="dtype")
wrong("ratio_interval", "times changed in place", "correct", dividing_in_place, says="input")
wrong(
    "ratio_interval",
    "half precision inside",
    "correct",
    lambda s, f, *r: by_quantile((s / f).half().to(s), torch.ones_like(f), *r),
)
wrong("ratio_interval", "a list of three", "correct", lambda *i: list(by_quantile(*i)))
wrong(
    "ratio_interval",
    "the published number of rounds only",
    "correct",
    lambda s, f, *r: by_quantile(s[: RATIO_INTERVAL.race_size], f[: RATIO_INTERVAL.race_size], *r),
)
wrong("ratio_interval", "a cached first answer", "correct", cached_first(by_quantile))
wrong("ratio_interval", "torch.allclose forged", "correct", forging_comparisons(with_means))
wrong("ratio_interval", "the check forged", "correct", forging_the_check(with_means))
wrong("ratio_interval", "the slow loop on a forged clock", "correct", forging_clocks(ratio_interval_slow))


# break_even


def by_where(first, steady, baseline):
    debt, saved = first - baseline, baseline - steady
    return torch.where(debt <= 0, 1, torch.where(saved <= 0, INF, 1 + debt / saved))


def by_masks(first, steady, baseline):
    calls = (first - steady) / (baseline - steady)
    calls[baseline <= steady] = INF
    calls[first <= baseline] = 1
    return calls


def by_clamping(first, steady, baseline):
    saved = (baseline - steady).clamp(min=0)
    debt = (first - baseline).clamp(min=0)
    return torch.where(debt == 0, torch.zeros_like(debt), debt / saved) + 1


def list_of_floats(first, steady, baseline):
    calls = []
    for one, later, plain in zip(first.tolist(), steady.tolist(), baseline.tolist()):
        calls.append(1 if one <= plain else INF if plain <= later else 1 + (one - plain) / (plain - later))
    return torch.tensor(calls, dtype=first.dtype, device=first.device)


def piece_by_piece(first, steady, baseline):
    pieces = zip(first.split(4), steady.split(4), baseline.split(4))
    return torch.cat([by_where(*piece) for piece in pieces])


def in_place(first, steady, baseline):
    return by_where(first.sub_(baseline), steady.sub_(baseline), baseline.sub_(baseline))


def never_infinite(first, steady, baseline):
    return torch.where(first <= baseline, 1, 1 + (first - baseline) / (baseline - steady))


def blind_to_a_cheap_first_call(first, steady, baseline):
    return torch.where(baseline <= steady, INF, 1 + (first - baseline) / (baseline - steady))


def in_half(first, steady, baseline):
    return by_where(first.bfloat16(), steady.bfloat16(), baseline.bfloat16()).to(first.dtype)


def picking(first, steady, baseline):
    calls = torch.full_like(first, INF)
    pays = steady < baseline
    calls[pays] = 1 + (first[pays] - baseline[pays]) / (baseline[pays] - steady[pays])
    return calls.masked_fill(first <= baseline, 1)


right("break_even", "where inside where", by_where)
right("break_even", "masks", by_masks)
right("break_even", "clamped debt and saving", by_clamping)
right("break_even", "masks filled", lambda f, s, b: ((f - s) / (b - s)).masked_fill(b <= s, INF).masked_fill(f <= b, 1))
right("break_even", "float64 inside", lambda *i: by_where(*(each.double() for each in i)).to(i[0].dtype))
right(
    "break_even",
    "at least 1 at the end",
    lambda f, s, b: torch.where(b > s, (f - s) / (b - s), by_where(f, s, b)).clamp(min=1),
)

wrong("break_even", "the slow loop itself", "unlooped", break_even_slow)
wrong("break_even", "a loop over pieces", "unlooped", piece_by_piece)
wrong("break_even", "a list of floats", "unlooped", list_of_floats)
wrong(
    "break_even",
    "equal costs taken for a loss",
    "correct",
    lambda f, s, b: torch.where(f < b, 1, torch.where(b <= s, INF, 1 + (f - b) / (b - s))),
)
wrong("break_even", "a mask that picks", "unlooped", picking, says="What picks by a mask waits")
wrong("break_even", "one call too few", "correct", lambda *i: by_where(*i) - 1, says="Off by one")
wrong("break_even", "negative where it never pays", "correct", never_infinite, says="negative")
wrong("break_even", "wrong where the first call is cheap", "correct", blind_to_a_cheap_first_call, says="paid at once")
wrong("break_even", "a large number for infinity", "correct", lambda *i: by_where(*i).clamp(max=1e9))
wrong("break_even", "rounded down", "correct", lambda *i: by_where(*i).floor())
wrong(
    "break_even", "saving or loss alike", "correct", lambda f, s, b: torch.where(f <= b, 1, 1 + (f - b) / (b - s).abs())
)
wrong("break_even", "a little added to the saving", "correct", lambda f, s, b: by_where(f, s - 1e-9, b))
wrong("break_even", "rounded up", "correct", lambda *i: by_where(*i).ceil(), says="rounded")
wrong(
    "break_even",
    "NaN instead of infinity",
    "correct",
    lambda *i: torch.where(by_where(*i) == INF, float("nan"), by_where(*i)),
)
wrong("break_even", "float32 whatever came", "correct", lambda *i: by_where(*i).float(), says="dtype")
wrong("break_even", "times changed in place", "correct", in_place, says="input")
wrong("break_even", "bfloat16 inside", "correct", in_half)
wrong(
    "break_even",
    "padded to the published length",
    "correct",
    lambda *i: torch.cat([by_where(*i), i[0].new_ones(BREAK_EVEN.race_size)])[: BREAK_EVEN.race_size],
)
wrong("break_even", "a cached first answer", "correct", cached_first(by_where))
wrong("break_even", "torch.allclose forged", "correct", forging_comparisons(never_infinite))
wrong("break_even", "the check forged", "correct", forging_the_check(never_infinite))
wrong("break_even", "the slow loop on a forged clock", "correct", forging_clocks(break_even_slow))
wrong(
    "break_even",
    "64 at a time",
    "unlooped",
    lambda *i: torch.cat([by_where(*part) for part in zip(*(t.split(64) for t in i))]),
)
