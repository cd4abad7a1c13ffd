"""A log without synchronization: the mean of all losses so far, without reading a value in Python.

The time saved shows on a GPU; the check counts synchronizations, so there is no race.
"""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import uniform


def loss_history_slow(losses):
    """Return the mean of all losses up to and including each step."""
    history = []
    total = 0.0
    for step, loss in enumerate(losses):
        total += loss.item()
        history.append(total / (step + 1))
    return torch.tensor(history, dtype=losses[0].dtype, device=losses[0].device)


def _losses(generator, steps, dtype=torch.float32):
    return (list(uniform(generator, 0.1, 3.0, steps, dtype=dtype).unbind()),)


def _with_gradient(generator, steps):
    """Return losses as a model returns them: each keeps the graph of its gradient."""
    return ([loss.clone().requires_grad_() for loss in _losses(generator, steps)[0]],)


def _with_one_gradient(generator):
    (losses,) = _losses(generator, 4)
    return ([losses[0], losses[1].clone().requires_grad_(), *losses[2:]],)


TASK = Task(
    id="loss_history",
    title="A log without synchronization",
    points=2,
    level=1,
    slow=loss_history_slow,
    detached=True,
    inputs=lambda size, generator: _losses(generator, size),
    edge_cases=(
        Case("a single loss", lambda generator: _losses(generator, 1)),
        Case("float64 losses", lambda generator: _losses(generator, 6, torch.float64)),
        Case("losses of zero and below", lambda _: ([torch.tensor(loss) for loss in (0.0, 0.0, -1.5)],)),
        Case("losses that fall by orders of magnitude", lambda _: ([torch.tensor(10.0**-k) for k in range(6)],)),
        Case("a loss that is not a number", lambda _: ([torch.tensor(1.0), torch.tensor(nan), torch.tensor(2.0)],)),
        Case("losses that require a gradient", lambda generator: _with_gradient(generator, 5)),
        Case("losses of which only one requires a gradient", _with_one_gradient),
        Case("one infinite loss", lambda _: ([torch.tensor(1.0), torch.tensor(inf)],)),
    ),
    worst=(
        Case("4,200 losses, more than float16 can count", lambda generator: _losses(generator, 4200)),
        Case(
            "a large loss before 500 small ones", lambda generator: ([torch.tensor(1e4), *_losses(generator, 500)[0]],)
        ),
    ),
    race_size=2000,
    count_sizes=(8, 64),
    story=prose(
        """
        A training loop stores the loss of every step as a scalar tensor. The log needs, for every step, the mean of
        all losses so far. The loop below reads each loss in turn, and on a GPU each read blocks Python until the GPU
        has caught up. Write `loss_history(losses)` without such reads. (`x.cumsum(0)` returns the running sums of a
        vector `x`.) The time saved shows on a GPU; here the check counts synchronizations.
        """
    ),
    rules=prose(
        """
        - `losses` is a list of at least one scalar tensor, all float32 or all float64, on the same device. The result
          is a vector of their dtype on their device, one value per loss.
        - The losses may come directly from a model. The log holds values, not the graphs of their gradients: it doesn't
          require a gradient.
        - `torch.tensor(losses)` synchronizes for each loss. `.detach()` does no work and isn't counted.
        """
    ),
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    hints=items(
        """
        - Which line makes Python wait for a value, and how often does it run?
        - `torch.stack(losses)` makes one tensor from all losses without a synchronization. After that, all operations
          can run on the tensor.
        - The running sum is `cumsum(0)`, and the number of steps so far is `torch.arange(1, len(losses) + 1)` on the
          same device: divide the sum by this number. `.detach()` of the vector drops the graph without a
          synchronization.
        """
    ),
    mistakes=(
        Mistake("These are the losses: each entry should be the mean of all losses so far.", torch.stack),
        Mistake(
            "These are running sums: divide each by the number of steps so far.",
            lambda losses: torch.stack(losses).cumsum(0),
        ),
        Mistake(
            "Off by one: the step with index 0 is the first, so its sum is divided by 1.",
            lambda losses: torch.stack(losses).cumsum(0) / torch.arange(2, len(losses) + 2, dtype=losses[0].dtype),
        ),
        Mistake(
            "This is the mean of all losses at every step: use only the losses so far.",
            lambda losses: torch.stack(losses).mean().repeat(len(losses)),
        ),
    ),
    sources=("S0.4", "S1.1"),
)
