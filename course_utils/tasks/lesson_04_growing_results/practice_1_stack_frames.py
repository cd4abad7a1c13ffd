"""Frames of one size, one behind the other: the step from a result that grows to a list and one operation."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal


def stack_frames_slow(frames):
    """All frames in one tensor: (number of frames, height, width)."""
    film = frames[0][None]
    for frame in frames[1:]:
        film = torch.cat([film, frame[None]])
    return film.clone()


TASK = Task(
    id="stack_frames",
    title="A film from its frames",
    points=0,
    level=1,
    slow=stack_frames_slow,
    inputs=lambda size, generator: ([normal(generator, 3, 4) for _ in range(size)],),
    edge_cases=(Case("frames as high as wide", lambda g: ([normal(g, 3, 3) for _ in range(3)],)),),
    limits=(at_most(3, "ops"), at_most(0, "syncs")),
    mistakes=(
        Mistake(
            "The frames lie one below the other, in one tall picture: `cat` joins along an axis that is there, `stack` makes a "
            "new one.",
            lambda frames: torch.cat(frames),
        ),
        Mistake(
            "The new axis is the last one; it is to be the first.",
            lambda frames: stack_frames_slow(frames).movedim(0, -1),
        ),
    ),
    sources=("S1.5",),
)
