"""Answers to repair_the_loader."""

import torch

from answers import AnswersTo

answers = AnswersTo("repair_the_loader")
answers.without("float32 for every input dtype", "rounded to float32 inside")  # The result is float32.
answers.exception("nothing returned", "correct", says="expected a list")


def _scale(windows):
    values = windows.float()
    peaks = values.abs().amax((1, 2), keepdim=True)
    return values / torch.where(peaks > 0, peaks, torch.ones_like(peaks))


@answers.right("an index per batch")
def by_index(recording, starts, width, batch):
    positions = torch.arange(width, device=starts.device)
    if not len(starts):
        return []
    return [_scale(recording[:, some[:, None] + positions].transpose(0, 1)) for some in starts.split(batch)]


@answers.right("unfold and one index_select")
def by_unfold(recording, starts, width, batch):
    if not len(starts):
        return []
    windows = recording.unfold(1, width, 1).transpose(0, 1).index_select(0, starts)
    return list(_scale(windows).split(batch))


@answers.wrong("one tensor instead of a list", "correct")
def one_tensor(recording, starts, width, batch):
    return _scale(recording.unfold(1, width, 1).transpose(0, 1)[starts])


@answers.wrong("an empty batch if there are no windows", "correct", says="no windows")
def empty_batch(recording, starts, width, batch):
    return list(_scale(recording.unfold(1, width, 1).transpose(0, 1)[starts]).split(batch))


@answers.wrong("windows sorted by time", "correct")
def in_order(recording, starts, width, batch):
    return by_index(recording, starts.sort().values, width, batch)


@answers.wrong("float64", "correct", says="float64")
def in_double(recording, starts, width, batch):
    return [each.double() for each in by_index(recording, starts, width, batch)]


@answers.wrong("a loop over windows without synchronization", "unlooped")
def window_by_window(recording, starts, width, batch):
    if not len(starts):
        return []
    every = recording.unfold(1, width, 1)
    windows = [every.index_select(1, start[None])[:, 0] for start in starts]
    return [_scale(torch.stack(windows[first : first + batch])) for first in range(0, len(windows), batch)]


@answers.wrong("slices at positions read by Python", "unlooped", says=".tolist()")
def by_slices(recording, starts, width, batch):
    windows = [recording[:, start : start + width] for start in starts.tolist()]
    return [_scale(torch.stack(windows[first : first + batch])) for first in range(0, len(windows), batch)]


@answers.wrong("int16 starts", "correct", says="70,000 readings")
def starts_of_16_bits(recording, starts, width, batch):
    return by_index(recording, starts.to(torch.int16).long(), width, batch)


@answers.wrong("readings in half precision", "correct", says="wrong values")
def in_half_precision(recording, starts, width, batch):
    offsets = torch.arange(width, device=starts.device)
    batches = []
    for some in starts.split(batch) if len(starts) else ():
        values = recording[:, some[:, None] + offsets].transpose(0, 1).half().float()
        batches.append(values / values.abs().amax((1, 2), keepdim=True).clamp(min=1))
    return batches


@answers.wrong("a small number added to the magnitude", "correct", says="a faint recording")
def millionth_added(recording, starts, width, batch):
    windows = recording.unfold(1, width, 1)[:, starts].transpose(0, 1).to(torch.float32)
    peaks = windows.abs().amax((1, 2), keepdim=True) + 1e-6
    return list((windows / peaks).split(batch)) if len(starts) else []


@answers.right("a reciprocal")
def by_reciprocal(recording, starts, width, batch):
    windows = recording.float().unfold(1, width, 1)[:, starts].transpose(0, 1)
    return (
        list((windows * (1 / windows.abs().amax((1, 2), keepdim=True).clamp(min=1))).split(batch))
        if len(starts)
        else []
    )


answers.wrong("the first three channels", "correct", says="five channels")(
    lambda recording, starts, width, batch: by_index(recording[:3], starts, width, batch)
)


@answers.wrong("peaks of the first 4,096 readings", "correct", says="a window of 5,000 readings")
def peaks_of_4096_readings(recording, starts, width, batch):
    batches = by_index(recording, starts, width, batch)
    return [each / each[..., :4096].abs().amax((1, 2), keepdim=True) if width > 4096 else each for each in batches]
