"""The sixth stage: run-length encoding of the labels."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_18_capstone import random_maps
from course_utils.tasks.lesson_18_capstone.fast_stages import course_encode_runs
from course_utils.tasks.lesson_18_capstone.slow_stages import encode_runs_slow
from course_utils.tasks.task import Case, Mistake, Task


def python_lists(labels):
    """Run the slow loop on Python lists."""
    runs: list[list[int]] = []
    for i, pixels in enumerate(labels.flatten(1).tolist()):
        previous = 0
        for position, label in enumerate(pixels):
            if label and label == previous:
                runs[-1][3] += 1
            elif label:
                runs.append([i, label, position, 1])
            previous = label
    return torch.tensor(runs, dtype=torch.int64, device=labels.device).reshape(-1, 4)


def _by_rows(labels):
    """Return runs that end with their row."""
    images, height, width = labels.shape
    runs = course_encode_runs(labels.reshape(images * height, 1, width))
    image, row = runs[:, 0] // height, runs[:, 0] % height
    return torch.stack([image, runs[:, 1], runs[:, 2] + row * width, runs[:, 3]], 1)


def _across_images(labels):
    """Return runs that continue into the next image."""
    pixels = labels[0].numel() if len(labels) else 1
    _, label, start, length = course_encode_runs(labels.reshape(1, 1, -1)).unbind(1)
    return torch.stack([start // pixels, label, start % pixels, length], 1)


def _of_foreground(labels):
    """Return runs of foreground, whatever its label."""
    image, _, start, length = course_encode_runs((labels != 0).long()).unbind(1)
    return torch.stack([image, labels.flatten(1)[image, start], start, length], 1)


def _with_background(labels):
    image, label, start, length = course_encode_runs(labels + 1).unbind(1)
    return torch.stack([image, label - 1, start, length], 1)


def _with_ends(labels):
    image, label, start, length = course_encode_runs(labels).unbind(1)
    return torch.stack([image, label, start, start + length], 1)


def _after(first, labels):
    """Return the labels, counted from ``first``; background stays 0."""
    return torch.where(labels > 0, first + labels, 0)


TASK = Task(
    id="encode_runs",
    title="Run-length encoding (stage 6)",
    points=3,
    level=2,
    slow=encode_runs_slow,
    inputs=lambda size, generator: (random_maps.labels(size, generator),),
    edge_cases=(
        *random_maps.label_cases(),
        Case("no images", lambda _: (torch.zeros(0, 3, 4, dtype=torch.int64),)),
        Case("instances side by side", lambda _: (random_maps.from_pictures("1122\n2211"),)),
        Case("a run that continues in the next row", lambda _: (random_maps.from_pictures("..11\n11.2"),)),
        Case(
            "a run at the end of an image and one at the start of the next",
            lambda _: (random_maps.from_pictures("..1", "11."),),
        ),
        Case("labels that float32 rounds", lambda _: (_after(2**26, random_maps.from_pictures("11.2\n2.31")),)),
        Case("labels that float64 rounds", lambda _: (_after(2**62, random_maps.from_pictures("112", "23.")),)),
        Case(
            "images of one pixel whose labels differ by powers of ten and two",
            lambda _: (
                torch.tensor([each + 1 for k in (100, 1000, 10**4, 10**5, 10**6, 2**32) for each in (k, 0)]).view(
                    -1, 1, 1
                ),
            ),
        ),
        Case("labels with equal lowest 32 bits", lambda _: (torch.tensor([[[1, 2**32 + 1, 0, 2**32, 2**33]]]),)),
        Case("transposed labels", lambda g: (random_maps.labels(9, g).transpose(1, 2),)),
    ),
    worst=(
        *random_maps.label_cases(pictures=random_maps.LONG_PICTURES),
        Case("a run for each pixel", lambda _: (torch.arange(1, 61).view(1, 6, 10).repeat(2, 1, 1),)),
        Case("one run for each image", lambda _: (torch.ones(3, 6, 50, dtype=torch.int64),)),
        Case("a run of 33,000 pixels", lambda _: (torch.ones(1, 330, 100, dtype=torch.int64),)),
        Case("5,000 images of two pixels", lambda _: ((torch.arange(10_000) % 3).view(5000, 1, 2),)),
        Case("every second pixel", lambda _: ((torch.arange(60) % 2).view(2, 5, 6),)),
    ),
    reference=course_encode_runs,
    count_sizes=random_maps.COUNT_SIZES,
    race_size=random_maps.SHORT_RACE,
    story=prose(
        """
        Neighboring pixels mostly have equal labels, so many data sets of masks store *runs* of equal labels instead of
        pixels. The loop walks through each image, row after row. Write `encode_runs(labels)` without a loop.
        """
    ),
    rules=prose(
        """
        - `labels` is an int64 tensor of shape (images, height, width): 0 is background, and all other labels are positive.
          There may be no images or no instances.
        - The result is an int64 tensor with one row per run of equal labels other than 0: image, label, start, length.
          The start is the position of the run's first pixel in its image, counted row after row from 0. A run may
          continue in the next row, but not in the next image. Rows are sorted by image, then by start.
        - `labels` is not modified.
        """
    ),
    limits=(at_most(40, "ops"), at_most(6, "syncs")),
    target=40.0,
    cost=lambda size: Cost(reads=8 * random_maps.image_count(size) * size * size, writes=32),
    ways={"Python lists": python_lists, "the course's stage": course_encode_runs},
    hints=items(
        """
        - A run starts at a pixel whose label is not 0 and differs from the label before. Where does a run end?
        - `pixels = labels.flatten(1)` has one row per image, so that comparing `pixels[:, 1:]` with `pixels[:, :-1]`
          never compares two images. `nonzero` of the mask of starts gives the image and the start of each run.
        - Build the mask of ends in the same way, from the next pixel. Starts and ends come in the same order, so the
          length is `end - start + 1`, and `torch.stack([image, pixels[image, start], start, length], 1)` is the result.
        """
    ),
    mistakes=(
        Mistake("Each run ends with its row here: it may continue in the next row.", _by_rows),
        Mistake("A run continues into the next image: runs end with their image.", _across_images),
        Mistake("Neighboring instances share a run: a run has one label.", _of_foreground),
        Mistake("Runs of background are included: leave label 0 out.", _with_background),
        Mistake("The last column holds the end: it should hold the length.", _with_ends),
        Mistake(
            "The starts are counted from 1: count them from 0.",
            lambda labels: course_encode_runs(labels) + torch.tensor([0, 0, 1, 0]),
        ),
    ),
)
