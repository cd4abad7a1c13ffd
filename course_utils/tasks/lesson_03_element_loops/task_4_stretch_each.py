"""Each image of a batch stretched on its own: two reductions over the pixels, and a broadcast back onto them.

An image of one single value has no span to divide by, and one that hardly varies has a very small one.
"""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, float64, noncontiguous_case, random_case
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def stretch_each_slow(images):
    """Each image of images, shape (b, h, w), from 0 at its smallest to 1 at its largest value."""
    result = torch.zeros_like(images)
    count, height, width = images.shape
    for k in range(count):
        low = high = images[k, 0, 0]
        for i in range(height):
            for j in range(width):
                low = min(low, images[k, i, j])
                high = max(high, images[k, i, j])
        for i in range(height):
            for j in range(width):
                if high > low:
                    result[k, i, j] = (images[k, i, j] - low) / (high - low)
    return result


def _shifted(generator, *shape):
    """Images of which each has a brightness and a contrast of its own."""
    count = shape[0]
    contrast = 1 + 4 * normal(generator, count, 1, 1).abs()
    return contrast * normal(generator, *shape) + 10 * normal(generator, count, 1, 1)


def _some_of_one_value(generator):
    images = _shifted(generator, 4, 3, 5)
    images[1], images[3] = 7.0, 0.0
    return (images,)


def _stretched(images, *axes):
    """With the limits taken over ``axes``."""
    low, high = images.amin(axes, keepdim=True), images.amax(axes, keepdim=True)
    return torch.where(high > low, (images - low) / (high - low), torch.zeros_like(images))


def _by_images(images):
    result = torch.zeros_like(images)
    for k, image in enumerate(images):
        low, high = image.min(), image.max()
        if high > low:
            result[k] = (image - low) / (high - low)
    return result


def _pixels(size):
    return size * (size + 1) * (size + 2)


TASK = Task(
    id="stretch_each",
    title="Each image on its own",
    points=3,
    level=2,
    slow=stretch_each_slow,
    inputs=lambda size, generator: (_shifted(generator, size, size + 1, size + 2),),
    sizes=(1, 2, 3, 7),
    edge_cases=(
        random_case("no images", (0, 3, 4)),
        random_case("images of one pixel", (3, 1, 1)),
        random_case("as many images as rows and columns", (3, 3, 3)),
        Case("images of one value among others", _some_of_one_value),
        fixed_case("images that are 0 throughout", [[[0.0, 0.0], [0.0, 0.0]]]),
        Case("images that hardly vary", lambda generator: (1e-6 * normal(generator, 2, 3, 4),)),
        Case("images of negative values", lambda generator: (-5 - normal(generator, 2, 3, 4).abs(),)),
        Case("images turned on their side", lambda generator: (_shifted(generator, 2, 4, 3).transpose(1, 2),)),
        noncontiguous_case("every second column of wider images", (2, 3, 4)),
        float64((2, 3, 4)),
    ),
    count_sizes=(3, 8),
    race_size=11,
    story=prose(
        """
        A clinic sends a batch of X-ray images. Some came out dark, some pale, and the network that reads them wants
        each one to use the whole range. Write `stretch_each(images)`: in every image on its own the smallest value
        becomes 0, the largest becomes 1, and the others lie evenly between.
        """
    ),
    rules=prose(
        """
        - `images` has the shape (b, h, w) and holds finite numbers. The result has its shape and dtype; `images` itself
        stays as it was.
        - An image of which all values are the same becomes 0 throughout. One that varies, however little, is stretched
        like all others.
        - There may be no images; each has one pixel at least.
        - A few tensor operations, however many images there are, and no `if` on a tensor's value.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * _pixels(size), writes=4 * _pixels(size)),
    ways={"a loop over images": _by_images},
    hints=items(
        """
        - Which two numbers does each image need, before any of its pixels can be stretched? A batch of b images has b of
          each.
        - `images.amin((1, 2))` is the smallest value of each image. Its shape is (b,), and (b, h, w) with (b,) does not
          fit; `keepdim=True` leaves a 1 where an axis went.
        - With `low` and `span`, both of shape (b, 1, 1), `(images - low) / span` is the answer wherever the span is not 0.
          There `torch.where(span > 0, …, 0)` chooses the 0.
        """
    ),
    mistakes=(
        Mistake(
            "All images share one smallest and one largest value; each has its own.",
            lambda images: _stretched(images, 0, 1, 2),
        ),
        Mistake(
            "The smallest and largest values are those of each row; wanted are those of the whole image.",
            lambda images: _stretched(images, 2),
        ),
        Mistake(
            "The smallest and largest values are those of each column; wanted are those of the whole image.",
            lambda images: _stretched(images, 1),
        ),
        Mistake(
            "The smallest and largest values are those of one pixel's place in all images; wanted are each image's own.",
            lambda images: _stretched(images, 0),
        ),
        Mistake(
            "The smallest value becomes 0, but the largest does not become 1: divide by largest - smallest.",
            lambda images: images - images.amin((1, 2), keepdim=True),
        ),
        Mistake(
            "The values are divided by the largest; divide by largest - smallest.",
            lambda images: (images - images.amin((1, 2), keepdim=True)) / images.amax((1, 2), keepdim=True),
        ),
        Mistake(
            "An image of one value became NaN, as 0 / 0 is: it has to be 0 throughout.",
            lambda images: (
                (images - images.amin((1, 2), keepdim=True))
                / (images.amax((1, 2), keepdim=True) - images.amin((1, 2), keepdim=True))
            ),
        ),
        Mistake(
            "An image that hardly varies is not stretched to 1: a small number is added to what you divide by. "
            "Where there is no span, choose 0 instead.",
            lambda images: (
                (images - images.amin((1, 2), keepdim=True))
                / (images.amax((1, 2), keepdim=True) - images.amin((1, 2), keepdim=True) + 1e-8)
            ),
        ),
    ),
    sources=("S0.2", "S0.6"),
)
