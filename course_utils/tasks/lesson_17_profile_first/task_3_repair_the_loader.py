"""A loader that cuts windows out of a recording one by one, and a batch that one index operation cuts at once."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import with_gaps
from course_utils.tasks.torch_inputs import integers

CHANNELS = 3


def repair_the_loader_slow(recording, starts, width, batch):
    """Return the batches of all windows, each window divided by its largest magnitude, in float32."""
    batches = []
    for first in range(0, len(starts), batch):
        windows = []
        for start in starts[first : first + batch].tolist():
            window = recording[:, start : start + width].to(torch.float32)
            peak = window.abs().max().item()
            windows.append(window / peak if peak > 0 else window)
        batches.append(torch.stack(windows))
    return batches


def _windows(generator, count, width, batch, length=None, low=-30_000, high=30_000):
    length = length or 4 * width + count
    recording = integers(generator, low, high, CHANNELS, length, dtype=torch.int16)
    return recording, integers(generator, 0, length - width + 1, count), width, batch


def _tensors(recording, starts, width, batch):
    return torch.tensor(recording, dtype=torch.int16), torch.tensor(starts), width, batch


def _silent(generator):
    recording, starts, width, batch = _windows(generator, 5, 4, 3)
    recording[:, 4:12] = 0
    starts[1] = 6
    return recording, starts, width, batch


def by_index(
    recording, starts, width, batch, *, together=(1, 2), silent=1.0, convert_first=True, drop=False, turn=False
):
    """Return the batches, each by one index operation; the options are common mistakes."""
    offsets = torch.arange(width, device=starts.device)
    batches = []
    for some in starts.split(batch) if len(starts) else ():
        windows = recording[:, some[:, None] + offsets].transpose(0, 1)
        values = windows.to(torch.float32)
        magnitudes = values.abs() if convert_first else windows.abs().to(torch.float32)
        peaks = magnitudes.amax(together, keepdim=True)
        values = values / torch.where(peaks > 0, peaks, silent)
        batches.append(values.transpose(1, 2) if turn else values)
    return batches[:-1] if drop and len(starts) % batch else batches


TASK = Task(
    id="repair_the_loader",
    title="Repair the loader",
    points=4,
    level=2,
    slow=repair_the_loader_slow,
    inputs=lambda size, generator: _windows(generator, 3 * size + 1, 5 + size // 2, size),
    tolerance=2.0**-21,
    of_each_value=True,
    edge_cases=(
        Case("no windows", lambda g: _windows(g, 0, 4, 3, length=20)),
        Case("a batch that is larger than the number of windows", lambda g: _windows(g, 3, 4, 50)),
        Case("windows that fill the batches", lambda g: _windows(g, 6, 4, 3)),
        Case("windows of one reading", lambda g: _windows(g, 5, 1, 2)),
        Case("a silent window", _silent),
        with_gaps(lambda g: _windows(g, 5, 4, 3)),
        Case("a single channel", lambda _: _tensors([[4, -2, 0, 8, 1]], [0, 2, 1], 3, 2)),
        Case(
            "five channels", lambda _: _tensors([[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 2, 3], [20, 5, 40]], [0, 1], 2, 2)
        ),
        Case("a faint recording", lambda _: _tensors([[0, 1, 0, -1, 1, 0]] * CHANNELS, [0, 2, 3], 3, 2)),
        Case("the lowest int16 value", lambda _: _tensors([[-32768, 5, 7, 1]] * CHANNELS, [0, 1, 2], 2, 2)),
        Case(
            "windows that overlap, in any order", lambda _: _tensors([[1, 2, 3, 4, 5]] * CHANNELS, [2, 0, 2, 1], 3, 3)
        ),
        Case("as wide as the number of channels", lambda g: _windows(g, 7, CHANNELS, CHANNELS)),
    ),
    worst=(
        Case("a recording that is silent throughout", lambda g: _windows(g, 9, 4, 4, low=0, high=1)),
        Case("5,000 windows in 167 batches", lambda g: _windows(g, 5000, 2, 30)),
        Case(
            "a window of 5,000 readings, of which the last is the largest",
            lambda _: _tensors([[*[1] * 4999, 9]] * CHANNELS, [0], 5000, 1),
        ),
        Case(
            "windows at both ends of 70,000 readings",
            lambda _: _tensors([[i % 1000 for i in range(70_000)]] * CHANNELS, [0, 69_997, 0, 69_997], 3, 2),
        ),
    ),
    race_size=64,
    story=prose(
        """
        A station records three channels as int16 values, all day long. A model reads windows of `width` values that begin at any
        position, such as the positions at which something happened. The loader's own clock shows that the training loop waits for
        the loader most of the time: the loader cuts out window after window. Write `repair_the_loader(recording, starts, width, batch)`, which returns
        the same batches.
        """
    ),
    rules=prose(
        """
        - `recording` has the shape (channels, time) and the dtype int16. `starts` is a vector of int64; every window is inside the
          recording. `width` and `batch` are Python numbers.
        - The result is a list of tensors of the shape (windows, channels, width) in float32, with `batch` windows each and the rest in
          the last one. `starts` may be empty, and then the list is empty, too.
        - A window is divided by its largest magnitude. A window of zeros stays as it is.
        - A loop over the batches is right, but a loop over the windows isn't.
        """
    ),
    limits=(at_most(60, "ops"), at_most(0, "syncs")),
    target=4.0,
    ways={"index per batch": by_index},
    hints=items(
        """
        - A window is a slice. Many windows at once are an index: which positions does the window that begins at `start` have?
        - `starts[:, None] + torch.arange(width, device=starts.device)` holds the positions of all windows, one window
          per row. The recording, indexed with these positions, has the shape (channels, windows, width): swap the
          first two axes.
        - With the float32 windows in `windows`, `peaks = windows.abs().amax((1, 2), keepdim=True)` holds the largest
          magnitude of each window. `torch.where(peaks > 0, peaks, 1.0)` protects silent windows. Convert before
          `abs`: int16 has no 32,768.
        """
    ),
    mistakes=(
        Mistake(
            "Each channel is divided by its own largest magnitude: use one per window.",
            lambda *inputs: by_index(*inputs, together=(2,)),
        ),
        Mistake(
            "The whole batch is divided by one magnitude: use one per window.",
            lambda *inputs: by_index(*inputs, together=(0, 1, 2)),
        ),
        Mistake(
            "A silent window is divided by zero: leave it as it is.", lambda *inputs: by_index(*inputs, silent=0.0)
        ),
        Mistake("The last, shorter batch is missing: return it, too.", lambda *inputs: by_index(*inputs, drop=True)),
        Mistake(
            "Two axes are swapped: the right order is windows, channels, width.",
            lambda *inputs: by_index(*inputs, turn=True),
        ),
        Mistake(
            "In int16, the magnitude of −32,768 is negative: convert to float32 before `abs`.",
            lambda *inputs: by_index(*inputs, convert_first=False),
        ),
    ),
    sources=("S2.9",),
)
