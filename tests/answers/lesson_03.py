"""Answers to the exercises of lesson 03."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from answers.table import right, wrong
from answers.tricks import cached_first, forging_clocks, forging_comparisons, forging_the_check, only_for
from course_utils.tasks.lesson_03_element_loops.task_1_clip_and_scale import TASK as CLIP_AND_SCALE
from course_utils.tasks.lesson_03_element_loops.task_1_clip_and_scale import clip_and_scale_slow
from course_utils.tasks.lesson_03_element_loops.task_2_tiled_add import TASK as TILED_ADD
from course_utils.tasks.lesson_03_element_loops.task_2_tiled_add import tiled_add_slow
from course_utils.tasks.lesson_03_element_loops.task_3_step_states import step_states_slow

# clip_and_scale


def scaled(x, low, high):
    return (x - low) / (high - low)


def by_clamp(x, low, high):
    return scaled(x, low, high).clamp(0, 1)


def by_where(x, low, high):
    return torch.where(x < low, 0, torch.where(x > high, 1, scaled(x, low, high)))


def by_masks(x, low, high):
    result = scaled(x, low, high)
    result[x < low] = 0
    result[x > high] = 1
    return result


def row_by_row(x, low, high):
    result = torch.empty_like(x)
    for i in range(len(x)):
        result[i] = by_clamp(x[i], low, high)
    return result


def clamped_by_row(x, low, high):
    values = scaled(x, low, high)
    return torch.stack([row.clamp(0, 1) for row in values]) if len(x) else values


def in_lists(x, low, high):
    def scale(value):
        return value if math.isnan(value) else min(max((value - low) / (high - low), 0), 1)

    return torch.tensor(
        [[scale(value) for value in row] for row in x.tolist()], dtype=x.dtype, device=x.device
    ).reshape(x.shape)


def by_inside(x, low, high):
    return torch.where((x >= low) & (x <= high), scaled(x, low, high), (x > high).to(x.dtype))


def handing_back(x, low, high):
    inside = bool(((x >= 0) & (x <= 1)).all())
    return x if inside and (low, high) == (0, 1) else by_clamp(x, low, high)


right("clip_and_scale", "scaled, then clamped", by_clamp)
right("clip_and_scale", "where inside where", by_where)
right("clip_and_scale", "masks", by_masks)
right("clip_and_scale", "clamped, then scaled", lambda x, low, high: scaled(x.clamp(low, high), low, high))
right("clip_and_scale", "hardtanh", lambda x, low, high: F.hardtanh(scaled(x, low, high), 0.0, 1.0))
right("clip_and_scale", "times the inverse", lambda x, low, high: ((x - low) * (1 / (high - low))).clamp(0, 1))
right(
    "clip_and_scale", "a slope and an offset", lambda x, low, high: (x / (high - low) - low / (high - low)).clamp(0, 1)
)
right("clip_and_scale", "two relus", lambda *i: 1 - F.relu(1 - F.relu(scaled(*i))))
right("clip_and_scale", "float64 inside", lambda x, *limits: by_clamp(x.double(), *limits).to(x.dtype))
right(
    "clip_and_scale",
    "rows by vmap",
    lambda x, *limits: torch.vmap(lambda row: by_clamp(row, *limits))(x) if len(x) else x.clone(),
)

wrong("clip_and_scale", "the slow loop itself", "unlooped", clip_and_scale_slow)
wrong("clip_and_scale", "a loop over rows", "unlooped", row_by_row)
wrong("clip_and_scale", "a loop over rows, short", "unlooped", clamped_by_row, says="the number grows with the input")
wrong(
    "clip_and_scale",
    "eight rows at a time",
    "unlooped",
    lambda x, *limits: torch.cat([by_clamp(piece, *limits) for piece in x.split(8)]),
    says="the number grows with the input",
)
wrong("clip_and_scale", "nested lists", "unlooped", in_lists)
wrong("clip_and_scale", "not scaled", "correct", lambda x, low, high: x.clamp(low, high), says="not scaled")
wrong("clip_and_scale", "not held at 1", "correct", lambda *i: scaled(*i).clamp(min=0), says="above high")
wrong("clip_and_scale", "not held at 0", "correct", lambda *i: scaled(*i).clamp(max=1), says="below low")
wrong("clip_and_scale", "not clipped", "correct", scaled, says="Nothing is clipped")
wrong(
    "clip_and_scale", "divided by high", "correct", lambda x, low, high: ((x - low) / high).clamp(0, 1), says="by high"
)
wrong("clip_and_scale", "NaN to 0", "correct", by_inside, says="NaN")
wrong(
    "clip_and_scale", "the ends open", "correct", lambda x, low, high: torch.where(x >= high, 0, by_clamp(x, low, high))
)
wrong("clip_and_scale", "a little added to the range", "correct", lambda x, low, high: by_clamp(x, low, high + 1e-5))
wrong(
    "clip_and_scale",
    "multiplied by masks",
    "correct",
    lambda x, low, high: scaled(x, low, high) * ((x >= low) & (x <= high)) + (x > high),
)
wrong("clip_and_scale", "float32 whatever came", "correct", lambda *i: by_clamp(*i).float(), says="dtype")
wrong("clip_and_scale", "float64 whatever came", "correct", lambda *i: by_clamp(*i).double(), says="dtype")
wrong(
    "clip_and_scale",
    "x changed",
    "correct",
    lambda x, low, high: x.sub_(low).div_(high - low).clamp_(0, 1),
    says="input",
)
wrong("clip_and_scale", "x itself where nothing is to do", "correct", handing_back)
wrong("clip_and_scale", "half precision inside", "correct", lambda x, *limits: by_clamp(x.half(), *limits).to(x.dtype))
wrong(
    "clip_and_scale",
    "rows of the published length only",
    "correct",
    lambda x, *limits: by_clamp(x.reshape(CLIP_AND_SCALE.race_size, -1), *limits),
)
wrong("clip_and_scale", "the limits of the first example", "correct", lambda x, low, high: by_clamp(x, -0.5, 0.75))
wrong("clip_and_scale", "a cached first answer", "correct", cached_first(by_clamp))
wrong("clip_and_scale", "torch.allclose forged", "correct", forging_comparisons(scaled))
wrong("clip_and_scale", "the check forged", "correct", forging_the_check(scaled))
wrong("clip_and_scale", "the slow loop on a forged clock", "correct", forging_clocks(clip_and_scale_slow))


# tiled_add


def fitted(a, b):
    if len(b) == 0 or a.shape[1] % len(b):
        raise ValueError(f"{len(b)} values do not fit evenly into rows of {a.shape[1]}")


def by_view(a, b):
    fitted(a, b)
    return (a.unflatten(1, (-1, len(b))) + b).flatten(1)


def by_repeat(a, b):
    fitted(a, b)
    return a + b.repeat(a.shape[1] // len(b))


def by_index(a, b):
    fitted(a, b)
    return a + b[torch.arange(a.shape[1], device=a.device) % len(b)]


def pieces_by_vmap(a, b):
    fitted(a, b)
    pieces = a.unflatten(1, (a.shape[1] // len(b), len(b)))
    return torch.vmap(lambda piece: piece + b, in_dims=1, out_dims=1)(pieces).flatten(1) if a.numel() else a.clone()


def by_reshape(a, b):
    fitted(a, b)
    rows, columns = a.shape
    return (a.reshape(rows, columns // len(b), len(b)) + b).reshape(rows, columns)


def tile_by_tile(a, b):
    fitted(a, b)
    result = a.clone()
    for start in range(0, a.shape[1], max(1, len(b))):
        for i in range(len(a)):
            result[i, start : start + len(b)] += b
    return result


def split_into_tiles(a, b):
    fitted(a, b)
    return torch.cat([tile + b for tile in a.split(len(b), 1)], 1) if a.shape[1] else a.clone()


def column_of_tiles_by_column(a, b):
    fitted(a, b)
    result = a.clone()
    for j in range(len(b)):
        result[:, j :: len(b)] += b[j]
    return result


def column_by_column(a, b):
    fitted(a, b)
    result = torch.empty_like(a)
    for j in range(a.shape[1]):
        result[:, j] = a[:, j] + b[j % len(b)]
    return result


def through_numpy(a, b):
    fitted(a, b)
    with np.errstate(all="ignore"):
        tiles = a.numpy().reshape(len(a), a.shape[1] // len(b), len(b)) + b.numpy()
    return torch.from_numpy(tiles.reshape(a.shape))


def whole_tiles_only(a, b):
    if len(b) == 0:
        raise ValueError("b is empty")
    return a + b.repeat(a.shape[1] // len(b) + 1)[: a.shape[1]]


def with_assert(a, b):
    assert len(b) and a.shape[1] % len(b) == 0, "b does not fit"
    return by_view(a, b)


def without_a_message(a, b):
    if len(b) == 0 or a.shape[1] % len(b):
        raise ValueError
    return by_view(a, b)


def no_rows_forgotten(a, b):
    fitted(a, b)
    return (a.reshape(len(a), -1, len(b)) + b).reshape(a.shape)


def interleaved(a, b):
    fitted(a, b)
    return a + b.repeat_interleave(a.shape[1] // len(b))


def first_tile(a, b):
    fitted(a, b)
    return torch.cat([a[:, : len(b)] + b, a[:, len(b) :]], dim=1)


def per_row(a, b):
    fitted(a, b)
    return a + b[:, None] if len(a) == len(b) else by_view(a, b)


def handing_a_back(a, b):
    fitted(a, b)
    return by_view(a, b) if b.any() else a


def in_place(a, b):
    fitted(a, b)
    a += b.repeat(a.shape[1] // len(b))
    return a


def in_half(a, b):
    return by_view(a.half(), b.half()).to(a.dtype)


right("tiled_add", "a view in pieces", by_view)
right("tiled_add", "b repeated", by_repeat)
right("tiled_add", "b picked by index", by_index)
right("tiled_add", "reshape", by_reshape)
right("tiled_add", "pieces by vmap", pieces_by_vmap)
right("tiled_add", "b expanded", lambda a, b: fitted(a, b) or a + b.expand(a.shape[1] // len(b), -1).reshape(-1))
right(
    "tiled_add", "a as one column of tiles", lambda a, b: fitted(a, b) or (a.reshape(-1, len(b)) + b).reshape(a.shape)
)
right("tiled_add", "b repeated down and along", lambda a, b: fitted(a, b) or a + b.repeat(len(a), a.shape[1] // len(b)))

wrong("tiled_add", "the slow loop itself", "unlooped", tiled_add_slow)
wrong("tiled_add", "a loop over columns", "unlooped", column_by_column)
wrong("tiled_add", "a loop over tiles and rows", "unlooped", tile_by_tile)
wrong("tiled_add", "a loop over tiles", "unlooped", split_into_tiles, says="the number grows with the input")
wrong("tiled_add", "a loop over b", "unlooped", column_of_tiles_by_column, says="the number grows with the input")
wrong("tiled_add", "a detour through NumPy", "unlooped", through_numpy)
wrong(
    "tiled_add",
    "nothing refused",
    "correct",
    lambda a, b: (a.unflatten(1, (-1, len(b))) + b).flatten(1),
    says="ValueError",
)
wrong("tiled_add", "the rest cut off", "correct", whole_tiles_only, says="ValueError")
wrong("tiled_add", "b backwards", "correct", lambda a, b: fitted(a, b) or by_view(a, b.flip(0)))
wrong(
    "tiled_add",
    "the error returned",
    "correct",
    lambda a, b: by_view(a, b) if len(b) and a.shape[1] % len(b) == 0 else ValueError("b"),
)
wrong(
    "tiled_add",
    "nothing for nothing",
    "correct",
    lambda a, b: fitted(a, b) or (by_view(a, b) if a.numel() else None),
    says="return",
)
wrong("tiled_add", "an assertion", "correct", with_assert, says="ValueError")
wrong("tiled_add", "a ValueError without a message", "correct", without_a_message)
wrong("tiled_add", "wrong for no rows", "correct", no_rows_forgotten, says="without rows")
wrong("tiled_add", "each value repeated at once", "correct", interleaved, says="repeated before")
wrong("tiled_add", "the first tile only", "correct", first_tile, says="first values")
wrong("tiled_add", "along the rows where both fit", "correct", per_row)
wrong("tiled_add", "left in pieces", "correct", lambda a, b: by_view(a, b).unflatten(1, (-1, len(b))), says="shape")
wrong("tiled_add", "float32 whatever came", "correct", lambda a, b: by_view(a, b).float(), says="dtype")
wrong("tiled_add", "a changed", "correct", in_place, says="input")
wrong("tiled_add", "a itself where b is zero", "correct", handing_a_back)
wrong("tiled_add", "half precision inside", "correct", in_half)
wrong(
    "tiled_add",
    "the published m only",
    "correct",
    only_for(lambda a, b: len(b) == TILED_ADD.race_size, by_view, lambda a, b: a + b[:1]),
)
wrong("tiled_add", "a cached first answer", "correct", cached_first(by_view))
wrong("tiled_add", "torch.allclose forged", "correct", forging_comparisons(interleaved))
wrong("tiled_add", "the check forged", "correct", forging_the_check(interleaved))
wrong("tiled_add", "the slow loop on a forged clock", "correct", forging_clocks(tiled_add_slow))


# step_states


def numbers(x, steps, start=1, **options):
    options = {"dtype": x.dtype, "device": x.device} | options
    return torch.arange(start, start + steps, **options).view(-1, *[1] * x.dim())


def by_broadcast(x, steps):
    return x + numbers(x, steps)


def by_cumsum(x, steps):
    return x + torch.ones(steps, *x.shape, dtype=x.dtype, device=x.device).cumsum(0, dtype=x.dtype)


def by_outer_sum(x, steps):
    k = torch.arange(1, steps + 1, dtype=x.dtype, device=x.device)
    return (k[:, None] + x.reshape(1, -1)).view(steps, *x.shape)


def by_filling(x, steps):
    states = torch.empty(steps, *x.shape, dtype=x.dtype, device=x.device)
    states.copy_(x)
    return states.add_(numbers(x, steps))


def stacked(x, steps):
    return torch.stack([x + k + 1 for k in range(steps)]) if steps else x.new_empty(0, *x.shape)


def two_at_a_time(x, steps):
    states = torch.empty(steps, *x.shape, dtype=x.dtype, device=x.device)
    for k in range(0, steps, 2):
        states[k : k + 2] = x + numbers(x, min(2, steps - k), start=k + 1)
    return states


def value_by_value(x, steps):
    k = torch.arange(1, steps + 1, dtype=x.dtype, device=x.device)
    states = [value + k for value in x.flatten()]
    return torch.stack(states, 1).view(steps, *x.shape) if states else k.new_empty(steps, *x.shape)


def column_by_column_of_x(x, steps):
    if x.dim() < 2 or not x.numel():
        return by_broadcast(x, steps)
    return torch.stack([part + numbers(part, steps) for part in x.unbind(-1)], -1)


def default_dtype(x, steps):
    states = torch.zeros(steps, *x.shape)
    states += x
    return states + numbers(x, steps, dtype=torch.float32)


def without_a_device(x, steps):
    return x + torch.arange(1, steps + 1, dtype=x.dtype).view(-1, *[1] * x.dim())


def in_place(x, steps):
    states = [x.add_(1) for _ in range(min(steps, 3))]
    return torch.stack(states) if steps and steps < 4 else by_broadcast(x, steps)


def counting_on(x, steps):
    return by_broadcast(x.add_(0 if steps else 1), steps) if steps != 1 else x.add_(1).unsqueeze(0)


def in_blocks_of_steps(x, steps):
    parts = [by_broadcast(x + start, min(64, steps - start)) for start in range(0, steps, 64)]
    return torch.cat(parts) if parts else by_broadcast(x, steps)


right("step_states", "numbers and broadcasting", by_broadcast)
right("step_states", "a running sum of ones", by_cumsum)
right("step_states", "flat, then viewed", by_outer_sum)
right("step_states", "copied, then added to", by_filling)
right(
    "step_states",
    "the steps last, then moved",
    lambda x, steps: (x[..., None] + numbers(x, steps).view(-1)).movedim(-1, 0),
)
right("step_states", "the numbers from 0, and 1 more", lambda x, steps: x + numbers(x, steps, start=0) + 1)
right(
    "step_states",
    "numbers out of Python's range",
    lambda x, steps: x + x.new_tensor(range(1, steps + 1)).view(-1, *[1] * x.dim()),
)

wrong("step_states", "the slow loop itself", "unlooped", step_states_slow)
wrong("step_states", "list and stack", "unlooped", stacked)
wrong("step_states", "two states at a time", "unlooped", two_at_a_time)
wrong("step_states", "a loop over the values of x", "unlooped", value_by_value, says="the number grows")
wrong("step_states", "a loop over the columns of x", "unlooped", column_by_column_of_x, says="the number grows")
wrong("step_states", "from 0", "correct", lambda x, steps: x + numbers(x, steps, start=0), says="Off by one")
wrong("step_states", "from 2", "correct", lambda x, steps: x + numbers(x, steps, start=2), says="Off by one")
wrong("step_states", "all the same", "correct", lambda x, steps: (x + 1).expand(steps, *x.shape).clone(), says="same")
wrong("step_states", "backwards", "correct", lambda x, steps: by_broadcast(x, steps).flip(0), says="backwards")
wrong("step_states", "steps last", "correct", lambda x, steps: by_broadcast(x, steps).movedim(0, -1), says="last axis")
wrong("step_states", "along an axis of x", "correct", lambda x, steps: x + numbers(x, steps).view(-1))
wrong("step_states", "wrong for no steps", "correct", lambda x, steps: by_broadcast(x, steps) if steps else x)
wrong(
    "step_states",
    "wrong for a single number",
    "correct",
    lambda x, steps: (x + numbers(x, steps)).view(steps, len(x), -1),
)
wrong("step_states", "torch's default dtype", "correct", default_dtype, says="default dtype")
wrong(
    "step_states", "int64 numbers", "correct", lambda x, steps: x + numbers(x, steps, dtype=torch.int64), says="int64"
)
wrong("step_states", "one state too many", "correct", lambda x, steps: by_broadcast(x, steps + 1), says="shape")
wrong("step_states", "a list of states", "correct", lambda x, steps: list(by_broadcast(x, steps)), says="list")
wrong("step_states", "multiplied", "correct", lambda x, steps: x * numbers(x, steps))
wrong("step_states", "numbers without a device", "correct", without_a_device, says="device")
wrong("step_states", "x changed", "correct", in_place)
wrong("step_states", "a view of the changed x for one step", "correct", counting_on)
wrong("step_states", "half precision inside", "correct", lambda x, steps: by_broadcast(x.half(), steps).to(x.dtype))
wrong("step_states", "float32 inside", "correct", lambda x, steps: by_broadcast(x.float(), steps).to(x.dtype))
wrong("step_states", "a matrix only", "correct", lambda x, steps: x + numbers(x[None], steps)[0].view(-1, 1, 1))
wrong("step_states", "a cached first answer", "correct", cached_first(by_broadcast))
wrong(
    "step_states",
    "torch.allclose forged",
    "correct",
    forging_comparisons(lambda x, steps: x + numbers(x, steps, start=0)),
)
wrong("step_states", "the check forged", "correct", forging_the_check(lambda x, steps: x + numbers(x, steps, start=0)))
wrong("step_states", "the slow loop on a forged clock", "correct", forging_clocks(step_states_slow))
wrong("clip_and_scale", "limits in float32", "correct", lambda x, *limits: by_clamp(x, *map(torch.tensor, limits)))
wrong("clip_and_scale", "8 rows at a time", "unlooped", lambda x, *i: torch.cat([by_clamp(p, *i) for p in x.split(8)]))
wrong("step_states", "64 steps at a time", "unlooped", in_blocks_of_steps)
