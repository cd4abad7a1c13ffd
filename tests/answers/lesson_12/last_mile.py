"""Answers to last_mile."""

import torch

from answers import AnswersTo

answers = AnswersTo("last_mile")
answers.exception("nothing returned", "correct", says="Nothing was written into out")
answers.without("rounded to bfloat16 inside", "rounded to float32 inside")  # Pixels are exact in both.
_compile_without_code = torch.compile(backend="eager")


def _curve(values, low, high):
    t = ((values - low) / (high - low)).clamp(0, 1)
    return (t * t * (3 - 2 * t)) ** (1 / 2.2)


def _table(out, low, high):
    return _curve(torch.arange(256, dtype=out.dtype, device=out.device), low, high)


@answers.right("a table and index_select")
def by_index_select(x, low, high, out):
    rows = torch.index_select(_table(out, low, high), 0, x.flatten().int())
    out.copy_(rows.view(x.shape))


@answers.right("a table and take")
def by_take(x, low, high, out):
    torch.take(_table(out, low, high), x.long(), out=out)


answers.right("a table, indexed")(lambda x, low, high, out: out.copy_(_table(out, low, high)[x.int()]))


answers.wrong("the formula in float64 on 32 copies of each pixel", "fast")(
    lambda x, low, high, out: out.copy_(_curve(x.double().expand(32, *x.shape), low, high)[0])
)


@answers.wrong("out.data replaced", "correct", says="another memory")
def replace_the_memory(x, low, high, out):
    out.data = _table(out, low, high)[x.int()]


@answers.wrong("a float32 table for every buffer", "correct", says="a float64 buffer")
def a_float32_table(x, low, high, out):
    out.copy_(_table(torch.empty(0), low, high)[x.int()])


@answers.wrong("old values multiplied by 0", "correct", says="a buffer full of NaN")
def times_zero(x, low, high, out):
    out.mul_(0).add_(_table(out, low, high)[x.int()])


answers.wrong("a table of 255 values", "correct")(
    lambda x, low, high, out: out.copy_(_table(out, low, high)[:255][x.clamp(max=254).int()])
)


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def row_by_row(x, low, high, out):
    table = _table(out, low, high)
    for row, place in zip(x, out):
        place.copy_(table[row.int()])


@answers.wrong("unique, which reads values", "unlooped", says="Python waits for values")
def only_values_that_occur(x, low, high, out):
    values, places = x.unique(return_inverse=True)
    out.copy_(_curve(values.to(out.dtype), low, high)[places])


@answers.wrong("low subtracted in uint8", "correct", says="computed in 8 bits")
def subtracted_from_bytes(x, low, high, out):
    values = (x - low).to(out.dtype)
    out.copy_(_curve(values, 0, high - low))


_tables = {}


def _from_cached_table(key, x, low, high, out):
    """Write the curve of the first call with an equal key."""
    if key not in _tables:
        _tables[key] = _curve(torch.arange(256, dtype=out.dtype), low, high)
    out.copy_(_tables[key].to(out.device)[x.int()])


@answers.wrong("a table cached by the lower threshold", "correct", says="another upper one")
def cached_by_lower(x, low, high, out):
    _from_cached_table(("lower", low, out.dtype), x, low, high, out)


@answers.wrong("a table cached by the upper threshold", "correct", says="another lower one")
def cached_by_upper(x, low, high, out):
    _from_cached_table(("upper", high, out.dtype), x, low, high, out)


@answers.wrong("thresholds at least a hundredth apart", "correct", says="less than 1 apart")
def at_least_a_hundredth_apart(x, low, high, out):
    by_index_select(x, low, max(high, low + 0.01), out)


@answers.wrong("a lower threshold in float32", "correct", says="in float64")
def with_a_rounded_threshold(x, low, high, out):
    by_index_select(x, torch.tensor(low, dtype=torch.float32).item(), high, out)
