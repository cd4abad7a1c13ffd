"""Answers to append_row."""

import torch

from answers import AnswersTo

answers = AnswersTo("append_row")


@answers.right("a new buffer, one slice copied")
def by_slice(buffer, filled, row):
    if filled == len(buffer):
        grown = buffer.new_zeros(2 * filled, *buffer.shape[1:])
        grown[:filled] = buffer
        buffer = grown
    buffer[filled] = row
    return buffer, filled + 1


@answers.wrong("a new buffer each time", "correct")
def by_cat(buffer, filled, row):
    return torch.cat([buffer[:filled], row[None], buffer[filled + 1 :]]), filled + 1


@answers.wrong("a copy of the buffer", "correct", says="returns a copy of buffer: return buffer itself")
def return_a_copy(buffer, filled, row):
    buffer, filled = by_slice(buffer, filled, row)
    return buffer.clone(), filled


@answers.wrong("row by row", "unlooped", says="grows with the input")
def row_by_row(buffer, filled, row):
    if filled == len(buffer):
        grown = buffer.new_zeros(2 * filled, *buffer.shape[1:])
        for k in range(filled):
            grown[k] = buffer[k]
        buffer = grown
    buffer[filled] = row
    return buffer, filled + 1


@answers.wrong("one row more, not twice as many", "correct", says="shape")
def one_row_more(buffer, filled, row):
    if filled == len(buffer):
        buffer = torch.cat([buffer, row[None]])
    buffer[filled] = row
    return buffer, filled + 1


@answers.wrong("at the end of the buffer", "correct")
def at_the_end(buffer, filled, row):
    if filled == len(buffer):
        buffer = torch.cat([buffer, torch.zeros_like(buffer)])
    buffer[-1] = row
    return buffer, filled + 1


@answers.wrong("float32 for every buffer", "correct", says="float64")
def in_float32(buffer, filled, row):
    if filled == len(buffer):
        grown = torch.zeros(2 * filled, buffer.shape[1], device=buffer.device)
        grown[:filled] = buffer
        buffer = grown
    buffer[filled] = row
    return buffer, filled + 1


@answers.wrong("zeros after the row, in a buffer with free rows", "correct", says="free rows")
def with_zeros_after_the_row(buffer, filled, row):
    if filled == len(buffer):
        buffer = torch.cat([buffer, torch.zeros_like(buffer)])
    buffer[filled] = row
    buffer[filled + 1 :] = 0
    return buffer, filled + 1


@answers.wrong("the next power of two", "correct", says="three float64 rows")
def the_next_power_of_two(buffer, filled, row):
    if filled == len(buffer):
        grown = buffer.new_zeros(1 << filled.bit_length(), buffer.shape[1])
        grown[:filled] = buffer
        buffer = grown
    buffer[filled] = row
    return buffer, filled + 1


@answers.wrong("zeros on the host", "correct", says="without a device")
def zeros_on_the_host(buffer, filled, row):
    if filled == len(buffer):
        grown = torch.zeros(2 * filled, buffer.shape[1], dtype=buffer.dtype)
        grown[:filled] = buffer
        buffer = grown
    buffer[filled] = row
    return buffer, filled + 1


@answers.wrong("the old rows times 0", "correct", says="infinity in a full buffer")
def with_a_product(buffer, filled, row):
    if filled == len(buffer):
        buffer = torch.cat([buffer, buffer * 0])
    buffer[filled] = row
    return buffer, filled + 1


@answers.right()
def by_a_mask(buffer, filled, row):
    if filled == len(buffer):
        buffer = torch.cat([buffer, torch.zeros_like(buffer)])
    here = torch.arange(len(buffer), device=buffer.device) == filled
    buffer.copy_(torch.where(here[:, None], row, buffer))
    return buffer, filled + 1


@answers.wrong("doubled with the last free row", "correct", says="has a free row")
def doubled_too_early(buffer, filled, row):
    if filled + 1 >= len(buffer):
        buffer = torch.cat([buffer, torch.zeros_like(buffer)])
    buffer[filled] = row
    return buffer, filled + 1


@answers.wrong("the free row's old values times 0", "correct", says="NaN in two free rows")
def with_a_mask(buffer, filled, row):
    if filled == len(buffer):
        return by_slice(buffer, filled, row)
    here = (torch.arange(len(buffer), device=buffer.device) == filled).to(buffer.dtype)[:, None]
    buffer.mul_(1 - here).add_(here * row)
    return buffer, filled + 1
