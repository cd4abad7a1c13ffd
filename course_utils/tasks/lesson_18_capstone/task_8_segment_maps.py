"""A challenge: the whole pipeline, from probability maps to boxes and runs."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.lesson_18_capstone import fast_stages, long_paths, random_maps
from course_utils.tasks.lesson_18_capstone.slow_stages import (
    drop_small_slow,
    fill_holes_slow,
    instance_boxes_slow,
    segment_maps_slow,
)
from course_utils.tasks.lesson_18_capstone.task_2_label_components import python_lists as components_in_lists
from course_utils.tasks.lesson_18_capstone.task_6_encode_runs import python_lists as runs_in_lists
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import with_gaps
from course_utils.tasks.torch_inputs import integers, uniform


def python_lists(maps, thresholds, sizes, min_area):
    """Return the boxes and the runs; the stages that loop over pixels do so on Python lists."""
    masks = fast_stages.course_foreground(maps, thresholds, sizes)
    labels = fill_holes_slow(drop_small_slow(components_in_lists(masks), min_area))
    return instance_boxes_slow(labels), runs_in_lists(labels)


def _assemble(order=("drop", "fill"), masks=fast_stages.course_foreground, boxes_of=lambda labels, filled: filled):
    """Return the pipeline with a wrong mask, a wrong order of its steps, or boxes of the wrong labels."""

    def wrong(maps, thresholds, sizes, min_area):
        labels = fast_stages.course_label_components(masks(maps, thresholds, sizes))
        filled = labels
        for step in order:
            filled = (
                fast_stages.course_drop_small(filled, min_area)
                if step == "drop"
                else fast_stages.course_fill_holes(filled)
            )
        return fast_stages.course_instance_boxes(boxes_of(labels, filled)), fast_stages.course_encode_runs(filled)

    return wrong


def _maps_from(name, *pictures, min_area=3):
    """Return a case whose maps are 0.9 in the foreground of the pictures and 0.1 elsewhere, without padding."""

    def make(_):
        maps = 0.1 + 0.8 * (random_maps.from_pictures(*pictures) > 0).float()
        images, height, width = maps.shape
        return maps, torch.full((images,), 0.5), torch.tensor([[height, width]] * images), min_area

    return Case(name, make)


def _maps_of(name, masks):
    """Return a case whose maps are 0.9 in the masks and 0.1 elsewhere, without padding."""
    maps = 0.1 + 0.8 * masks.float()
    return Case(name, lambda _: (maps.clone(), torch.tensor([0.5]), torch.tensor([maps.shape[1:]]), 1))


def _with_infinities(_):
    """Return maps whose pixels at an infinite threshold are foreground, except NaN, and infinite padding."""
    maps = torch.tensor([[[inf, 0.2, 0.9], [inf, inf, 0.9]], [[-inf, nan, -inf], [inf, -inf, -inf]]])
    return maps, torch.tensor([inf, -inf]), torch.tensor([[2, 3], [1, 2]]), 1


def _float64(generator):
    """Return maps that equal their thresholds or differ from them by one rounding of float64."""
    thresholds = uniform(generator, 0.3, 0.7, 2, dtype=torch.float64)
    steps = integers(generator, -1, 2, 2, 5, 6).double()
    maps = thresholds[:, None, None] * (1 + steps * torch.finfo(torch.float64).eps)
    return maps, thresholds, torch.tensor([[5, 6], [4, 5]]), 1


_GRID = "\n".join([65 * "#", *["#." * 32 + "#", 65 * "#"] * 32])
"""A picture of one instance with 1,024 holes of one pixel."""


def _inputs(size, generator):
    maps, thresholds, sizes, min_area = random_maps.maps_and_arguments(size, generator)
    maps = random_maps.with_path(maps, lambda size: 0.1 + 0.8 * long_paths.winding_path(size).float())
    return maps, thresholds, sizes, min_area


def _pixels(size):
    return random_maps.image_count(size) * size * size


TASK = Task(
    id="segment_maps",
    title="The whole pipeline",
    points=8,
    level=3,
    slow=segment_maps_slow,
    inputs=_inputs,
    edge_cases=(
        _maps_from("one pixel of foreground, and a least area of 0", "#", min_area=0),
        _maps_from("an image without foreground", "...\n..."),
        _maps_from("an image that is all foreground", "###\n###"),
        _maps_from("an instance that touches all borders", ".#.\n###\n.#."),
        _maps_from("pixels that touch only at their corners", "#.#\n.#.\n#.#", min_area=1),
        _maps_from("all instances too small", "#.#.\n.#.#", min_area=9),
        _maps_from("a least area of 2.25", "##.\n...\n###", min_area=2.25),
        _maps_from(
            "12,000 instances in the first image and two in the second",
            "##." * 12_000,
            "#.##" + 35_996 * ".",
            min_area=2,
        ),
        _maps_from(
            "1,024 holes in each of two images",
            "\n".join([_GRID, 65 * ".", 65 * "."]),
            "\n".join(["#" + 64 * ".", 65 * ".", _GRID]),
            min_area=1,
        ),
        _maps_from("300 images of one column", *["#\n.\n#\n.\n#", ".\n#\n.\n#\n.", "#\n#\n.\n.\n#"] * 100, min_area=1),
        _maps_from("an instance of 256 pixels", "\n".join(["#" * 16] * 16)),
        _maps_from("a speck inside a ring", "#####\n#...#\n#.#.#\n#...#\n#####"),
        _maps_from("a ring that is large enough only with its hole", ".###.\n.#.#.\n.###.", min_area=9),
        _maps_from("a hole between four instances", ".#.\n#.#\n.#.", min_area=1),
        _maps_from(
            "wide images with and without instances",
            "#.#.#.#.#.#.#\n.............",
            "#..........#.\n###........#.",
            ".............\n.............",
            "#.#..........\n#.#..........",
            min_area=1,
        ),
        Case(
            "no images",
            lambda _: (
                torch.zeros(0, 3, 4),
                torch.zeros(0),
                torch.zeros(0, 2, dtype=torch.int64),
                random_maps.MIN_AREA,
            ),
        ),
        Case("float64 probabilities near the threshold", _float64),
        with_gaps(lambda g: random_maps.maps_and_arguments(9, g)),
        Case(
            "maps with NaN",
            lambda _: (torch.tensor([[[0.9, nan], [nan, 0.1]]]), torch.tensor([0.5]), torch.tensor([[2, 2]]), 1),
        ),
        Case("infinite probabilities and thresholds", _with_infinities),
        Case(
            "padding that reaches the threshold",
            lambda _: (
                torch.tensor([[[0.9, 0.1, 0.9], [0.9, 0.1, 0.9], [0.9, 0.9, 0.9]]]),
                torch.tensor([0.5]),
                torch.tensor([[2, 2]]),
                1,
            ),
        ),
    ),
    worst=(
        *(_maps_from(name, picture) for name, picture in random_maps.HARD_PICTURES.items()),
        _maps_of("a path up and down stairs, and another pixel", long_paths.stairs(24, 12)),
        _maps_of("256 ticks, each connected with the next one", long_paths.chain(256)),
    ),
    reference=fast_stages.course_segment_maps,
    count_sizes=random_maps.COUNT_SIZES,
    race_size=random_maps.SHORT_RACE,
    story=prose(
        """
        Now put your stages together. Write `segment_maps(maps, thresholds, sizes, min_area)`, which returns the boxes and
        the runs of all instances, at least 50× as fast as the loops on one thread of your CPU. If a stage of yours is
        missing, take the course's version for it: `fill_holes = task("fill_holes").reference`. When the check passes,
        run `report(segment_maps)` in a new cell: it measures your pipeline for ten seconds or longer, compares it with
        your earlier attempts, and helps you write your report.
        """
    ),
    rules=prose(
        """
        - The stages run in this order: foreground, components, small instances, holes, boxes and runs. Besides the
          arguments of `foreground`, the function takes the `min_area` of `drop_small`.
        - The result has two parts, both int64 tensors: the boxes as in stage 5, and the runs as in stage 6. The inputs are
          not modified.
        - The number of tensor operations may grow with the rounds that components need, but not with the number of
          pixels, images or instances. Keep the work in tensor operations: an answer that hands the pixels to Python
          with `.tolist()` fails.
        - The card shows your share of the limit. The limit counts one read of each probability.
        """
    ),
    limits=(at_most(900, "ops"), at_most(450, "syncs")),
    target=50.0,
    cost=lambda size: Cost(reads=4 * _pixels(size), writes=8),
    ways={"Python lists": python_lists, "the course's stages": fast_stages.course_segment_maps},
    hints=items(
        """
        - Call the functions of the six stages in order. Stages 2 to 4 take what the stage before returns, and stages 5 and 6
          both take the labels of stage 4.
        - If you don't reach 50×, measure before you change anything: `explain(segment_maps, *task("segment_maps").inputs(36,
          np.random.default_rng(0)))` shows which line takes the most time and why. Improve only that one.
        - `labels = label_components(foreground(maps, thresholds, sizes))`, then `labels = fill_holes(drop_small(labels,
          min_area))`, then `return instance_boxes(labels), encode_runs(labels)`. To go beyond, count the operations of
          each stage: at this size the calls can take longer than the pixels. Does a stage compute something that another one
          already knows?
        """
    ),
    mistakes=(
        Mistake("Holes are filled before small instances are dropped: drop first.", _assemble(("fill", "drop"))),
        Mistake("Small instances are still there: drop them before you fill holes.", _assemble(("fill",))),
        Mistake("Holes are still there: boxes and runs take the labels of stage 4.", _assemble(("drop",))),
        Mistake(
            "The boxes belong to the components before small ones were dropped: use the labels of stage 4.",
            _assemble(boxes_of=lambda labels, filled: labels),
        ),
        Mistake(
            "Padding counts as foreground: only pixels inside the image's own height and width do.",
            _assemble(masks=lambda maps, thresholds, sizes: maps >= thresholds[:, None, None]),
        ),
        Mistake(
            "The runs come first: return the boxes, then the runs.",
            lambda *inputs: fast_stages.course_segment_maps(*inputs)[::-1],
        ),
    ),
)
