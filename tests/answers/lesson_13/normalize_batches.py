"""Answers to normalize_batches."""

import torch

from answers import AnswersTo

answers = AnswersTo("normalize_batches")
answers.exception("nothing returned", "correct", says="expected a list")


@answers.right("constants transferred once")
def transferred_once(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    return [(batch.to(device, non_blocking=True) - mean) / std for batch in batches]


@answers.right("a product with the inverse")
def by_the_inverse(batches, mean, std, device):
    mean, inverse = mean.to(device), 1 / std.to(device)
    return [(batch.to(device) - mean) * inverse for batch in batches]


@answers.wrong("a difference of quotients", "correct", says="subtract `mean` first")
def by_quotients(batches, mean, std, device):
    std = std.to(device)
    shift = mean.to(device) / std
    return [batch.to(device) / std - shift for batch in batches]


@answers.wrong("scale and shift", "correct", says="columns far from zero")
def scale_and_shift(batches, mean, std, device):
    scale, shift = 1 / std.to(device), (mean / std).to(device)
    return [torch.addcmul(-shift, batch.to(device), scale) for batch in batches]


@answers.right("one cat of all batches")
def in_one_piece(batches, mean, std, device):
    if not batches:
        return []
    rows = [len(batch) for batch in batches]
    together = (torch.cat(batches).to(device) - mean.to(device)) / std.to(device)
    return [part.clone() for part in together.split(rows)]


@answers.wrong("the first batch only", "correct")
def first_batch_only(batches, mean, std, device):
    done = transferred_once(batches, mean, std, device)
    return done[:1] + [batch.clone() for batch in batches[1:]]


@answers.wrong("a loop over columns on the device", "unlooped")
def column_by_column(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    result = []
    for batch in batches:
        out = batch.to(device).clone()
        for j in range(out.shape[1]):
            out[:, j] = (out[:, j] - mean[j]) / std[j]
        result.append(out)
    return result


@answers.wrong("a loop over rows", "unlooped")
def row_by_row(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    moved = [batch.to(device) for batch in batches]
    return [torch.stack([(row - mean) / std for row in batch]) if len(batch) else batch.clone() for batch in moved]


@answers.wrong("constants transferred in the loop", "unlooped", says="9 transfers")
def constants_in_the_loop(batches, mean, std, device):
    return [(batch.to(device) - mean.to(device)) / std.to(device) for batch in batches]


@answers.wrong(line="correct", says="Cannot copy out of meta")
def to_the_host_and_back(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    return [((batch.to(device) - mean) / std).cpu().to(device) for batch in batches]


@answers.wrong("batches changed in place", "correct", says="input")
def in_place(batches, mean, std, device):
    return [batch.sub_(mean).div_(std) for batch in batches]


answers.wrong("in reverse order", "correct")(lambda *inputs: transferred_once(*inputs)[::-1])


@answers.wrong("infinity and NaN replaced by 0", "correct", says="a std of 0")
def without_infinity(*inputs):
    return [batch.nan_to_num(0.0, 0.0, 0.0) for batch in transferred_once(*inputs)]


@answers.wrong("the first 4,096 rows only", "correct", says="batches of 5,000 rows")
def first_rows_only(batches, mean, std, device):
    results = transferred_once(batches, mean, std, device)
    for result in results:
        result[4096:] = 0
    return results


@answers.wrong("std left on the host, divided in place", "correct", says="a tensor on the host meets one on the device")
def divided_in_place(batches, mean, std, device):
    mean = mean.to(device)
    return [(batch.to(device) - mean).div_(std) for batch in batches]
