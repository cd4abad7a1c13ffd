"""Masks whose components are long or winding paths, so that a number needs many rounds to reach all of their pixels."""

from __future__ import annotations

import torch


def winding_path(size):
    """Return a mask of ``size`` × ``size``: one path that enters at the top and winds row by row; its ends are far apart."""
    y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    turn = torch.where(y % 4 == 2, size - 2, 1)
    inside = (x > 0) & (x < size - 1) & (y < size - 1)
    return inside & ((y % 2 == 1) | (x == turn))


def ruler(ticks):
    """Return a mask of one component: the ticks of a ruler, whose lengths are 1 2 1 3 1 2 1 4 …, on a line.

    A longer tick begins higher. If each part joins a neighbor that begins higher, a round only halves the number of
    parts, so that 256 ticks take 9 rounds.

    >>> ruler(4)[0].long()
    tensor([[0, 0, 0, 0, 0, 0, 1],
            [0, 0, 1, 0, 0, 0, 1],
            [1, 0, 1, 0, 1, 0, 1],
            [1, 1, 1, 1, 1, 1, 1]])
    """
    number = torch.arange(1, ticks + 1)
    length = torch.stack([number % 2**k == 0 for k in range(ticks.bit_length())]).sum(0)
    ticked = torch.arange(int(length.max()), 0, -1)[:, None] <= length
    pixels = torch.zeros(len(ticked) + 1, 2 * ticks, dtype=torch.bool)
    pixels[:-1, ::2], pixels[-1] = ticked, True
    return pixels[None, :, :-1]


def chain(ticks):
    """Return a mask of one component: the ticks of ``ruler``, each connected with the next one only, in one of two rows.

    Even runs that join the neighbor with the smallest number need a round for each halving: 1,024 ticks take 11 rounds.

    >>> chain(4)[0].long()
    tensor([[0, 0, 0, 0, 0, 0, 1],
            [0, 0, 1, 0, 0, 0, 1],
            [1, 0, 1, 0, 1, 0, 1],
            [1, 1, 1, 0, 1, 1, 1],
            [1, 0, 1, 1, 1, 0, 1]])
    """
    pixels = torch.cat([ruler(ticks)[0, :-1], torch.zeros(2, 2 * ticks - 1, dtype=torch.bool)])
    pixels[-2:, ::2] = pixels[-2, 1::4] = pixels[-1, 3::4] = True
    return pixels[None]


def stairs(rows, flights):
    """Return a mask of a path that goes down and up stairs, with a turn at nearly every pixel, and of one more pixel.

    A number that travels along a whole row and a whole column in each round moves by one stair per round.

    >>> stairs(3, 2)[0].long()
    tensor([[1, 0, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, 0, 0],
            [1, 1, 0, 1, 1, 0, 0],
            [0, 1, 1, 0, 1, 1, 0],
            [0, 0, 1, 1, 1, 1, 1]])
    """
    y, x = torch.meshgrid(torch.arange(rows), torch.arange(3 * flights + rows - 2), indexing="ij")
    flight, place = (x - y) // 3, (x - y) % 3
    landing = y == torch.where(flight % 2 == 0, rows - 1, 0)
    path = (flight >= 0) & (x - y < 3 * flights - 1) & ((place < 2) | landing)
    start = x[:2] == 0
    start[0, -1] = True  # This pixel's number lies between those of the path's first pixel and its other pixels.
    return torch.cat([start, path])[None]


def maze(generator, rooms):
    """Return a mask of ``rooms`` × ``rooms`` pixels, one per room, and the doors between them: a random maze.

    Exactly one path joins any two rooms, and it turns at random. So the smallest number needs several rounds to reach all
    pixels, even if it travels along a whole row, a whole column and twice to the number's own position in each round.
    """
    pixels = torch.zeros(2 * rooms - 1, 2 * rooms - 1, dtype=torch.bool)
    pixels[0, 0], path = True, [(0, 0)]
    while path:
        y, x = path[-1]
        steps = [(v, u) for v, u in ((-2, 0), (2, 0), (0, -2), (0, 2)) if _is_unvisited(pixels, y + v, x + u)]
        if not steps:
            path.pop()
            continue
        v, u = steps[generator.integers(len(steps))]
        pixels[y + v // 2, x + u // 2] = pixels[y + v, x + u] = True
        path.append((y + v, x + u))
    return pixels


def _is_unvisited(pixels, y, x):
    return 0 <= y < len(pixels) and 0 <= x < len(pixels) and not pixels[y, x]
