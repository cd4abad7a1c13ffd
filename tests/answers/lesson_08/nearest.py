"""Answers to nearest."""

import torch

from answers import AnswersTo

answers = AnswersTo("nearest")
answers.without("rounded to float32 inside")


def _rows(y, copies=2, budget=2**19):
    return max(1, budget // (copies * y.element_size() * len(y)))


@answers.right("cdist on parts of the questions")
def by_cdist(x, y):
    return torch.cat([torch.cdist(part, y).argmin(1) for part in x.split(_rows(y))])


@answers.right("squares and one product, into a preallocated result")
def by_product(x, y):
    squares = y.square().sum(1)
    indices = torch.empty(len(x), dtype=torch.int64, device=x.device)
    rows = _rows(y)
    for start in range(0, len(x), rows):
        torch.argmin(torch.addmm(squares, x[start : start + rows], y.T, alpha=-2), 1, out=indices[start : start + rows])
    return indices


@answers.right("differences, a few rows at a time")
def by_differences(x, y):
    parts = x.split(max(1, 2**19 // (4 * y.numel())))
    return torch.cat([(part[:, None] - y).square_().sum(2).argmin(1) for part in parts])


@answers.right("parts of the passages, with a running minimum")
def by_parts_of_y(x, y):
    best = x.new_full((len(x),), torch.inf)
    indices = torch.zeros(len(x), dtype=torch.int64, device=x.device)
    start = 0
    for part in y.split(64):
        distance, index = torch.cdist(x, part).min(1)
        nearer = distance < best
        best = torch.where(nearer, distance, best)
        indices = torch.where(nearer, index + start, indices)
        start += len(part)
    return indices


answers.wrong("the whole matrix", "unlooped", says="are alive at one time")(lambda x, y: torch.cdist(x, y).argmin(1))


@answers.wrong("a list of every part's distances", "unlooped", says="a name, a list")
def list_of_distances(x, y):
    distances = [torch.cdist(part, y) for part in x.split(64)]
    return torch.cat([part.argmin(1) for part in distances])


@answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")
def row_by_row(x, y):
    if len(x) == 0:
        return torch.empty(0, dtype=torch.int64, device=x.device)
    return torch.stack([(y - row).square().sum(1).argmin() for row in x])


answers.wrong("chunks of 4 rows", "unlooped", says="larger chunks take fewer operations")(
    lambda x, y: torch.cat([(part[:, None] - y).square_().sum(2).argmin(1) for part in x.split(4)])
)


@answers.wrong("indices within a part of y", "correct")
def indices_within_a_part(x, y):
    parts = [torch.cdist(x, part).min(1) for part in y.split(max(1, len(y) // 2))]
    nearest = torch.stack([part.values for part in parts]).argmin(0)
    return torch.stack([part.indices for part in parts]).gather(0, nearest[None])[0]


@answers.wrong("cat of a list that may be empty", "correct", says="no questions")
def nothing_to_join(x, y):
    return torch.cat([torch.cdist(x[i : i + 64], y).argmin(1) for i in range(0, len(x), 64)])


@answers.wrong("int8 values that wrap around", "correct", says="from -300 to 300")
def of_int8_values(x, y):
    return by_product(x.to(torch.int8).to(x.dtype), y.to(torch.int8).to(y.dtype))


@answers.wrong("scores in half precision", "correct")
def in_half_precision(x, y):
    scores = lambda part: (y * y).sum(1).half() - 2 * (part.half() @ y.half().T)
    return torch.cat([scores(part).argmin(1) for part in x.split(64)])


@answers.wrong("distances in half precision", "correct")
def roots_in_half_precision(x, y):
    squares = lambda part: (part * part).sum(1, keepdim=True) + (y * y).sum(1) - 2 * part @ y.T
    return torch.cat([squares(part).clamp(min=0).sqrt().half().argmin(1) for part in x.split(64)])


answers.wrong("indices in int16", "correct", says="147,457 passages")(lambda x, y: by_cdist(x, y).short().long())


@answers.wrong("the first 4,096 passages only", "correct", says="147,457 passages")
def of_early_passages(x, y):
    return by_cdist(x, y[:4096])


@answers.wrong("the first 64 columns only", "correct", says="300 columns")
def of_64_columns(x, y):
    return by_cdist(x[:, :64], y[:, :64])


@answers.wrong("one index for a single passage", "correct", says="a single passage")
def of_a_single_passage(x, y):
    return by_cdist(x, y) if len(y) > 1 else torch.zeros(1, dtype=torch.int64, device=x.device)


@answers.wrong("distances and indices in one float32 number", "correct", says="3,960,001 and 3,960,000")
def with_indices_in_float32(x, y):
    shares = torch.arange(len(y), device=x.device) / len(y)
    squares = lambda part: (part * part).sum(1, keepdim=True) + (y * y).sum(1) - 2 * part @ y.T
    return torch.cat([(squares(part) + shares).argmin(1) for part in x.split(4)])


@answers.wrong("distances and indices in one int32 number", "correct", says="147,457 passages")
def with_indices_in_int32(x, y):
    indices = torch.arange(len(y), dtype=torch.int32, device=x.device)
    squares = lambda part: (part * part).sum(1, keepdim=True) + (y * y).sum(1) - 2 * part @ y.T
    return torch.cat([(squares(part).int() * len(y) + indices).amin(1).long() % len(y) for part in x.split(32)])


answers.wrong("a number of rows that can be 0", "correct", says="147,457 passages")(
    lambda x, y: torch.cat([torch.cdist(part, y).argmin(1) for part in x.split(2**17 // len(y))])
)
