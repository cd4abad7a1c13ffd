"""A log that does not wait: the mean of all losses so far, with no value brought to Python.

What that saves shows on a GPU; here it is counted, so nothing is raced.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform
from course_utils.tasks.unwrap import items, prose


def loss_history_slow(losses):
    """The mean of all losses up to and including each step."""
    history = []
    total = 0.0
    for step, loss in enumerate(losses):
        total += loss.item()
        history.append(total / (step + 1))
    return torch.tensor(history, dtype=losses[0].dtype, device=losses[0].device)


def _losses(generator, steps, dtype=torch.float32):
    return (list(uniform(generator, 0.1, 3.0, steps, dtype=dtype).unbind()),)


def _with_gradient(generator, steps):
    """As they come from a model: each holds on to what its gradient needs."""
    return ([loss.clone().requires_grad_() for loss in _losses(generator, steps)[0]],)


TASK = Task(
    id="loss_history",
    title="A log that does not wait",
    points=2,
    level=1,
    slow=loss_history_slow,
    detached=True,
    inputs=lambda size, generator: _losses(generator, size),
    edge_cases=(
        Case("a single loss", lambda generator: _losses(generator, 1)),
        Case("float64 losses", lambda generator: _losses(generator, 6, torch.float64)),
        Case("losses of zero", lambda _: ([torch.tensor(0.0)] * 3,)),
        Case("losses that fall by orders of magnitude", lambda _: ([torch.tensor(10.0**-k) for k in range(6)],)),
        Case("a loss that is not a number", lambda _: ([torch.tensor(1.0), torch.tensor(nan), torch.tensor(2.0)],)),
        Case("losses that require a gradient", lambda generator: _with_gradient(generator, 5)),
        Case("one infinite loss", lambda _: ([torch.tensor(1.0), torch.tensor(inf)],)),
    ),
    race_size=2000,
    count_sizes=(8, 64),
    story=prose(
        """
        A training loop keeps the loss of every step, each a tensor of a single number. The log wants, for every step,
        the mean of all losses so far. The loop below asks each tensor for its number in turn, and on a GPU each such
        question stops the program until the GPU has caught up. Write `loss_history(losses)` so that it asks none.
        (`x.cumsum(0)` holds the running sums of a vector `x`.) What that saves shows on a GPU; here it is counted.
        """
    ),
    rules=prose(
        """
        - `losses` is a list of at least one tensor without dimensions, all of one dtype and device. The result is a
        vector of their dtype on their device, as long as `losses`.
        - The losses may come straight from a model. The log keeps numbers, not the graphs that made them: it requires no
        gradient.
        - Python waits for no value: no `.item()`, and no `torch.tensor(losses)`, which waits for each loss by itself.
        - A few tensor operations, whatever the number of losses: what is done to each is done to all of them at once.
        """
    ),
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    hints=items(
        """
        - Which line makes Python wait for a value, and how often is it reached?
        - `torch.stack(losses)` makes one tensor of them all, without a wait. From there on everything can be done on
          the tensor.
        - The running sum is `cumsum(0)`, the number of steps so far is `torch.arange(1, n + 1)` on the same device:
          divide one by the other. `.detach()` of the vector lets go of the graph,
          without a wait.
        """
    ),
    mistakes=(
        Mistake("These are the losses themselves: each entry should be the mean of all losses so far.", torch.stack),
        Mistake(
            "These are running sums: divide each by the number of steps so far.",
            lambda losses: torch.stack(losses).cumsum(0),
        ),
        Mistake(
            "Off by one: the step with index 0 is the first, so its sum is divided by 1.",
            lambda losses: torch.stack(losses).cumsum(0) / torch.arange(2, len(losses) + 2, dtype=losses[0].dtype),
        ),
        Mistake(
            "This is the mean of all losses at every step, also of those still to come.",
            lambda losses: torch.stack(losses).mean().repeat(len(losses)),
        ),
    ),
    sources=("S0.4", "S1.1"),
)
