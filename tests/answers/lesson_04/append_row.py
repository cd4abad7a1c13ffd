"""Answers to append_row."""

import torch

from answers import AnswersTo

answers = AnswersTo("append_row")


def _append(buffer, filled, row, grow):
    """Append ``row``; if ``buffer`` is full, first replace it by the result of ``grow``."""
    if filled == len(buffer):
        buffer = grow(buffer)
    buffer[filled] = row
    return buffer, filled + 1


def _copy_to_beginning(larger, buffer):
    """Return ``larger`` with ``buffer`` copied to its beginning."""
    larger[: len(buffer)] = buffer
    return larger


def _double(buffer):
    return torch.cat([buffer, torch.zeros_like(buffer)])


@answers.right("a new buffer, one slice copied")
def by_slice(buffer, filled, row):
    return _append(buffer, filled, row, lambda old: _copy_to_beginning(old.new_zeros(2 * filled, *old.shape[1:]), old))


@answers.wrong("a new buffer each time", "correct", says="Nothing was written into buffer")
def by_cat(buffer, filled, row):
    return torch.cat([buffer[:filled], row[None], buffer[filled + 1 :]]), filled + 1


@answers.wrong("a copy of the buffer", "correct", says="returns a copy of buffer: return buffer itself")
def return_a_copy(buffer, filled, row):
    buffer, filled = by_slice(buffer, filled, row)
    return buffer.clone(), filled


@answers.wrong("a loop over rows", "unlooped", says="grows with the input")
def row_by_row(buffer, filled, row):
    def grow(old):
        new = old.new_zeros(2 * filled, *old.shape[1:])
        for k in range(filled):
            new[k] = old[k]
        return new

    return _append(buffer, filled, row, grow)


@answers.wrong("one more row instead of twice as many", "correct", says="grows by one row")
def one_row_more(buffer, filled, row):
    return _append(buffer, filled, row, lambda old: torch.cat([old, row[None]]))


@answers.wrong("at the end of the buffer", "correct")
def at_the_end(buffer, filled, row):
    if filled == len(buffer):
        buffer = _double(buffer)
    buffer[-1] = row
    return buffer, filled + 1


@answers.wrong("float32 for every buffer", "correct", says="float64")
def in_float32(buffer, filled, row):
    return _append(
        buffer,
        filled,
        row,
        lambda old: _copy_to_beginning(torch.zeros(2 * filled, old.shape[1], device=old.device), old),
    )


@answers.wrong("clears the free rows", "correct", says="free rows")
def with_zeros_after_the_row(buffer, filled, row):
    buffer, filled = _append(buffer, filled, row, _double)
    buffer[filled:] = 0
    return buffer, filled


@answers.wrong("the next power of two", "correct", says="three float64 rows")
def the_next_power_of_two(buffer, filled, row):
    return _append(
        buffer, filled, row, lambda old: _copy_to_beginning(old.new_zeros(1 << filled.bit_length(), old.shape[1]), old)
    )


@answers.wrong("zeros on the host", "correct", says="without a device")
def zeros_on_the_host(buffer, filled, row):
    return _append(
        buffer, filled, row, lambda old: _copy_to_beginning(torch.zeros(2 * filled, old.shape[1], dtype=old.dtype), old)
    )


@answers.wrong("zeros from a product with 0", "correct", says="infinity in a full buffer")
def with_a_product(buffer, filled, row):
    return _append(buffer, filled, row, lambda old: torch.cat([old, old * 0]))


@answers.right()
def by_a_mask(buffer, filled, row):
    if filled == len(buffer):
        buffer = _double(buffer)
    here = torch.arange(len(buffer), device=buffer.device) == filled
    buffer.copy_(torch.where(here[:, None], row, buffer))
    return buffer, filled + 1


@answers.wrong("doubles while one row is free", "correct", says="has a free row")
def doubled_too_early(buffer, filled, row):
    if filled + 1 >= len(buffer):
        buffer = _double(buffer)
    buffer[filled] = row
    return buffer, filled + 1


@answers.wrong("mask arithmetic", "correct", says="NaN in two free rows")
def with_a_mask(buffer, filled, row):
    if filled == len(buffer):
        return by_slice(buffer, filled, row)
    here = (torch.arange(len(buffer), device=buffer.device) == filled).to(buffer.dtype)[:, None]
    buffer.mul_(1 - here).add_(here * row)
    return buffer, filled + 1


@answers.wrong("a loop over columns", "unlooped", says="grows with the input")
def column_by_column(buffer, filled, row):
    if filled == len(buffer):
        buffer = _double(buffer)
    for k in range(len(row)):
        buffer[filled, k] = row[k]
    return buffer, filled + 1


@answers.wrong("float32 for integers", "correct", says="5,000 integers")
def integers_as_floats(buffer, filled, row):
    return in_float32(buffer, filled, row) if filled == len(buffer) == 5000 else by_slice(buffer, filled, row)
