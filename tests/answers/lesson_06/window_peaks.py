"""Answers to window_peaks."""

import torch
import torch.nn.functional as F

from answers import AnswersTo

answers = AnswersTo("window_peaks")


@answers.right("by unfold")
def by_unfold(x, width):
    windows = x.unfold(0, width, 1)
    return windows.argmax(1) + torch.arange(len(windows), device=x.device)


answers.right("by pooling")(lambda x, width: F.max_pool1d(x[None], width, 1, return_indices=True)[1][0])


@answers.right("rounds of doubling")
def by_doubling_with_values(x, width):
    peaks, positions, span = x, torch.arange(len(x), device=x.device), 1
    while span < width:
        shift = min(span, width - span)
        later = peaks[shift:] > peaks[:-shift]
        positions = torch.where(later, positions[shift:], positions[:-shift])
        peaks = torch.where(later, peaks[shift:], peaks[:-shift])
        span += shift
    return positions


def _by_order(order):
    """Return an answer that takes the first position of each window by ``order(windows)``."""
    return lambda x, width: order(x.unfold(0, width, 1))[:, 0] + torch.arange(len(x) - width + 1, device=x.device)


answers.right("a stable sort")(_by_order(lambda windows: windows.sort(dim=1, descending=True, stable=True).indices))
answers.wrong("an unstable sort", "correct", says="sorts equal values by sort, argsort or topk")(
    _by_order(lambda windows: windows.argsort(1, descending=True))
)
answers.wrong("topk", "correct", says="sorts equal values by sort, argsort or topk")(
    _by_order(lambda windows: windows.topk(1, 1).indices)
)


@answers.wrong("zero padding at the end", "correct")
def padded(x, width):
    return F.max_pool1d(F.pad(x, (0, width - 1))[None], width, 1, return_indices=True)[1][0]


@answers.wrong("a loop over windows", "unlooped")
def window_by_window(x, width):
    return torch.stack([i + x[i : i + width].argmax() for i in range(len(x) - width + 1)])


def _by_blocks(x, width, is_higher):
    """Return each window's peak from the end of one block and the start of the next, in equally many steps for any width."""
    count, windows = -(-len(x) // width), len(x) - width + 1
    blocks = F.pad(x, (0, count * width - len(x)), value=-torch.inf).reshape(count, width)
    positions = torch.arange(count * width, device=x.device).reshape(count, width)
    to_end, back = blocks.flip(1).cummax(1)
    ends = positions.gather(1, width - 1 - back.flip(1)).flatten()
    from_start = blocks.cummax(1).values
    higher = is_higher(blocks, F.pad(from_start[:, :-1], (1, 0), value=-torch.inf))
    starts = torch.where(higher, positions, positions[:, :1]).cummax(1).values.flatten()
    later = from_start.flatten()[width - 1 :][:windows] > to_end.flip(1).flatten()[:windows]
    return torch.where(later, starts[width - 1 :][:windows], ends[:windows])


answers.right("peaks of prefixes and suffixes of blocks")(lambda x, width: _by_blocks(x, width, torch.gt))
answers.wrong("the last of equal values in the next block", "correct", says="equal values")(
    lambda x, width: _by_blocks(x, width, torch.ge)
)


@answers.right("doubling of the width")
def by_doubling(x, width):
    best, done = torch.arange(len(x), device=x.device), 1
    while done < width:
        step = min(done, width - done)
        first, second = best[: len(best) - step], best[step:]
        best, done = torch.where(x[second] > x[first], second, first), done + step
    return best


@answers.wrong("a loop over blocks of windows", "unlooped", says="grows with the input")
def blocks_of_windows(x, width):
    count = len(x) - width + 1
    return torch.cat([by_unfold(x[i : i + 15 + width], width) + i for i in range(0, count, 16)])


answers.wrong("-0.0 below 0.0", "correct", says="equal values")(
    lambda x, width: by_unfold(x - torch.where(torch.signbit(x), 1e-30, 0.0), width)
)
