"""The fourth stage: background that an instance encloses becomes a part of it."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_18_capstone import long_paths, random_maps
from course_utils.tasks.lesson_18_capstone.fast_stages import course_fill_holes, course_label_components
from course_utils.tasks.lesson_18_capstone.slow_stages import fill_holes_slow
from course_utils.tasks.task import Case, Mistake, Task


def with_label_components(labels):
    """Get the background's regions from stage 2, then fill them by a table with one entry per region."""
    regions = course_label_components(labels == 0)
    if regions.numel() == 0:
        return labels.clone()
    images, _, width = labels.shape
    slots = int(regions.max()) + 1
    keys = regions + slots * torch.arange(images, device=labels.device)[:, None, None]
    on_border = torch.ones_like(regions, dtype=torch.bool)
    on_border[:, 1:-1, 1:-1] = False
    positions = torch.arange(labels.numel(), device=labels.device)
    first = torch.full((images * slots,), labels.numel(), device=labels.device)
    first.scatter_reduce_(0, keys.flatten(), positions, "amin")
    fill = labels.reshape(-1)[(first - width).clamp(0, labels.numel() - 1)]
    fill[keys[on_border]] = 0
    fill[::slots] = 0  # the foreground keeps its labels
    return labels + fill[keys]


def _background_path(size):
    """Return labels between the turns of a path of background that reaches the border at one end only."""
    return course_label_components(~long_paths.winding_path(size)[None])[0]


def _hole_of_ticks(_):
    """Return one hole that takes many rounds; each column of the foreground has a label of its own."""
    hole = torch.nn.functional.pad(long_paths.chain(256), (1,) * 4)
    return (torch.arange(1, hole.shape[2] + 1) * ~hole,)


def _row_and_column(labels):
    """Background with foreground on all four sides, somewhere in its row and column, takes the label on its left."""
    shown = labels != 0
    left = shown.long().cummax(2).values.bool()
    right = shown.flip(2).long().cummax(2).values.flip(2).bool()
    above = shown.long().cummax(1).values.bool()
    below = shown.flip(1).long().cummax(1).values.flip(1).bool()
    columns = torch.where(shown, torch.arange(labels.shape[2]), 0).cummax(2).values
    return torch.where(left & right & above & below & ~shown, labels.gather(2, columns), labels)


def _corners_connect(labels):
    """Let regions of the background also connect over corners."""
    open_ = labels == 0
    reached = open_.clone()
    reached[:, 1:-1, 1:-1] = False
    for _ in range(labels[0].numel() if len(labels) else 0):
        grown = torch.nn.functional.max_pool2d(reached[:, None].float(), 3, 1, 1)[:, 0] > 0
        reached = grown & open_
    filled = course_fill_holes(labels)
    return torch.where(reached, labels, filled)


def _filled_with(fill):
    """Fill the right pixels, with the labels that ``fill(labels, filled)`` returns."""

    def wrong(labels):
        filled = course_fill_holes(labels)
        return torch.where(filled != labels, fill(labels, filled), labels)

    return wrong


def _holes_renumbered(labels, filled):
    """Return each hole as an instance of its own."""
    return labels.amax((1, 2))[:, None, None] + course_label_components(filled != labels)


TASK = Task(
    id="fill_holes",
    title="Fill holes (stage 4)",
    points=4,
    level=2,
    slow=fill_holes_slow,
    inputs=lambda size, generator: (random_maps.with_path(random_maps.labels(size, generator), _background_path),),
    edge_cases=(
        *random_maps.label_cases(),
        Case("no images", lambda _: (torch.zeros(0, 3, 4, dtype=torch.int64),)),
        Case(
            "two rings in two images",
            lambda _: (random_maps.from_pictures("111.\n1.1.\n111.", ".222\n.2.2\n.222"),),
        ),
        Case("a hole between two instances", lambda _: (random_maps.from_pictures("...1...\n..1.2..\n...2..."),)),
        Case("a label that float64 rounds", lambda _: ((2**53 + 1) * random_maps.from_pictures("111\n1.1\n111"),)),
        Case("two holes in one instance", lambda _: (random_maps.from_pictures("11111\n1.1.1\n11111"),)),
        Case("holes in two instances", lambda _: (random_maps.from_pictures("111.222\n1.1.2.2\n111.222"),)),
        Case(
            "a hole whose corner touches the outside", lambda _: (random_maps.from_pictures("1111\n1..1\n1.11\n11.."),)
        ),
        Case("transposed labels", lambda g: (random_maps.labels(9, g).transpose(1, 2),)),
    ),
    worst=(
        *random_maps.label_cases(pictures=random_maps.HARD_PICTURES),
        Case(
            "a spiral of background that is closed at the border",
            lambda _: (
                course_label_components(
                    torch.nn.functional.pad(random_maps.from_pictures(random_maps.SPIRAL) > 0, (1,) * 4, value=True)
                ),
            ),
        ),
        Case("5,000 images of two pixels", lambda _: (random_maps.small_images().long(),)),
        Case(
            "a hole of 4,900 pixels",
            lambda _: (torch.nn.functional.pad(torch.zeros(1, 70, 70).long(), (1,) * 4, value=3),),
        ),
        Case("a hole of 256 ticks, each connected with the next one", _hole_of_ticks),
        Case("10,201 holes in each of two images", lambda _: (random_maps.grids_of_holes(),)),
        Case(
            "many small holes",
            lambda g: (course_label_components(torch.from_numpy(g.random((2, 24, 24)) < 0.7)),),
        ),
    ),
    reference=course_fill_holes,
    count_sizes=random_maps.COUNT_SIZES,
    race_size=random_maps.LONG_RACE,
    story=prose(
        """
        A reflection on an object leaves a hole in its mask. The loop collects each region of the background, and if the
        region doesn't reach the border of the image, it fills the region. A colleague has already moved this loop from
        tensors to Python lists, as in lesson 10. Write `fill_holes(labels)` for the whole batch. You may use
        `label_components`: yours, or the course's from `task("label_components").reference`. Its time counts here as
        well: if your answer is right but too slow, `explain(fill_holes, *task("fill_holes").inputs(64,
        np.random.default_rng(0)))` shows which line takes the most time. That line may be in stage 2.
        """
    ),
    rules=prose(
        """
        - `labels` is an int64 tensor of shape (images, height, width): 0 is background, and all other labels are positive.
          There may be no images.
        - Background pixels belong to one region if steps up, down, left or right connect them. A region with no pixel
          in the first or last row or column is a hole. Each hole gets the label of the pixel above its first pixel,
          counted row by row.
        - The result is a new tensor with the shape and dtype of `labels`, and `labels` is not modified.
        - The number of tensor operations may grow with the rounds that a region needs, but not with the number of pixels,
          images or holes. Keep the work in tensor operations: an answer that hands the pixels to Python with
          `.tolist()` fails.
        """
    ),
    limits=(at_most(300, "ops"), at_most(150, "syncs")),
    target=4.0,
    cost=lambda size: Cost(
        reads=8 * random_maps.image_count(size) * size * size, writes=8 * random_maps.image_count(size) * size * size
    ),
    ways={"regions from stage 2": with_label_components, "the course's stage": course_fill_holes},
    hints=items(
        """
        - A region of the background is a connected component of `labels == 0`, so stage 2 finds them all. Then you need
          two facts per region: is one of its pixels at the border, and which pixel is its first?
        - Both facts are a group-by, with a key from image and region as in stage 3. For the border, write into a
          table at the keys of the border pixels. For the first pixels, use `first.scatter_reduce_(0, keys.flatten(),
          positions, "amin")`, where `first` is a table filled with `labels.numel()`. The pixel above position `p` is
          at `p - width`.
        - `fill = labels.reshape(-1)[(first - width).clamp(0, labels.numel() - 1)]` holds one label per region. Set it to 0
          for regions at the border and for key 0 of each image, the foreground. The result is `labels + fill[keys]`.
        """
    ),
    mistakes=(
        Mistake(
            "Every pixel with foreground on all four sides is filled, but a path may lead around a corner: fill whole "
            "regions only.",
            _row_and_column,
        ),
        Mistake(
            "Background pixels that touch only at a corner count as connected here: only four neighbors connect.",
            _corners_connect,
        ),
        Mistake(
            "All holes get the label 1: a hole gets the label of the pixel above its first pixel.",
            _filled_with(lambda labels, filled: torch.ones_like(labels)),
        ),
        Mistake(
            "Each hole is an instance of its own here: it belongs to the instance above it.",
            _filled_with(_holes_renumbered),
        ),
        Mistake(
            "The background around the objects is filled as well: a region that reaches the border stays 0.",
            lambda labels: torch.where(labels == 0, labels.amax((1, 2))[:, None, None].clamp(max=1), labels),
        ),
        Mistake("No hole is filled: fill each region that doesn't reach the border.", lambda labels: labels.clone()),
    ),
)
