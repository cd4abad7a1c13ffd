"""Probability maps as a segmentation network returns them, made from random shapes, and masks and labels from these
maps.

A map holds ellipses, rings and bars of different sizes, which may overlap, touch the border or enclose a hole, and
specks of few pixels. Probabilities fall off toward the edges of a shape, with noise on top.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch

from course_utils.tasks.lesson_18_capstone import fast_stages
from course_utils.tasks.task import Case

MIN_AREA = 6
COUNT_SIZES = 8, 32
SHORT_RACE, LONG_RACE = 36, 64


def image_count(size):
    """Return the number of images of ``size`` × ``size`` pixels in a batch."""
    # At the larger count size, a loop over the images exceeds the limits on operations of 40 and below.
    return 42 if size == COUNT_SIZES[1] else max(2, size // 6)


def probability_map(generator, height, width, shapes, largest):
    """Return one float32 map of shape (height, width), with ``shapes`` shapes of radii up to ``largest`` pixels."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    depth = np.full((height, width), -4.0, np.float32)
    for kind in generator.integers(0, 3, shapes):
        cy, cx = generator.uniform(0, height), generator.uniform(0, width)
        ry, rx = generator.uniform(1, largest, 2)
        distance = np.hypot((y - cy) / ry, (x - cx) / rx)
        shape = min(ry, rx) * (1 - distance)  # pixels from the edge of an ellipse
        if kind == 1:
            shape = np.minimum(shape, min(ry, rx) * (distance - 0.45))  # a ring
        if kind == 2:
            shape = np.minimum(ry - abs(y - cy), 0.5 * rx - abs(x - cx))  # a bar
        depth = np.maximum(depth, shape)
    noise = 0.5 * generator.standard_normal((height, width))
    specks = np.where(generator.random((height, width)) < 0.004, 6.0, 0.0)
    return (1 / (1 + np.exp(-(1.5 * depth + noise + specks)))).astype(np.float32)


def maps_and_arguments(size, generator, small_shapes=False):
    """Return the arguments of ``segment_maps``: maps of ``size`` × ``size``, thresholds, sizes, and the least area.

    With ``small_shapes``, a map shows many cells of a few pixels instead of a dozen shapes. In the race, the maps are
    always the same in another order, so that the numbers of instances and runs are constant.
    """
    if size in (SHORT_RACE, LONG_RACE):
        order = torch.from_numpy(generator.permutation(image_count(size)))
        *batch, min_area = _race_maps(size, small_shapes)
        return *(each[order] for each in batch), min_area
    return _new_maps(size, generator, small_shapes)


@cache
def _race_maps(size, small_shapes):
    return _new_maps(size, np.random.default_rng(18), small_shapes)


def _new_maps(size, generator, small_shapes):
    images = image_count(size)
    shapes, largest = min(12, 1 + size * size // 60), max(2.5, 0.16 * size)
    if small_shapes:
        shapes, largest = 1 + size * size // 25, 2.5
    maps = np.stack([probability_map(generator, size, size, shapes, largest) for _ in range(images)])
    thresholds = generator.uniform(0.4, 0.6, images).astype(np.float32)
    sizes = generator.integers(size - size // 8, size + 1, (images, 2))
    return torch.from_numpy(maps), torch.from_numpy(thresholds), torch.from_numpy(sizes), MIN_AREA


def masks(size, generator, small_shapes=False):
    """Return the masks of random maps."""
    return fast_stages.course_foreground(*maps_and_arguments(size, generator, small_shapes)[:3])


def labels(size, generator, small_shapes=False):
    """Return the labels of random maps, with small instances and holes."""
    return fast_stages.course_label_components(masks(size, generator, small_shapes))


def with_path(batch, path):
    """Return the batch; at the sizes at which operations are counted, ``path`` replaces its last image."""
    return (
        torch.cat([batch[:-1], path(batch.shape[1])[None].to(batch.dtype)]) if batch.shape[1] in COUNT_SIZES else batch
    )


def from_pictures(*pictures):
    """Return labels of shape (images, height, width) from pictures: ``from_pictures("1.2\\n1..")``; a dot is 0, a hash 1.

    >>> from_pictures("#.2")
    tensor([[[1, 0, 2]]])
    """
    rows = [[[int(character) for character in row] for row in picture.split()] for picture in map(_digits, pictures)]
    return torch.tensor(rows, dtype=torch.int64)


def _digits(picture):
    return picture.replace(".", "0").replace("#", "1")


SPIRAL = """
#################
................#
###############.#
#.............#.#
#.###########.#.#
#.#.........#.#.#
#.#.#######.#.#.#
#.#.#.....#.#.#.#
#.#.#.###.#.#.#.#
#.#.#.#...#.#.#.#
#.#.#.#####.#.#.#
#.#.#.......#.#.#
#.#.#########.#.#
#.#...........#.#
#.#############.#
#...............#
#################
"""
COMB = """
#.#.#.#.#.#.#
#.#.#.#.#.#.#
#.#.#.#.#.#.#
#############
"""
PICTURES = {
    "one pixel of foreground": "#",
    "one pixel of background": ".",
    "an image without foreground": "...\n...",
    "an image that is all foreground": "###\n###",
    "one pixel in a corner": "...\n..#",
    "a single row": "##.#.###",
    "a single column": "#\n#\n.\n#",
    "pixels that touch only at their corners": "#.#\n.#.\n#.#",
    "a U whose arms meet at the bottom": "#.#\n#.#\n###",
    "an instance that touches all borders": ".#.\n###\n.#.",
    "a ring with a hole": ".###\n.#.#\n.###",
    "a ring around another instance": "#####\n#...#\n#.#.#\n#...#\n#####",
    "a ring with a gap at the border": "##.#\n#..#\n####",
    "a ring whose gap is a corner": ".###.\n#...#\n#...#\n#..#.\n####.",
    "4,200 instances in a row of 8,400 pixels": "#." * 4_200,
    "a tall image whose second column begins first": ".#\n.#\n..\n#.\n#.\n..\n#.",
}
"""Masks of one image each, by name: the odd cases."""


def small_images():
    """Return 5,000 masks of two pixels, of which one or both are foreground."""
    return (torch.arange(10_000) % 3 > 0).view(5000, 1, 2)


def many_and_few():
    """Return labels of two images: 70,000 instances of one pixel, and two instances of two pixels and of one."""
    labels = torch.zeros(2, 268, 268, dtype=torch.int64)
    labels[0].view(-1)[:70_000] = torch.arange(1, 70_001)
    labels[1, 0, 3:6] = torch.tensor([1, 1, 2])
    return labels


def grids_of_holes():
    """Return labels of two images with 10,201 holes each; the foreground has label 1 in one image and 2 in the other."""
    labels = torch.ones(2, 203, 203, dtype=torch.int64)
    labels[1] = 2
    labels[:, 1::2, 1::2] = 0
    return labels


LONG_PICTURES = {"two instances at the ends of a row of 40,001 pixels": "#" + 39_999 * "." + "#"}
"""A position that neither 16 bits nor half precision can hold."""

LONG_COLUMNS = {"two instances at the ends of a column of 40,001 pixels": "#\n" + 39_999 * ".\n" + "#"}

HARD_PICTURES = {"a spiral of one component": SPIRAL, "a comb whose teeth meet in the last row": COMB}


def mask_cases(pictures=PICTURES):
    """Return an edge case for each picture, as masks."""

    def case(name, picture):
        return Case(name, lambda _: (from_pictures(picture) > 0,))

    return tuple(case(name, picture) for name, picture in pictures.items())


def label_cases(*rest, pictures=PICTURES):
    """Return an edge case for each picture, as labels of its components, and ``rest`` as further arguments."""

    def case(name, picture):
        return Case(name, lambda _: (fast_stages.course_label_components(from_pictures(picture) > 0), *rest))

    return tuple(case(name, picture) for name, picture in pictures.items())


def hard_masks():
    """Return masks on which components grow over many steps: a spiral, its background, a comb, random pixels."""
    return (
        *mask_cases(HARD_PICTURES),
        Case("the space between the arms of a spiral", lambda _: (from_pictures(SPIRAL) == 0,)),
        Case(
            "a spiral in the second of two images",
            lambda _: (torch.cat([from_pictures(SPIRAL) == 0, from_pictures(SPIRAL) > 0]),),
        ),
        Case("a spiral, turned by 180°", lambda _: ((from_pictures(SPIRAL) > 0).flip(1, 2),)),
        Case("about half of all pixels, at random", lambda g: (torch.from_numpy(g.random((2, 24, 24)) < 0.55),)),
    )
