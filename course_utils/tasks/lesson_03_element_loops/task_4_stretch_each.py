"""Each image of a batch stretched to the range 0 to 1: two reductions over the pixels and a broadcast.

The range of a constant image is 0, and the range of an image that hardly varies is very small.
"""

from __future__ import annotations

import torch

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, random_case
from course_utils.tasks.torch_inputs import normal


def stretch_each_slow(images):
    """Return each image of images, shape (b, h, w), scaled from 0 at its smallest to 1 at its largest value."""
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


def _varied_images(generator, *shape):
    """Return images with different brightness and contrast."""
    count = shape[0]
    contrast = 1 + 4 * normal(generator, count, 1, 1).abs()
    return contrast * normal(generator, *shape) + 10 * normal(generator, count, 1, 1)


def _some_constant(generator):
    images = _varied_images(generator, 4, 3, 5)
    images[1], images[3] = 7.0, -2.5
    return (images,)


def _stretch(images, *axes):
    """Return the images, stretched by the smallest and largest values over ``axes``."""
    low, high = images.amin(axes, keepdim=True), images.amax(axes, keepdim=True)
    return torch.where(high > low, (images - low) / (high - low), torch.zeros_like(images))


def _by_images(images):
    result = torch.zeros_like(images)
    for k, image in enumerate(images):
        low, high = image.min(), image.max()
        if high > low:
            result[k] = (image - low) / (high - low)
    return result


def _shape(size):
    # At the larger count size, a loop over images, rows or columns exceeds the limit on operations.
    return (22, 23, 24) if 7 < size < 11 else (size, size + 1, size + 2)


def _pixels(size):
    return size * (size + 1) * (size + 2)


TASK = Task(
    id="stretch_each",
    title="Each image by itself",
    points=3,
    level=2,
    slow=stretch_each_slow,
    inputs=lambda size, generator: (_varied_images(generator, *_shape(size)),),
    reference=lambda images: _stretch(images, 1, 2),
    sizes=(1, 2, 3, 7),
    dtypes={"images": FLOATING},
    edge_cases=(
        random_case("no images", (0, 3, 4)),
        random_case("images of one pixel", (3, 1, 1)),
        random_case("a single image of one pixel", (1, 1, 1)),
        random_case("4,100 images of two pixels", (4100, 1, 2)),
        random_case("one column of 4,100 pixels", (1, 4100, 1)),
        random_case("one row of 4,100 pixels", (1, 1, 4100)),
        random_case("as many images as rows and columns", (3, 3, 3)),
        Case("constant images among others", _some_constant),
        fixed_case("an image whose values are all 0", [[[0.0, 0.0], [0.0, 0.0]]]),
        fixed_case("images that end or begin at 0", [[[-3.0, -1.0, 0.0]], [[0.0, 1.0, 4.0]]]),
        Case("images of negative values", lambda generator: (-5 - normal(generator, 2, 3, 4).abs(),)),
        Case("transposed images", lambda generator: (_varied_images(generator, 2, 4, 3).transpose(1, 2),)),
    ),
    worst=(
        Case("images that vary by less than float32's eps", lambda g: (1e-20 * normal(g, 2, 3, 4),)),
        Case(
            "large float64 values that hardly vary",
            lambda g: (1e6 + 1e-6 * normal(g, 2, 3, 4, dtype=torch.float64),),
        ),
        fixed_case("values that differ by one rounding", [[[1.0, 1 + 2**-23, 1.0]]]),
        Case(
            "float64 values that differ by one rounding",
            lambda _: (torch.tensor([[[1.0, 1 + 2**-52, 1.0]]], dtype=torch.float64),),
        ),
        Case("values from -1e38 to 1e38", lambda _: (torch.tensor([[[-1e38, 1e38, 0.0]]]),)),
        Case("an image whose values differ by 1e-35", lambda _: (torch.tensor([[[0.0, 1e-35, 2e-35]]]),)),
        Case(
            "a float16 image whose values differ by 2e-6",
            lambda _: (torch.tensor([[[0.0, 2e-6, 4e-6]]], dtype=torch.float16),),
        ),
    ),
    count_sizes=(3, 8),
    race_size=11,
    story=prose(
        """
        A clinic sends a batch of X-ray images. Some are dark and some are pale, but the network that reads them needs images
        that use the whole range of values. Write `stretch_each(images)`, which stretches each image: its smallest value becomes 0, its
        largest value becomes 1, and the others rise linearly in between.
        """
    ),
    rules=prose(
        """
        - `images` has shape (b, h, w) and a floating dtype, and doesn't change. Its values are finite, and so are their differences. The result has the same shape and dtype.
        - If all values of an image are equal, they become 0. An image that varies, even if only by 1e-35, or by 2e-6 in float16, is stretched from 0 to 1.
        - b can be 0; each image has at least one pixel.
        """
    ),
    limits=(at_most(20, "ops"), at_most(0, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * _pixels(size), writes=4 * _pixels(size)),
    ways={"loop over images": _by_images},
    hints=items(
        """
        - Which two values of each image do you need before you can stretch its pixels? A batch of b images has b of each.
        - `images.amin((1, 2))` returns the smallest value of each image, with shape (b,). Broadcasting aligns this axis
          with w, not with b; `keepdim=True` keeps each reduced axis with length 1.
        - With `low` and `span` of shape (b, 1, 1), `(images - low) / span` is the answer if the span isn't 0.
          `torch.where(span > 0, …, 0)` chooses 0 otherwise.
        """
    ),
    mistakes=(
        Mistake(
            "All images use one smallest and one largest value: take both from each image.",
            lambda images: _stretch(images, 0, 1, 2),
        ),
        Mistake(
            "The smallest and largest values come from each row: take them from the whole image.",
            lambda images: _stretch(images, 2),
        ),
        Mistake(
            "The smallest and largest values come from each column: take them from the whole image.",
            lambda images: _stretch(images, 1),
        ),
        Mistake(
            "Each pixel has its own smallest and largest value over all images: take both from the pixels of each "
            "image.",
            lambda images: _stretch(images, 0),
        ),
        Mistake(
            "The smallest value becomes 0, but the largest doesn't become 1: divide by largest minus smallest.",
            lambda images: images - images.amin((1, 2), keepdim=True),
        ),
        Mistake(
            "The values are divided by the largest value: divide by largest minus smallest.",
            lambda images: (images - images.amin((1, 2), keepdim=True)) / images.amax((1, 2), keepdim=True),
        ),
        Mistake(
            "A constant image became NaN, because 0 / 0 is NaN: return 0 for it.",
            lambda images: (
                (images - images.amin((1, 2), keepdim=True))
                / (images.amax((1, 2), keepdim=True) - images.amin((1, 2), keepdim=True))
            ),
        ),
        Mistake(
            "An image that hardly varies is not stretched to 1, because it is divided by more than its range: "
            "divide by the range, and choose 0 if the range is 0.",
            lambda images: (
                (images - images.amin((1, 2), keepdim=True))
                / (images.amax((1, 2), keepdim=True) - images.amin((1, 2), keepdim=True) + 1e-8)
            ),
        ),
    ),
    sources=("S0.2", "S0.6"),
)
