"""The first stage: the mask of the foreground pixels in a padded batch of probability maps."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_18_capstone import random_maps
from course_utils.tasks.lesson_18_capstone.fast_stages import course_foreground
from course_utils.tasks.lesson_18_capstone.slow_stages import foreground_slow
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import with_gaps
from course_utils.tasks.torch_inputs import integers, uniform


def _random(generator, images, height, width, dtype=torch.float32):
    return (
        uniform(generator, 0, 1, images, height, width, dtype=dtype),
        uniform(generator, 0.3, 0.7, images, dtype=dtype),
        torch.stack([integers(generator, 0, height + 1, images), integers(generator, 0, width + 1, images)], 1),
    )


def _case(name, *shape, **options):
    return Case(name, lambda generator: _random(generator, *shape, **options))


def _near_threshold(dtype):
    """Return probabilities at the threshold, and one rounding below and above it."""

    def make(generator):
        thresholds = uniform(generator, 0.3, 0.7, 2, dtype=dtype)
        steps = integers(generator, -1, 2, 2, 5, 6).to(dtype)
        maps = thresholds[:, None, None] * (1 + steps * torch.finfo(dtype).eps)
        return maps, thresholds, torch.tensor([[5, 6], [4, 5]])

    return make


def _long(generator, height, width):
    """Return one row or column: 2,049 foreground pixels, then padding. float16 rounds this length, and indices of 8 or 16
    bits wrap around in the padding.
    """
    maps = uniform(generator, 0.5, 1, 1, height, width)
    return maps, torch.tensor([0.5]), torch.tensor([[min(height, 2049), min(width, 2049)]])


def _with_nan(generator):
    maps, thresholds, _ = _random(generator, 3, 3, 4)
    maps[:, 1], thresholds[1], thresholds[2] = torch.nan, -torch.inf, torch.nan
    return maps, thresholds, torch.tensor([[3, 4], [3, 4], [3, 4]])


def _with_infinities(generator):
    """Return maps for the thresholds -2, -3 and minus infinity; one pixel equals -2, and another one minus infinity."""
    maps = _random(generator, 3, 3, 4)[0] - 2
    maps[0, 0, 0], maps[0, 0, 1], maps[2, 0, 0] = torch.inf, -2, -torch.inf
    maps[1, 2, 2] = torch.inf  # in the padding
    return maps


def _compared(maps, thresholds, sizes, compare=torch.ge, inside=torch.lt):
    _, height, width = maps.shape
    rows, columns = torch.arange(height)[:, None], torch.arange(width)
    within = inside(rows, sizes[:, 0, None, None]) & inside(columns, sizes[:, 1, None, None])
    return compare(maps, thresholds[:, None, None]) & within


TASK = Task(
    id="foreground",
    title="Foreground of a padded batch (stage 1)",
    points=2,
    level=2,
    slow=foreground_slow,
    inputs=lambda size, generator: random_maps.maps_and_arguments(size, generator)[:3],
    edge_cases=(
        _case("no images", 0, 3, 4),
        _case("5,000 images of one pixel", 5000, 1, 1),
        Case("one row of 2,049 pixels in a long map", lambda g: _long(g, 1, 33_000)),
        Case("one column of 2,049 pixels in a high map", lambda g: _long(g, 33_000, 1)),
        _case("images that are wider than high", 3, 3, 7),
        _case("float64 maps, as many as rows and columns", 9, 9, 9, dtype=torch.float64),
        with_gaps(lambda g: _random(g, 3, 4, 5)),
        Case("maps with NaN, and a threshold of NaN", _with_nan),
        Case(
            "thresholds that every pixel of an image reaches",
            lambda g: (_with_infinities(g), torch.tensor([-2.0, -3.0, -torch.inf]), torch.full((3, 2), 2)),
        ),
        Case("images of height 0 and of width 0", lambda g: (*_random(g, 2, 3, 3)[:2], torch.tensor([[0, 3], [3, 0]]))),
    ),
    worst=(
        Case("probabilities within one rounding of the threshold", _near_threshold(torch.float32)),
        Case("float64 probabilities within one rounding of the threshold", _near_threshold(torch.float64)),
    ),
    reference=course_foreground,
    count_sizes=random_maps.COUNT_SIZES,
    race_size=random_maps.SHORT_RACE,
    story=prose(
        """
        A network returns one *probability map* per image: for each pixel, the probability that it shows an object. The
        images of a batch have different sizes, so each map is padded at the bottom and at the right, and the values in
        the padding mean nothing. Each image has its own threshold. Write `foreground(maps, thresholds, sizes)`, which
        returns the mask of all foreground pixels, without a loop.
        """
    ),
    rules=prose(
        """
        - `maps` has shape (images, height, width) and dtype float32 or float64, `thresholds` has one value per image in
          the same dtype, and `sizes` holds the height and width of each image without padding, as int64 of shape
          (images, 2). There may be no images.
        - The result is a bool tensor of the shape of `maps`, on its device. The inputs are not modified.
        - A pixel at the threshold is foreground; NaN and padding never are.
        """
    ),
    limits=(at_most(15, "ops"), at_most(0, "syncs")),
    target=40.0,
    cost=lambda size: Cost(
        reads=4 * random_maps.image_count(size) * size * size, writes=random_maps.image_count(size) * size * size
    ),
    ways={"the course's stage": course_foreground},
    hints=items(
        """
        - Two questions per pixel are independent of each other: does its value reach the threshold of its image, and is
          the pixel inside its image? Answer each for all pixels at once, and combine the answers with `&`.
        - `thresholds[:, None, None]` broadcasts one value per image over its pixels, as in lesson 03. A mask for the
          padding compares `torch.arange` with the lengths, as in lesson 07, once for rows and once for columns. Pass
          `device=maps.device`.
        - `rows = torch.arange(height, device=maps.device)[:, None]`, then `rows < sizes[:, 0, None, None]` has shape
          (images, height, 1). The columns give (images, 1, width), and `&` broadcasts both.
        """
    ),
    mistakes=(
        Mistake(
            "Padding counts as foreground: only pixels inside the image's own height and width do.",
            lambda maps, thresholds, sizes: maps >= thresholds[:, None, None],
        ),
        Mistake(
            "Your mask leaves out the pixels exactly at the threshold: they are foreground, so compare with `>=`.",
            lambda maps, thresholds, sizes: _compared(maps, thresholds, sizes, torch.gt),
        ),
        Mistake(
            "Height and width are swapped: `sizes` holds the height first.",
            lambda maps, thresholds, sizes: _compared(maps, thresholds, sizes.flip(1)),
        ),
        Mistake(
            "The first row and column of the padding count as inside: compare with `<`, because rows count from 0.",
            lambda maps, thresholds, sizes: _compared(maps, thresholds, sizes, inside=torch.le),
        ),
        Mistake(
            "All images use the first threshold: each image has its own.",
            lambda maps, thresholds, sizes: _compared(maps, thresholds[:1].expand_as(thresholds), sizes),
        ),
        Mistake("These are the background pixels: invert the mask.", lambda *inputs: ~course_foreground(*inputs)),
    ),
)
