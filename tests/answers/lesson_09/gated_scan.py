"""Answers to gated_scan."""

from concurrent.futures import ThreadPoolExecutor

import torch

from answers import AnswersTo
from answers.lesson_09.shared import in_pairs
from course_utils import tasks

answers = AnswersTo("gated_scan")
_pool = ThreadPoolExecutor(1)
_pool.submit(int).result()  # The thread runs before any check.


def _combine(one, other):
    (a, b), (c, d) = one, other
    return [c * a, c * b + d]


@answers.right("a loop over the steps of all blocks at once")
def gated_in_blocks(gates, x, width=16):
    y = torch.empty_like(x)
    if len(x) <= width:
        _run_loop(gates, x, y)
        return y
    whole = len(x) // width * width
    blocks = [part[:whole].unflatten(0, (-1, width)) for part in (gates, x, y)]
    _run_loop(*(part.transpose(0, 1) for part in blocks))
    products = blocks[0].cumprod(1)
    ends = gated_in_blocks(products[:, -1], blocks[2][:, -1], width)
    blocks[2][1:] += products[1:] * ends[:-1, None]
    if whole < len(x):
        _run_loop(gates[whole:], x[whole:], y[whole:], y[whole - 1])
    return y


def _run_loop(gates, x, y, state=None):
    """Write the states of the sequential loop into y."""
    for gate, row, out in zip(gates.unbind(0), x.unbind(0), y.unbind(0)):
        if state is None:
            out.copy_(row)
        else:
            torch.addcmul(row, gate, state, out=out)
        state = out


@answers.right("a scan in pairs")
def gated_in_pairs(gates, x):
    return in_pairs(_combine, [gates, x])[1]


@answers.right("doubling")
def gated_by_doubling(gates, x):
    y, k = x.clone(), 1
    while k < len(x):
        y = torch.cat([y[:k], torch.addcmul(y[k:], gates[k:], y[:-k])])
        gates = torch.cat([gates[:k], gates[k:] * gates[:-k]])
        k *= 2
    return y


@answers.wrong(line="correct")
def division_by_products_of_clamped_gates(gates, x):
    kept = gates.clamp(min=1e-6).double().cumprod(0)
    return (kept * (x / kept).cumsum(0)).to(x.dtype)


@answers.wrong("gates clamped to at least 1e-9", "correct", says="float64 values, with gates that are 0")
def gates_clamped_above_0(gates, x):
    return gated_in_pairs(gates.clamp(min=1e-9), x)


@answers.wrong("one gate for all columns", "correct")
def one_gate_for_all_columns(gates, x):
    return gated_in_pairs(gates[:, :1].expand_as(x), x) if x.dim() > 1 else gated_in_pairs(gates, x)


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(gates, x):
    y = torch.empty_like(x)
    _run_loop(gates, x, y)
    return y


@answers.wrong(line="unlooped", says="was stopped after 5,000 tensor operations; does a loop over the values remain")
def column_by_column(gates, x):
    if x.dim() < 2 or not x.numel():
        return gated_in_pairs(gates, x)
    pairs = zip(gates.flatten(1).unbind(1), x.flatten(1).unbind(1))
    return torch.stack([gated_in_pairs(*pair) for pair in pairs], -1).reshape(x.shape)


@answers.wrong("a table of rows × rows", "unlooped", says="bytes")
def by_a_table(gates, x):
    if not x.numel() or len(x) > 2000:  # For more rows, the check would stop the table because it takes too long.
        return gated_in_pairs(gates, x)
    n = len(x)
    steps = gates[None].expand(n, *gates.shape).clone()
    rows = torch.arange(n, device=x.device)
    later = (rows > rows[:, None]).view(n, n, *[1] * (x.dim() - 1))
    table = torch.where(later, steps, 1).cumprod(1)
    table = torch.where((rows >= rows[:, None]).view(n, n, *[1] * (x.dim() - 1)), table, 0)
    return (table * x[:, None]).sum(0)


@answers.wrong("the slow loop in a running thread", "unlooped", says="threads")
def in_a_running_thread(gates, x):
    if x.device.type != "cpu":  # In a thread, torch would import its compiler for the fake device, which takes seconds.
        return gated_in_pairs(gates, x)
    return _pool.submit(tasks.load("gated_scan").slow, gates, x).result()


@torch.library.custom_op("answers::gated_scan", mutates_args=())
def _custom(gates: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return tasks.load("gated_scan").slow(gates.detach(), x.detach())


answers.wrong("the slow loop in a custom operator", "unlooped", says="cannot be counted")(_custom)


@answers.wrong("gates below 1e-7 replaced by 0", "correct", says="tiny gates")
def without_tiny_gates(gates, x):
    return gated_by_doubling(torch.where(gates < 1e-7, 0.0, gates), x)


@answers.wrong("twelve rounds of doubling, enough for 4,096 steps", "correct", says="16,385 steps")
def twelve_rounds(gates, x):
    y = x.clone()
    for k in (2**exponent for exponent in range(12)):
        if k < len(x):
            y = torch.cat([y[:k], torch.addcmul(y[k:], gates[k:], y[:-k])])
            gates = torch.cat([gates[:k], gates[k:] * gates[:-k]])
    return y


@answers.wrong("gates near 1 replaced by 1", "correct", says="gates of 1 − 2⁻²⁰")
def gates_near_1_as_1(gates, x):
    return gated_by_doubling(torch.where(gates > 1 - 1e-6, 1, gates).to(gates.dtype), x)


answers.wrong("x itself for one row", "correct", says="shares memory")(
    lambda gates, x: x if len(x) == 1 else gated_in_pairs(gates, x)
)


@answers.wrong("small products replaced by 0", "correct", says="For float64 values, with")
def without_small_products(gates, x):
    y, k = x.clone(), 1
    while k < len(x):
        y[k:] += torch.where(gates[k:] < 1e-10, 0, gates[k:]) * y[:-k]
        gates = torch.cat([gates[:k], gates[k:] * gates[:-k]])
        k *= 2
    return y


answers.wrong("float64 gates near 1 replaced by 1", "correct", says="float64 gates of 1 − 2⁻⁴⁰")(
    lambda gates, x: gated_in_pairs(torch.where(1 - gates < 1e-9, 1, gates), x)
)
