"""Answers to dtw."""

import torch
import torch.nn.functional as F

from answers import AnswersTo
from course_utils.tasks.lesson_10_truly_sequential.task_3_dtw import cell_by_cell, wavefront

answers = AnswersTo("dtw")

answers.right("fronts in a slanted table")(lambda a, b: wavefront(a, b))


@answers.right("diagonals of the flipped table")
def by_diagonals(a, b, shift=0):
    n, m = a.shape[1], b.shape[1]
    flipped = (a[:, :, None] - b[:, None, :]).abs().flip(2)
    before = two_before = torch.full((len(a), n + 1), torch.inf, dtype=a.dtype, device=a.device)
    for d in range(n + m - 1):
        front = torch.full_like(before, torch.inf)
        first, last = max(0, d - m + 1), min(n, d + 1)
        best = torch.minimum(torch.minimum(before[:, 1:], before[:, :-1]), two_before[:, shift : shift + n])[
            :, first:last
        ]
        cells = flipped.diagonal(m - 1 - d, 1, 2)
        front[:, first + 1 : last + 1] = cells if d == 0 else cells + best
        two_before, before = before, front
    return before[:, -1]


@answers.right("slices of three preallocated fronts")
def by_slices(a, b):
    n, m = a.shape[1], b.shape[1]
    a, b = a.T.contiguous(), b.T.flip(0).contiguous()
    two_before, before, front = a.new_full((3, n + 1, a.shape[1]), torch.inf).unbind()
    two_before[0] = 0
    for d in range(n + m - 1):
        top, bottom = max(0, d - m + 1), min(d, n - 1)
        cells = (a[top : bottom + 1] - b[m - 1 - d + top : m - d + bottom]).abs()
        straight = torch.minimum(before[top : bottom + 1], before[top + 1 : bottom + 2])
        front[top + 1 : bottom + 2] = cells + torch.minimum(straight, two_before[top : bottom + 1])
        front[top] = two_before[0] = torch.inf
        two_before, before, front = before, front, two_before
    return before[-1].clone()


@answers.right("a scan per row")
def rows_as_scans(a, b):
    distances = (a[:, :, None] - b[:, None, :]).abs().double()
    row = distances[:, 0].cumsum(1)
    for cells in distances[:, 1:].unbind(1):
        entered = torch.cat([row[:, :1], torch.minimum(row[:, 1:], row[:, :-1])], 1)
        total = cells.cumsum(1)
        row = total + (entered - total + cells).cummin(1).values
    return row[:, -1].to(a.dtype)


@answers.wrong("differences without warping", "correct")
def position_by_position(a, b):
    shorter = min(a.shape[1], b.shape[1])
    return (a[:, :shorter] - b[:, :shorter]).abs().sum(1)


@answers.wrong("the nearest value for each value", "correct")
def all_distances(a, b):
    return (a[:, :, None] - b[:, None, :]).abs().amin(2).sum(1)


answers.wrong("a front read one position off", "correct")(lambda a, b: by_diagonals(a, b, shift=1))
answers.wrong("all pairs at once, a loop over cells", "unlooped")(lambda a, b: cell_by_cell(a, b))


@answers.wrong("all pairs at once, two operations per cell", "unlooped")
def all_pairs_by_smallest(a, b):
    distances = (a[:, :, None] - b[:, None, :]).abs()
    least = F.pad(torch.full_like(distances, torch.inf), (1, 0, 1, 0), value=torch.inf)
    for i in range(a.shape[1]):
        for j in range(b.shape[1]):
            before = least[:, i : i + 2, j : j + 2].amin((1, 2)) if i + j else torch.zeros_like(distances[:, 0, 0])
            torch.add(distances[:, i, j], before, out=least[:, i + 1, j + 1])
    return least[:, -1, -1].clone()


@answers.wrong("a wavefront for each pair", "unlooped", says="a loop")
def pair_by_pair(a, b):
    return (
        torch.cat([wavefront(one, other) for one, other in zip(a.split(1), b.split(1))]) if len(a) else wavefront(a, b)
    )


@answers.wrong("a band of ten", "correct", says="40 positions later")
def in_a_band(a, b):
    i, j = torch.arange(a.shape[1]), torch.arange(b.shape[1])
    outside = ((i[:, None] - j).abs() > 10 + abs(len(i) - len(j))).to(a.dtype) * 1e6
    row = ((a[:, :1] - b).abs() + outside[0]).cumsum(1)
    for t in range(1, len(i)):
        cells, new = (a[:, t : t + 1] - b).abs() + outside[t], [row[:, 0] + (a[:, t] - b[:, 0]).abs() + outside[t, 0]]
        for u in range(1, len(j)):
            new.append(cells[:, u] + torch.minimum(torch.minimum(row[:, u], row[:, u - 1]), new[-1]))
        row = torch.stack(new, 1)
    return row[:, -1]


@answers.wrong("1e38 instead of infinity", "correct", says="about 1e100")
def finite_border(a, b):
    pairs, steps = a.shape
    rows = torch.arange(steps, device=a.device)
    older = torch.full((pairs, steps + 1), 1e38, dtype=a.dtype, device=a.device)
    newer = older.clone()
    older[:, 0] = 0
    for front in range(steps + b.shape[1] - 1):
        columns = front - rows
        distances = (a - b[:, columns.clamp(0, b.shape[1] - 1)]).abs()
        distances = torch.where((columns >= 0) & (columns < b.shape[1]), distances, 1e38)
        reached = torch.minimum(torch.minimum(newer[:, :-1], newer[:, 1:]), older[:, :-1]) + distances
        older, newer = newer, torch.cat([torch.full_like(reached[:, :1], 1e38), reached], 1)
    return newer[:, -1]


answers.wrong("every second value of long series", "correct", says="against 300")(
    lambda a, b: by_diagonals(a if a.shape[1] < 64 else a[:, ::2], b if b.shape[1] < 64 else b[:, ::2])
)


@answers.wrong("values below 1e-6 replaced by 0", "correct", says="a billionth")
def none_below_a_millionth(a, b):
    return by_diagonals(torch.where(a.abs() < 1e-6, 0, a), torch.where(b.abs() < 1e-6, 0, b))


answers.wrong("the first 100 values of each series", "correct", says="one value against 300")(
    lambda a, b: wavefront(a[:, :100], b[:, :100])
)
