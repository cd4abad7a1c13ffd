"""Answers to standardize_in_chunks."""

import torch

from answers import AnswersTo

answers = AnswersTo("standardize_in_chunks")


def _parts(x, chunk):
    return (x[start : start + chunk] for start in range(0, len(x), chunk))


def _mean(x, chunk):
    total = torch.zeros(x.shape[1], dtype=torch.float64)
    for part in _parts(x, chunk):
        total += part.sum(0, dtype=torch.float64)
    return total / len(x)


def _std(x, chunk, mean):
    squares = torch.zeros(x.shape[1], dtype=torch.float64)
    for part in _parts(x, chunk):
        squares += (part - mean).square().sum(0)
    std = (squares / len(x)).sqrt()
    return std.masked_fill(std == 0, 1)


def _scale(x, chunk, mean, std):
    result = torch.empty(x.shape, dtype=x.dtype)
    for start in range(0, len(x), chunk):
        result[start : start + chunk] = (x[start : start + chunk] - mean) / std
    return result


@answers.right("float64 sums in three passes")
def in_float64(x, chunk):
    mean = _mean(x, chunk)
    return _scale(x, chunk, mean, _std(x, chunk, mean))


@answers.right("float32, with the first row subtracted")
def shifted(x, chunk):
    first = x[0:1]
    mean = sum((part - first).sum(0) for part in _parts(x, chunk)) / len(x)
    std = (sum(((part - first) - mean).square().sum(0) for part in _parts(x, chunk)) / len(x)).sqrt()
    std[std == 0] = 1
    result = torch.empty(x.shape, dtype=x.dtype)
    for part, place in zip(_parts(x, chunk), result.split(chunk)):
        place.copy_(((part - first) - mean) / std)
    return result


@answers.right("preallocated, then in place")
def in_place(x, chunk):
    result = torch.empty(x.shape, dtype=x.dtype)
    first = x[0:1]
    for start in range(0, len(x), chunk):
        torch.sub(x[start : start + chunk], first, out=result[start : start + chunk])
    result -= result.mean(0)
    std = torch.linalg.vector_norm(result, dim=0) / len(x) ** 0.5
    return result.div_(torch.where(std > 0, std, torch.ones_like(std)))


@answers.wrong("the whole table read", "correct", says="read at most chunk rows at a time")
def all_rows(x, chunk):
    values = x[:].double()
    return ((values - values.mean(0)) / values.std(0, correction=0)).to(x.dtype)


@answers.wrong("the mean of the squares minus the squared mean", "correct")
def one_formula(x, chunk):
    total, squares = torch.zeros(x.shape[1]), torch.zeros(x.shape[1])
    for part in _parts(x, chunk):
        total, squares = total + part.sum(0), squares + part.square().sum(0)
    mean = total / len(x)
    std = (squares / len(x) - mean.square()).sqrt()
    return torch.cat([(part - mean) / std for part in _parts(x, chunk)])


@answers.wrong("nearly constant columns count as constant", "correct", says="about 1e-16")
def with_a_least_deviation(x, chunk):
    mean = _mean(x, chunk)
    std = _std(x, chunk, mean)
    std[std < 1e-12] = torch.inf
    return _scale(x, chunk, mean, std)


@answers.wrong("sums in float32", "correct")
def in_float32(x, chunk):
    mean = sum(part.sum(0) for part in _parts(x, chunk)) / len(x)
    std = (sum((part - mean).square().sum(0) for part in _parts(x, chunk)) / len(x)).sqrt()
    std[std == 0] = 1
    return _scale(x, chunk, mean, std)


@answers.wrong("parts, joined at the end", "unlooped", says="are alive at one time")
def joined(x, chunk):
    mean = _mean(x, chunk)
    std = _std(x, chunk, mean)
    return torch.cat([((part - mean) / std).to(x.dtype) for part in _parts(x, chunk)])


@answers.wrong("everything in float64", "unlooped", says="are alive at one time")
def all_in_float64(x, chunk):
    result = torch.empty(x.shape, dtype=torch.float64)
    for start in range(0, len(x), chunk):
        result[start : start + chunk] = x[start : start + chunk]
    result -= result.mean(0)
    std = result.square().mean(0).sqrt()
    return result.div_(std.masked_fill(std == 0, 1)).to(x.dtype)


answers.wrong("a loop over rows", "unlooped", says="the number grows with the input")(lambda x, chunk: in_float64(x, 1))


@answers.wrong("equal weights for all chunks", "correct", says="are means over the chunks")
def equal_weights(x, chunk):
    mean = torch.stack([part.mean(0, dtype=torch.float64) for part in _parts(x, chunk)]).mean(0)
    std = torch.stack([(part - mean).square().mean(0) for part in _parts(x, chunk)]).mean(0).sqrt()
    return _scale(x, chunk, mean, std)


@answers.wrong("statistics of the full chunks", "correct", says="after the last full chunk")
def full_chunks_only(x, chunk):
    parts = [part for part in _parts(x, chunk) if len(part) == chunk] or list(_parts(x, chunk))
    count = sum(map(len, parts))
    mean = sum(part.sum(0, dtype=torch.float64) for part in parts) / count
    std = (sum((part - mean).square().sum(0) for part in parts) / count).sqrt()
    return _scale(x, chunk, mean, std.masked_fill(std == 0, 1))


@answers.wrong("a loop over the columns of each chunk", "unlooped", says="tensor operations")
def column_by_column(x, chunk):
    columns, first = range(x.shape[1]), x[0:1]
    sums = [
        torch.stack([(part[:, k] - first[:, k]).sum(dtype=torch.float64) for k in columns]) for part in _parts(x, chunk)
    ]
    mean = first[0] + torch.stack(sums).sum(0) / len(x)
    squares = [torch.stack([(part[:, k] - mean[k : k + 1]).norm() for k in columns]) for part in _parts(x, chunk)]
    std = torch.stack(squares).square().sum(0).div(len(x)).sqrt()
    return _scale(x, chunk, mean, std.masked_fill(std == 0, 1))


@answers.wrong("rounded shares of the mean", "correct", says="a constant column")
def rounded_shares(x, chunk):
    mean = sum(part.sum(0, dtype=torch.float64) / len(x) for part in _parts(x, chunk))
    return _scale(x, chunk, mean, _std(x, chunk, mean))


@answers.wrong("results limited to 6", "correct", says="a value far from the others")
def limited(x, chunk):
    return in_float64(x, chunk).clamp(-6, 6)


@answers.wrong("a single row as it is", "correct", says="a single row")
def single_row(x, chunk):
    return x[0:1] if len(x) == 1 else in_float64(x, chunk)


@answers.wrong("the number of chunks plus 0.999, rounded down", "correct", says="the first and the last are far")
def rounded_chunks(x, chunk):
    starts = range(0, chunk * int(len(x) / chunk + 0.999), chunk)
    mean = sum(x[start : start + chunk].sum(0, dtype=torch.float64) for start in starts) / len(x)
    squares = sum((x[start : start + chunk] - mean).square().sum(0) for start in starts)
    std = (squares / len(x)).sqrt()
    return _scale(x, chunk, mean, std.masked_fill(std == 0, 1))
