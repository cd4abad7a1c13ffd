"""Answers to the exercises of lesson 13."""

from itertools import accumulate

import torch

from answers.table import right, wrong
from answers.tricks import cached_first, forging_clocks, forging_comparisons, forging_the_check, only_for
from course_utils.tasks.lesson_13_hidden_waits.task_1_loss_history import loss_history_slow
from course_utils.tasks.lesson_13_hidden_waits.task_2_normalize_batches import normalize_batches_slow
from course_utils.tasks.lesson_13_hidden_waits.task_3_clip_outliers import TASK as CLIP_OUTLIERS
from course_utils.tasks.lesson_13_hidden_waits.task_3_clip_outliers import clip_outliers_slow

# loss_history


def by_cumsum(losses):
    total = torch.stack(losses).cumsum(0)
    return total / torch.arange(1, len(losses) + 1, dtype=total.dtype, device=total.device)


def by_triangle(losses):
    values = torch.stack(losses)
    weights = torch.ones(len(losses), len(losses), dtype=values.dtype, device=values.device).tril()
    return torch.where(weights > 0, values, 0).sum(1) / weights.sum(1)


def wide_inside(losses):
    values = torch.stack(losses).double()
    return values.cumsum(0).div_(torch.ones_like(values).cumsum(0)).to(losses[0].dtype)


def asking_each(losses):
    means = [total / (step + 1) for step, total in enumerate(accumulate(map(float, losses)))]
    return torch.tensor(means, dtype=losses[0].dtype, device=losses[0].device)


def asking_once(losses):
    means = [total / (step + 1) for step, total in enumerate(accumulate(torch.stack(losses).tolist()))]
    return torch.tensor(means, dtype=losses[0].dtype, device=losses[0].device)


def running_tensors(losses):
    history, total = [], 0
    for step, loss in enumerate(losses):
        total = total + loss
        history.append(total / (step + 1))
    return torch.stack(history)


def emptied(losses):
    answer = by_cumsum(losses)
    losses.clear()
    return answer


def zeros(losses):
    return torch.zeros(len(losses), dtype=losses[0].dtype)


right("loss_history", "stack, cumsum, divide", by_cumsum)
right("loss_history", "a triangle of ones", by_triangle)
right("loss_history", "float64 inside", wide_inside)

wrong("loss_history", "the slow loop itself", "unlooped", loss_history_slow)
wrong("loss_history", "each loss asked by float()", "unlooped", asking_each)
wrong(
    "loss_history",
    "torch.tensor of all losses",
    "unlooped",
    lambda losses: by_cumsum([*torch.tensor(losses, dtype=losses[0].dtype, device=losses[0].device)]),
    says="torch.tensor() of tensors",
)
wrong("loss_history", "all losses asked at once", "unlooped", asking_once)
wrong("loss_history", "a loop over tensors, no wait", "unlooped", running_tensors)
wrong("loss_history", "a list", "correct", lambda losses: by_cumsum(losses).tolist())
wrong("loss_history", "the first step missing", "correct", lambda losses: by_cumsum(losses)[1:], says="shape")
wrong("loss_history", "losses emptied", "correct", emptied, says="changed its input losses")
wrong("loss_history", "half precision inside", "correct", lambda x: by_cumsum([y.half() for y in x]).to(x[0].dtype))
wrong("loss_history", "float32 whatever came", "correct", lambda losses: by_cumsum(losses).float(), says="dtype")
wrong("loss_history", "eight losses only", "correct", only_for(lambda losses: len(losses) == 8, by_cumsum, zeros))
wrong("loss_history", "a cached first answer", "correct", cached_first(by_cumsum))
wrong("loss_history", "comparisons forged", "correct", forging_comparisons(zeros))
wrong("loss_history", "the check forged", "correct", forging_the_check(zeros))
wrong("loss_history", "the slow loop on a forged clock", "correct", forging_clocks(loss_history_slow))


# normalize_batches


def moved_once(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    return [(batch.to(device, non_blocking=True) - mean) / std for batch in batches]


def scale_and_shift(batches, mean, std, device):
    scale, shift = 1 / std.to(device), (mean / std).to(device)
    return [torch.addcmul(-shift, batch.to(device), scale) for batch in batches]


def in_one_piece(batches, mean, std, device):
    if not batches:
        return []
    rows = [len(batch) for batch in batches]
    together = (torch.cat(batches).to(device) - mean.to(device)) / std.to(device)
    return [part.clone() for part in together.split(rows)]


def column_by_column(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    result = []
    for batch in batches:
        out = batch.to(device).clone()
        for j in range(out.shape[1]):
            out[:, j] = (out[:, j] - mean[j]) / std[j]
        result.append(out)
    return result


def constants_in_the_loop(batches, mean, std, device):
    return [(batch.to(device) - mean.to(device)) / std.to(device) for batch in batches]


def constants_rebuilt(batches, mean, std, device):
    as_constant = torch.as_tensor
    return [(b.to(device) - as_constant(mean, device=device)) / as_constant(std, device=device) for b in batches]


def there_and_back(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    return [((batch.to(device) - mean) / std).cpu().to(device) for batch in batches]


def moved_and_forgotten(batches, mean, std, device):
    for tensor in (*batches, mean, std):
        tensor.to(device)
    return [(batch - mean) / std for batch in batches]


def row_by_row(batches, mean, std, device):
    mean, std = mean.to(device), std.to(device)
    moved = [batch.to(device) for batch in batches]
    return [torch.stack([(row - mean) / std for row in batch]) if len(batch) else batch.clone() for batch in moved]


def in_place(batches, mean, std, device):
    return [batch.sub_(mean).div_(std) for batch in batches]


def first_batch_only(batches, mean, std, device):
    done = moved_once(batches, mean, std, device)
    return done[:1] + [batch.clone() for batch in batches[1:]]


def as_half(batches, mean, std, device):
    return [
        x.to(b.dtype) for b, x in zip(batches, moved_once([b.half() for b in batches], mean.half(), std.half(), device))
    ]


right("normalize_batches", "constants moved once", moved_once)
right("normalize_batches", "scale and shift", scale_and_shift)
right("normalize_batches", "all batches in one piece", in_one_piece)

wrong("normalize_batches", "the slow loop itself", "unlooped", normalize_batches_slow)
wrong("normalize_batches", "columns one by one, on the device", "unlooped", column_by_column)
wrong("normalize_batches", "rows one by one", "unlooped", row_by_row)
wrong("normalize_batches", "constants sent in the loop", "unlooped", constants_in_the_loop, says="9 transfers")
wrong("normalize_batches", "constants rebuilt in the loop", "unlooped", constants_rebuilt, says="9 transfers")
wrong("normalize_batches", "there and back", "correct", there_and_back, says="Cannot copy out of meta")
wrong(
    "normalize_batches",
    "nothing moved",
    "correct",
    lambda batches, mean, std, device: [(batch - mean) / std for batch in batches],
    says="returns a tensor that is there",
)
wrong(
    "normalize_batches", "what .to returns thrown away", "correct", moved_and_forgotten, says="a tensor that is there"
)
wrong("normalize_batches", "batches changed", "correct", in_place, says="input")
wrong("normalize_batches", "only the first batch", "correct", first_batch_only)
wrong("normalize_batches", "in reverse order", "correct", lambda *inputs: moved_once(*inputs)[::-1])
wrong("normalize_batches", "half precision inside", "correct", as_half)
wrong(
    "normalize_batches",
    "float32 whatever came",
    "correct",
    lambda *inputs: [x.float() for x in moved_once(*inputs)],
    says="dtype",
)
wrong(
    "normalize_batches",
    "the published count of columns only",
    "correct",
    only_for(
        lambda batches, mean, std, device: len(mean) == 64,
        moved_once,
        lambda batches, *rest: [b.clone() for b in batches],
    ),
)
wrong("normalize_batches", "a cached first answer", "correct", cached_first(moved_once))
wrong(
    "normalize_batches",
    "comparisons forged",
    "correct",
    forging_comparisons(lambda batches, *rest: [b.clone() for b in batches]),
)
wrong(
    "normalize_batches",
    "the check forged",
    "correct",
    forging_the_check(lambda batches, *rest: [b.clone() for b in batches]),
)
wrong("normalize_batches", "the slow loop on a forged clock", "correct", forging_clocks(normalize_batches_slow))


# clip_outliers


def limits(x, sigmas):
    mean, reach = x.mean(), sigmas * x.std(unbiased=False)
    return mean - reach, mean + reach


def by_clamp(x, sigmas):
    return x.clamp(*limits(x, sigmas))


def by_where(x, sigmas):
    low, high = limits(x, sigmas)
    return torch.where(x > high, high, torch.where(x < low, low, x))


def by_minimum(x, sigmas):
    low, high = limits(x, sigmas)
    return torch.maximum(torch.minimum(x, high), low)


def by_offset(x, sigmas):
    off = x - x.mean()
    reach = sigmas * off.square().mean().sqrt()
    return x.mean() + off.clamp(-reach, reach)


def with_item(x, sigmas):
    low, high = limits(x, sigmas)
    return x.clamp(low.item(), high.item())


def with_mask(x, sigmas):
    low, high = limits(x, sigmas)
    result = x.clone()
    result[x > high] = high.expand(int((x > high).sum()))
    result[x < low] = low
    return result


def asking_first(x, sigmas):
    low, high = limits(x, sigmas)
    return x.clamp(low, high) if bool((x > high).any() | (x < low).any()) else x.clone()


def a_branch_a_side(x, sigmas):
    low, high = limits(x, sigmas)
    x = x.clone()
    if (x > high).any():
        x = torch.where(x > high, high, x)
    if (x < low).any():
        x = torch.where(x < low, low, x)
    return x


def through_masks(x, sigmas):
    low, high = limits(x, sigmas)
    clipped = x.clone()
    clipped[x < low] = low
    clipped[x > high] = high
    return clipped


def changed(x, sigmas):
    return x.clamp_(*limits(x, sigmas))


def untouched_itself(x, sigmas):
    return x if sigmas >= 5 else by_clamp(x, sigmas)


right("clip_outliers", "clamp between tensors", by_clamp)
right("clip_outliers", "where twice", by_where)
right("clip_outliers", "minimum and maximum", by_minimum)

wrong("clip_outliers", "the slow loop itself", "unlooped", clip_outliers_slow)
wrong("clip_outliers", "limits by item", "unlooped", with_item)
wrong("clip_outliers", "a mask that decides a shape", "unlooped", with_mask)
wrong("clip_outliers", "asking whether there is anything to do", "unlooped", asking_first)
wrong("clip_outliers", "a branch for each side", "unlooped", a_branch_a_side, says="a branch on a tensor")
wrong("clip_outliers", "tensors through masks", "unlooped", through_masks, says="written through a mask")
wrong("clip_outliers", "x changed", "correct", changed, says="input")
wrong("clip_outliers", "x itself where nothing is to do", "correct", untouched_itself)
wrong("clip_outliers", "float32 whatever came", "correct", lambda *inputs: by_clamp(*inputs).float(), says="dtype")
wrong("clip_outliers", "half precision inside", "correct", lambda x, sigmas: by_clamp(x.half(), sigmas).to(x.dtype))
wrong(
    "clip_outliers",
    "the published length only",
    "correct",
    only_for(lambda x, sigmas: len(x) == CLIP_OUTLIERS.race_size, by_clamp, lambda x, sigmas: x.clone()),
)
wrong("clip_outliers", "a cached first answer", "correct", cached_first(by_clamp))
wrong("clip_outliers", "comparisons forged", "correct", forging_comparisons(lambda x, sigmas: x.clone()))
wrong("clip_outliers", "the check forged", "correct", forging_the_check(lambda x, sigmas: x.clone()))
wrong("clip_outliers", "the slow loop on a forged clock", "correct", forging_clocks(clip_outliers_slow))
