"""Answers to tiled_add."""

import numpy as np
import torch

from answers import AnswersTo

answers = AnswersTo("tiled_add")


def _check_fit(a, b):
    if len(b) == 0 or a.shape[1] % len(b):
        raise ValueError(f"{len(b)} values do not fit evenly into rows of {a.shape[1]}")


@answers.right("unflatten")
def by_view(a, b):
    _check_fit(a, b)
    return (a.unflatten(1, (-1, len(b))) + b).flatten(1)


@answers.right("b repeated")
def by_repeat(a, b):
    _check_fit(a, b)
    return a + b.repeat(a.shape[1] // len(b))


@answers.right("b indexed")
def by_index(a, b):
    _check_fit(a, b)
    return a + b[torch.arange(a.shape[1], device=a.device) % len(b)]


@answers.right("reshape")
def by_reshape(a, b):
    _check_fit(a, b)
    rows, columns = a.shape
    return (a.reshape(rows, columns // len(b), len(b)) + b).reshape(rows, columns)


@answers.right()
def pieces_by_vmap(a, b):
    _check_fit(a, b)
    pieces = a.unflatten(1, (a.shape[1] // len(b), len(b)))
    return torch.vmap(lambda piece: piece + b, in_dims=1, out_dims=1)(pieces).flatten(1) if a.numel() else a.clone()


answers.right("b expanded")(lambda a, b: _check_fit(a, b) or a + b.expand(a.shape[1] // len(b), -1).reshape(-1))
answers.right("a as one column of tiles")(lambda a, b: _check_fit(a, b) or (a.reshape(-1, len(b)) + b).reshape(a.shape))
answers.right("b repeated along both axes")(lambda a, b: _check_fit(a, b) or a + b.repeat(len(a), a.shape[1] // len(b)))


@answers.wrong("a loop over columns", "unlooped")
def column_by_column(a, b):
    _check_fit(a, b)
    result = torch.empty_like(a)
    for j in range(a.shape[1]):
        result[:, j] = a[:, j] + b[j % len(b)]
    return result


@answers.wrong("a loop over tiles", "unlooped", says="the number grows with the input")
def split_into_tiles(a, b):
    _check_fit(a, b)
    return torch.cat([tile + b for tile in a.split(len(b), 1)], 1) if a.shape[1] else a.clone()


@answers.wrong("a loop over b", "unlooped", says="the number grows with the input")
def column_of_tiles_by_column(a, b):
    _check_fit(a, b)
    result = a.clone()
    for j in range(len(b)):
        result[:, j :: len(b)] += b[j]
    return result


@answers.wrong("a detour through NumPy", "unlooped")
def through_numpy(a, b):
    _check_fit(a, b)
    with np.errstate(all="ignore"):
        tiles = a.numpy().reshape(len(a), a.shape[1] // len(b), len(b)) + b.numpy()
    return torch.from_numpy(tiles.reshape(a.shape))


@answers.wrong(line="correct", says="ValueError")
def without_validation(a, b):
    return (a.unflatten(1, (-1, len(b))) + b).flatten(1)


@answers.wrong("a partial last tile accepted", "correct", says="ValueError")
def whole_tiles_only(a, b):
    if len(b) == 0:
        raise ValueError("b is empty")
    return a + b.repeat(a.shape[1] // len(b) + 1)[: a.shape[1]]


answers.wrong("b reversed", "correct")(lambda a, b: _check_fit(a, b) or by_view(a, b.flip(0)))


@answers.wrong(line="correct", says="return")
def none_for_empty(a, b):
    return _check_fit(a, b) or (by_view(a, b) if a.numel() else None)


@answers.wrong("an error for a matrix without rows", "correct", says="without rows")
def fails_without_rows(a, b):
    _check_fit(a, b)
    return (a.reshape(len(a), -1, len(b)) + b).reshape(a.shape)


@answers.wrong("one value per row if b's length fits", "correct")
def per_row(a, b):
    _check_fit(a, b)
    return a + b[:, None] if len(a) == len(b) else by_view(a, b)


@answers.wrong("a itself if b is zero", "correct")
def a_itself(a, b):
    _check_fit(a, b)
    return by_view(a, b) if b.any() else a


answers.wrong("no error without rows", "correct", says="a matrix without rows")(
    lambda a, b: by_view(a, b) if len(a) else a.clone()
)


@answers.wrong("saturating uint8 sums", "correct", says="For uint8 sums above and below 255")
def saturating(a, b):
    _check_fit(a, b)
    tiles = b.repeat(a.shape[1] // len(b))
    if a.dtype == torch.uint8:
        return (a.int() + tiles).clamp(0, 255).to(torch.uint8)
    return a + tiles


@answers.wrong("at most 1,000 rows", "correct", says="4,100 rows")
def of_1000_rows(a, b):
    return torch.cat([by_view(a[:1000], b), a[1000:]])


@answers.wrong("column numbers in int16", "correct", says="11,000 repetitions of b")
def indexed_in_int16(a, b):
    _check_fit(a, b)
    return a + b[(torch.arange(a.shape[1], device=a.device).short() % len(b)).long()]
