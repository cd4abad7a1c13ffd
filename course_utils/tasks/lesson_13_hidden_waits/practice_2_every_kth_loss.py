"""Practice: a log of every k-th step that keeps tensors and joins them at the end."""

from __future__ import annotations

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def every_kth_loss_slow(losses, k):
    """Return the losses of the steps 0, k, 2k, … as one vector."""
    logged = []
    for step, loss in enumerate(losses):
        if step % k == 0:
            logged.append(loss.item())
    return torch.tensor(logged, dtype=losses[0].dtype, device=losses[0].device)


def _losses(generator, steps, k, dtype=torch.float32):
    return list(uniform(generator, 0.1, 3.0, steps, dtype=dtype).unbind()), k


TASK = Task(
    id="every_kth_loss",
    title="Every k-th loss without synchronization",
    points=0,
    level=1,
    slow=every_kth_loss_slow,
    detached=True,
    inputs=lambda size, generator: _losses(generator, size, 3),
    edge_cases=(
        Case("fewer losses than k", lambda g: _losses(g, 4, 10)),
        Case("float64 losses", lambda g: _losses(g, 7, 2, torch.float64)),
        Case(
            "losses that require a gradient",
            lambda g: ([each.clone().requires_grad_() for each in _losses(g, 5, 2)[0]], 2),
        ),
    ),
    worst="The losses are selected and not changed.",
    story=prose(
        """
        Write `every_kth_loss(losses, k)`: the losses of steps 0, k, 2k, … as one vector, without a synchronization.
        """
    ),
    limits=(at_most(0, "syncs"),),
    hints=items(
        """
        - `losses` is a list: a slice with a step selects from it. `torch.stack` makes one vector from the selection.
        """
    ),
    mistakes=(
        Mistake(
            "This starts at step k − 1: start at step 0.",
            lambda losses, k: torch.stack(losses[min(k, len(losses)) - 1 :: k]).detach(),
        ),
        Mistake("These are all losses: keep every k-th.", lambda losses, k: torch.stack(losses).detach()),
    ),
)
