"""Answers to feed_batch."""

import torch

from answers import AnswersTo

answers = AnswersTo("feed_batch")

answers.exception("nothing returned", "correct", says="Nothing was written into batch")


def _pieces(ring, start, batch):
    head = min(len(batch), len(ring) - start)
    return (ring[start : start + head], batch[:head]), (ring[: len(batch) - head], batch[head:])


@answers.right("one pass per piece")
def by_addcmul(ring, start, scale, shift, batch):
    for rows, out in _pieces(ring, start, batch):
        torch.addcmul(shift, rows, scale, out=out)
    return batch


@answers.right("mul into the batch, then add_")
def by_mul_and_add(ring, start, scale, shift, batch):
    for rows, out in _pieces(ring, start, batch):
        torch.mul(rows, scale, out=out).add_(shift)


@answers.right("copied, then scaled in place")
def by_copy(ring, start, scale, shift, batch):
    for rows, out in _pieces(ring, start, batch):
        out.copy_(rows)
    batch.mul_(scale).add_(shift)


@answers.right("rows selected by an index")
def by_index(ring, start, scale, shift, batch):
    rows = torch.arange(start, start + len(batch), device=ring.device) % len(ring)
    batch[:] = ring[rows] * scale + shift


@answers.right("one cat of two slices")
def by_cat(ring, start, scale, shift, batch):
    (head, _), (tail, _) = _pieces(ring, start, batch)
    batch.copy_(torch.cat([head, tail]) * scale + shift)


@answers.wrong("a loop over rows without synchronization", "unlooped", says="a loop still runs over it")
def row_by_row(ring, start, scale, shift, batch):
    for i in range(len(batch)):
        torch.addcmul(shift, ring[(start + i) % len(ring)], scale, out=batch[i])


@answers.wrong("through lists", "unlooped", says=".tolist()")
def through_lists(ring, start, scale, shift, batch):
    rows = [row for piece, _ in _pieces(ring, start, batch) for row in piece.tolist()]
    rows = torch.tensor(rows, dtype=ring.dtype, device=ring.device).reshape(batch.shape)
    torch.addcmul(shift, rows, scale, out=batch)


@answers.wrong("rows selected by a product with a 0/1 matrix", "correct", says="NaN")
def picked_by_a_product(ring, start, scale, shift, batch):
    rows = (start + torch.arange(len(batch), device=ring.device)) % len(ring)
    picks = rows[:, None] == torch.arange(len(ring), device=ring.device)
    batch.copy_(picks.to(ring.dtype) @ ring * scale + shift)


@answers.wrong("batch.data replaced", "correct", says="another memory")
def replace_the_memory(ring, start, scale, shift, batch):
    rows = torch.arange(start, start + len(batch), device=ring.device) % len(ring)
    batch.data = ring[rows] * scale + shift


_filled = set()


@answers.wrong("a batch filled once for each start", "correct")
def filled_once(ring, start, scale, shift, batch):
    if (id(batch), start) not in _filled:
        _filled.add((id(batch), start))
        by_addcmul(ring, start, scale, shift, batch)


@answers.wrong("a flat view of the batch", "correct", says="gaps in memory")
def flat_view(ring, start, scale, shift, batch):
    batch.view(-1).copy_((ring.roll(-start, 0)[: len(batch)] * scale + shift).flatten())


@answers.wrong("the shift divided by the scale first", "correct", says="a scale of 0")
def shifted_first(ring, start, scale, shift, batch):
    batch.copy_((ring.roll(-start, 0)[: len(batch)] + shift / scale) * scale)


@answers.wrong("writes beyond the batch", "correct", says="gaps")
def beyond_the_batch(ring, start, scale, shift, batch):
    head = len(ring) - start
    torch.addcmul(shift, ring[start:], scale, out=batch[:head])
    torch.addcmul(shift, ring[: len(batch) - head], scale, out=batch[head:])


@answers.wrong("a loop over the columns", "unlooped", says="grows with the input")
def column_by_column(ring, start, scale, shift, batch):
    for rows, out in _pieces(ring, start, batch):
        for k in range(len(scale)):
            torch.addcmul(shift[k], rows[:, k], scale[k], out=out[:, k])


@answers.wrong("the first 4,096 columns only", "correct", says="5,000 columns")
def first_columns_only(ring, start, scale, shift, batch):
    by_addcmul(ring, start, scale, shift, batch)
    batch[:, 4096:] = 0
