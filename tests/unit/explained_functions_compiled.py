"""Eleven functions that run compiled code, each with the line that costs most and the reason, as a person judged.

They take minutes to compile, so no test runs them. ``python tests/unit/explained_functions_compiled.py`` prints a table
of what `explain` finds in all of them, or in the functions named on the command line.
"""

import math
import sys
from pathlib import Path

import torch
from explained_case import Case, find_undisturbed
from torch import nn
from torch.nn import functional


@torch.compile
def bend(x):
    return torch.tanh(torch.exp(-x * x) + torch.log1p(x.abs()))


@torch.compile
def shift(x, offset, out):
    return out.copy_(x + offset)


@torch.compile
def project(x, weight):
    return functional.relu(x @ weight)


@torch.compile
def scores_of(query, key):
    return torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1]), -1)


def bend_signal(x):
    return bend(x)  # costliest of bend_signal


def shift_into_buffer(x, out):
    return shift(x, 1.5, out)  # costliest of shift_into_buffer


def shift_each_row(rows, offset, out):
    for row, place in zip(rows, out):
        shift(row, offset, place)  # costliest of shift_each_row
    return out


def project_and_average(x, weight):
    y = project(x, weight)  # costliest of project_and_average
    return y.mean()


def project_small(x, weight):
    y = project(x, weight)  # costliest of project_small
    return y


def attention_scores(query, key):
    weights = scores_of(query, key)  # costliest of attention_scores
    return weights.amax()


def eager_sort_after(x, out):
    y = shift(x, 0.5, out)
    return y.sort().values  # costliest of eager_sort_after


def item_after_each(rows, out):
    total = 0.0
    for row in rows:
        total += shift(row, 1.0, out).sum().item()  # costliest of item_after_each
    return total


MODEL = nn.Sequential(nn.Linear(512, 1024), nn.GELU(), nn.Linear(1024, 512))
COMPILED = torch.compile(MODEL)


def forward(x):
    return COMPILED(x)  # costliest of forward


def training_step(optimizer, x, targets):
    optimizer.zero_grad()
    loss = functional.mse_loss(COMPILED(x), targets)
    loss.backward()  # costliest of training_step
    optimizer.step()


def small_training_step(optimizer, x, targets):
    optimizer.zero_grad()
    loss = functional.mse_loss(COMPILED(x), targets)
    loss.backward()
    optimizer.step()  # costliest of small_training_step


def case(function, make_inputs, **reasons):
    return Case(function.__name__, __file__, function, make_inputs, reasons)


CASES = [
    case(bend_signal, lambda: (torch.randn(500_000),), compute="three elementary functions per value in one kernel"),
    case(
        shift_into_buffer,
        lambda: (torch.randn(8_000_000), torch.empty(8_000_000)),
        limit="one kernel reads once and writes once into memory that exists",
        traffic="below that limit, memory traffic takes the time",
    ),
    case(
        shift_each_row,
        lambda: (torch.randn(200, 16), 1.5, torch.empty(200, 16)),
        launches="200 calls for 16 values each",
    ),
    case(
        project_and_average,
        lambda: (torch.randn(512, 1024), torch.randn(1024, 1024)),
        limit="a product at the multiply peak",
        compute="below the peak, the multiplications take the time",
    ),
    case(
        project_small,
        lambda: (torch.randn(24, 24), torch.randn(24, 24)),
        launches="a product and a kernel of a few microseconds in one call of compiled code",
    ),
    case(
        attention_scores,
        lambda: (torch.randn(4, 8, 512, 64), torch.randn(4, 8, 512, 64)),
        compute="the product and the exponentials",
        limit="both run at the machine's limit",
        traffic="the table of scores is written and read",
        allocation="two tables of 32 MB are new memory in each call",
    ),
    case(eager_sort_after, lambda: (torch.randn(1_000_000), torch.empty(1_000_000)), compute="an eager sort"),
    case(
        item_after_each,
        lambda: (torch.randn(200, 16), torch.empty(16)),
        launches="200 calls of compiled code for 16 values each",
        syncs="each iteration waits for one value",
    ),
    case(
        forward,
        lambda: (torch.randn(256, 512),),
        limit="products at the multiply peak",
        compute="the same, below the peak",
    ),
    case(
        training_step,
        lambda: (torch.optim.SGD(MODEL.parameters(), 0.01), torch.randn(512, 512), torch.randn(512, 512)),
        limit="the products of the backward pass, twice those of the forward pass",
        compute="the same, below the peak",
    ),
    case(
        small_training_step,
        lambda: (torch.optim.Adam(MODEL.parameters()), torch.randn(4, 512), torch.randn(4, 512)),
        traffic="Adam passes over all weights several times",
        allocation="some of these passes write into new memory",
    ),
]

if __name__ == "__main__":
    torch.set_num_threads(1)
    right = 0
    chosen = [each for each in CASES if not sys.argv[1:] or each.id in sys.argv[1:]]
    for each in chosen:
        seen = find_undisturbed(each)
        miss = seen.miss(each)
        right += miss is None
        print(f"| {each.id} | {seen.place} | {seen.reason} | {miss or 'right'} |", flush=True)
    print(f"{right} of {len(chosen)} right, from {Path(__file__).name}")
