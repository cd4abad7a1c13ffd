"""Answers to break_even."""

import torch

from answers import AnswersTo
from course_utils import tasks

answers = AnswersTo("break_even")
PUBLISHED = tasks.load("break_even").race_size

INF = float("inf")


@answers.right("where inside where")
def by_where(first, steady, baseline):
    debt, saved = first - baseline, baseline - steady
    return torch.where(debt <= 0, 1, torch.where(saved <= 0, INF, 1 + debt / saved))


@answers.right("masks")
def by_masks(first, steady, baseline):
    calls = (first - steady) / (baseline - steady)
    calls[baseline <= steady] = INF
    calls[first <= baseline] = 1
    return calls


@answers.right("clamped debt and saving")
def by_clamping(first, steady, baseline):
    saved = (baseline - steady).clamp(min=0)
    debt = (first - baseline).clamp(min=0)
    return torch.where(debt == 0, torch.zeros_like(debt), debt / saved) + 1


@answers.right()
def masks_filled(f, s, b):
    return ((f - s) / (b - s)).masked_fill(b <= s, INF).masked_fill(f <= b, 1)


@answers.right()
def float64_inside(*i):
    return by_where(*(each.double() for each in i)).to(i[0].dtype)


@answers.right()
def at_least_1_at_the_end(f, s, b):
    return torch.where(b > s, (f - s) / (b - s), by_where(f, s, b)).clamp(min=1)


@answers.wrong("negative where it never pays", "correct", says="negative")
def never_infinite(first, steady, baseline):
    return torch.where(first <= baseline, 1, 1 + (first - baseline) / (baseline - steady))


@answers.wrong("a loop over pieces", "unlooped")
def piece_by_piece(first, steady, baseline):
    pieces = zip(first.split(4), steady.split(4), baseline.split(4))
    return torch.cat([by_where(*piece) for piece in pieces])


@answers.wrong("a list of floats", "unlooped")
def list_of_floats(first, steady, baseline):
    calls = []
    for one, later, plain in zip(first.tolist(), steady.tolist(), baseline.tolist()):
        calls.append(1 if one <= plain else INF if plain <= later else 1 + (one - plain) / (plain - later))
    return torch.tensor(calls, dtype=first.dtype, device=first.device)


@answers.wrong(line="correct")
def equal_costs_taken_for_a_loss(f, s, b):
    return torch.where(f < b, 1, torch.where(b <= s, INF, 1 + (f - b) / (b - s)))


@answers.wrong("a mask that picks", "unlooped", says="What picks by a mask waits")
def picking(first, steady, baseline):
    calls = torch.full_like(first, INF)
    pays = steady < baseline
    calls[pays] = 1 + (first[pays] - baseline[pays]) / (baseline[pays] - steady[pays])
    return calls.masked_fill(first <= baseline, 1)


@answers.wrong(line="correct", says="Off by one")
def one_call_too_few(*i):
    return by_where(*i) - 1


@answers.wrong("wrong where the first call is cheap", "correct", says="paid at once")
def blind_to_a_cheap_first_call(first, steady, baseline):
    return torch.where(baseline <= steady, INF, 1 + (first - baseline) / (baseline - steady))


@answers.wrong(line="correct")
def a_large_number_for_infinity(*i):
    return by_where(*i).clamp(max=1e9)


@answers.wrong(line="correct")
def rounded_down(*i):
    return by_where(*i).floor()


@answers.wrong(line="correct")
def saving_or_loss_alike(f, s, b):
    return torch.where(f <= b, 1, 1 + (f - b) / (b - s).abs())


@answers.wrong(line="correct")
def a_little_added_to_the_saving(f, s, b):
    return by_where(f, s - 1e-9, b)


@answers.wrong(line="correct", says="rounded")
def rounded_up(*i):
    return by_where(*i).ceil()


@answers.wrong("NaN instead of infinity", "correct")
def nan_instead_of_infinity(*i):
    return torch.where(by_where(*i) == INF, float("nan"), by_where(*i))


@answers.wrong(line="correct", says="dtype")
def float32_whatever_came(*i):
    return by_where(*i).float()


@answers.wrong("times changed in place", "correct", says="input")
def in_place(first, steady, baseline):
    return by_where(first.sub_(baseline), steady.sub_(baseline), baseline.sub_(baseline))


@answers.wrong("bfloat16 inside", "correct")
def in_half(first, steady, baseline):
    return by_where(first.bfloat16(), steady.bfloat16(), baseline.bfloat16()).to(first.dtype)


@answers.wrong(line="correct")
def padded_to_the_published_length(*i):
    return torch.cat([by_where(*i), i[0].new_ones(PUBLISHED)])[:PUBLISHED]


@answers.wrong("64 at a time", "unlooped")
def sixty_four_at_a_time(*i):
    return torch.cat([by_where(*part) for part in zip(*(t.split(64) for t in i))])
