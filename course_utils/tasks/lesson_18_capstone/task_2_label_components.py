"""A challenge, the second stage: connected components, whose numbers travel along paths of unknown length."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_18_capstone import long_paths, random_maps
from course_utils.tasks.lesson_18_capstone.fast_stages import course_label_components
from course_utils.tasks.lesson_18_capstone.slow_stages import label_components_slow
from course_utils.tasks.task import Case, Mistake, Task


def python_lists(masks):
    """Run the slow loop on Python lists."""
    height, width = masks.shape[1:]
    batch = []
    for free in masks.tolist():
        labels, count = [[0] * width for _ in range(height)], 0
        for y in range(height):
            for x in range(width):
                if free[y][x]:
                    count += 1
                    free[y][x] = False
                    stack = [(y, x)]
                    while stack:
                        v, u = stack.pop()
                        labels[v][u] = count
                        for b, a in ((v - 1, u), (v + 1, u), (v, u - 1), (v, u + 1)):
                            if 0 <= b < height and 0 <= a < width and free[b][a]:
                                free[b][a] = False
                                stack.append((b, a))
        batch.append(labels)
    return torch.tensor(batch, dtype=torch.int64, device=masks.device).reshape(masks.shape)


def smallest_neighbor(masks):
    """Give each pixel the smallest number among its neighbors, again and again until nothing changes."""
    far = masks.numel()
    numbers = torch.arange(far, device=masks.device).view(masks.shape).masked_fill(~masks, far)
    while True:
        padded = torch.nn.functional.pad(numbers, (1, 1, 1, 1), value=far)
        vertical = torch.minimum(padded[:, :-2, 1:-1], padded[:, 2:, 1:-1])
        horizontal = torch.minimum(padded[:, 1:-1, :-2], padded[:, 1:-1, 2:])
        smaller = torch.minimum(numbers, torch.minimum(vertical, horizontal)).masked_fill(~masks, far)
        if torch.equal(smaller, numbers):
            return _in_scan_order(numbers, masks)
        numbers = smaller


def _in_scan_order(roots, masks):
    """Return the labels from roots: a pixel's root is the position of its component's first pixel."""
    own = torch.arange(masks.numel(), device=masks.device).view(masks.shape)
    ranks = ((roots == own) & masks).flatten(1).cumsum(1).flatten()
    return ranks[roots.clamp(max=max(masks.numel() - 1, 0))] * masks if masks.numel() else own


def _across_images(masks):
    """Return numbers that continue from image to image."""
    labels = course_label_components(masks)
    per_image = labels.amax((1, 2))
    return (labels + (per_image.cumsum(0) - per_image)[:, None, None]) * masks


def _with_corners(masks):
    """Connect eight neighbors instead of four."""
    far = masks.numel()
    numbers = torch.arange(far).view(masks.shape).masked_fill(~masks, far)
    while True:
        windows = torch.nn.functional.pad(numbers, (1, 1, 1, 1), value=far).unfold(1, 3, 1).unfold(2, 3, 1)
        smaller = windows.amin((3, 4)).masked_fill(~masks, far)
        if torch.equal(smaller, numbers):
            return _in_scan_order(numbers, masks)
        numbers = smaller


def _by_columns(masks):
    return course_label_components(masks.transpose(1, 2).contiguous()).transpose(1, 2).contiguous()


def _one_round(masks):
    """Join runs only with their direct contacts, so that chains of contacts stay separate."""
    own = torch.arange(masks.numel()).view(masks.shape)
    numbers = torch.where(masks, own, masks.numel())
    for axis in (2, 1):
        starts = masks.clone()
        starts.narrow(axis, 1, masks.shape[axis] - 1).logical_and_(~masks.narrow(axis, 0, masks.shape[axis] - 1))
        first = torch.where(starts, numbers, -1).cummax(axis).values
        numbers = torch.where(masks, torch.minimum(numbers, first), masks.numel())
    return _in_scan_order(numbers, masks)


def _first_positions(masks):
    """Return the position of each component's first pixel, plus 1, instead of consecutive numbers."""
    labels = course_label_components(masks)
    result = torch.zeros_like(labels)
    for i, image in enumerate(labels):
        for k in range(1, int(image.max()) + 1 if image.numel() else 0):
            result[i][image == k] = int((image.flatten() == k).nonzero()[0]) + 1
    return result


TASK = Task(
    id="label_components",
    title="Connected components (stage 2)",
    points=6,
    level=3,
    slow=label_components_slow,
    inputs=lambda size, generator: (
        random_maps.with_path(random_maps.masks(size, generator), long_paths.winding_path),
    ),
    edge_cases=(
        *random_maps.mask_cases(),
        Case("no images", lambda _: (torch.zeros(0, 3, 4, dtype=torch.bool),)),
        Case(
            "components in each of three images",
            lambda _: (random_maps.from_pictures("#.#\n...", "...\n..#", "##.\n..#") > 0,),
        ),
        Case(
            "a component at the end of a row and one at the start of the next",
            lambda _: (random_maps.from_pictures("..#\n#..\n..#", "#..\n..#\n#..") > 0,),
        ),
        Case("transposed masks", lambda g: (random_maps.masks(9, g).transpose(1, 2),)),
    ),
    worst=(
        *random_maps.hard_masks(),
        *random_maps.mask_cases(random_maps.LONG_PICTURES),
        Case("5,000 images of two pixels", lambda _: (random_maps.small_images(),)),
        Case(
            "two combs with teeth of different lengths, after an image without foreground",
            lambda _: (torch.cat([torch.zeros_like(comb := long_paths.ruler(1024)), comb, comb]),),
        ),
        Case("1,024 ticks, each connected with the next one", lambda _: (long_paths.chain(1024),)),
        Case("two mazes", lambda g: (torch.stack([long_paths.maze(g, 21) for _ in range(2)]),)),
        Case("a path up and down stairs, and another pixel", lambda _: (long_paths.stairs(24, 12),)),
    ),
    reference=course_label_components,
    count_sizes=random_maps.COUNT_SIZES,
    race_size=random_maps.SHORT_RACE,
    story=prose(
        """
        Pixels of one object are connected: steps up, down, left or right within the object lead from each pixel to every
        other one. The loop starts at each foreground pixel without a label and floods its component with the next number.
        Write `label_components(masks)`, which returns the same numbers for the whole batch without a loop over pixels or
        images. How far must a number travel? And how far does it get in one step?
        """
    ),
    rules=prose(
        """
        - `masks` is a bool tensor of shape (images, height, width). There may be no images.
        - The result is an int64 tensor of the same shape, and `masks` is not modified. Background is 0. In each image,
          components are numbered 1, 2, 3, … in the order of their first pixels, row by row.
        - Pixels that touch only at a corner are not connected, and neither are pixels of different images.
        - The number of tensor operations may grow with the rounds that a component needs, but not with the number of
          pixels or images. Keep the work in tensor operations: an answer that hands the pixels to Python with
          `.tolist()` fails.
        """
    ),
    limits=(at_most(300, "ops"), at_most(150, "syncs")),
    target=20.0,
    cost=lambda size: Cost(
        reads=random_maps.image_count(size) * size * size, writes=8 * random_maps.image_count(size) * size * size
    ),
    ways={
        "Python lists": python_lists,
        "smallest neighbor": smallest_neighbor,
        "the course's stage": course_label_components,
    },
    hints=items(
        """
        - Give each foreground pixel its own position as a number. If each of them takes the smallest number among itself
          and its neighbors in the foreground, and you repeat that until nothing changes, each component has one number: the
          position of its first pixel. That is right, but a number moves by only one pixel per round.
        - Connect fewer things: horizontal *runs* of pixels. A run starts at a foreground pixel without a foreground
          pixel on its left, and `cumsum` of the flattened starts, minus 1, gives `run_of_pixel`, as in lesson 09. Two
          runs of neighboring rows touch at pixels `masks[:, 1:] & masks[:, :-1]`. Now connect the runs as the lesson
          connects tracks: hook with `scatter_reduce_(…, "amin")`, then jump.
        - After the last round, `roots` holds the smallest run of each component, and `roots ==
          torch.arange(len(roots), device=roots.device)` marks the first runs. The `cumsum` of these marks, indexed with `roots`,
          numbers each run's component over the whole batch; subtract the number of components in earlier images to
          get the `labels` of the runs. `labels[run_of_pixel]` looks up the number of each pixel, and the mask clears
          the background. Without a run, return zeros.
        """
    ),
    mistakes=(
        Mistake("Pixels that touch only at a corner are connected here: use four neighbors.", _with_corners),
        Mistake("The numbers continue from image to image: each image starts again at 1.", _across_images),
        Mistake("Components are numbered column by column: number them row by row.", _by_columns),
        Mistake(
            "Parts of one component still have different numbers: repeat the step until nothing changes.", _one_round
        ),
        Mistake("These numbers have gaps: number the components 1, 2, 3, … in each image.", _first_positions),
        Mistake(
            "The numbers start at 0, which is the background: start at 1.",
            lambda masks: (course_label_components(masks) - 1).clamp(min=0),
        ),
    ),
)
