"""A training loop that asks nothing: the log is kept, and the choice whether to cut a gradient stays on the device.

The optimizer has a momentum, so that who steps in another order, or with the gradients of two steps, ends elsewhere.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def quiet_training_slow(model, batches, optimizer):
    """Train the model, one step a batch, no gradient longer than 1; the loss of every step."""
    history = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        length = sum((p.grad**2).sum() for p in model.parameters()).sqrt()
        if length > 1:
            for p in model.parameters():
                p.grad /= length.item()
        optimizer.step()
        history.append(loss.item())
    return torch.tensor(history, dtype=batches[0][0].dtype, device=batches[0][0].device)


def _training(generator, layers, steps, dtype=torch.float32, spread=1.0, weights=0.4, rows=4, **settings):
    model = nn.Sequential(*layers).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=weights))
    into, out = layers[0].in_features, layers[-1].out_features
    batches = [
        (normal(generator, rows, into, dtype=dtype), normal(generator, rows, out, dtype=dtype, scale=spread))
        for _ in range(steps)
    ]
    return model, batches, torch.optim.SGD(model.parameters(), **({"lr": 0.05, "momentum": 0.9} | settings))


def _line(generator, steps, **settings):
    return _training(generator, [nn.Linear(3, 2)], steps, **settings)


def _perceptron(generator, steps, **settings):
    return _training(generator, [nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 1)], steps, **settings)


def _on_the_way(generator, steps):
    """An optimizer that has a speed already, and a model whose last gradients are still there."""
    model, batches, optimizer = _perceptron(generator, steps)
    for x, y in batches[:2]:
        ((model(x) - y) ** 2).mean().backward()
        optimizer.step()
    return model, batches, optimizer


def _trained(model, batches, optimizer, *, cut="each", empties=True, notes="before"):
    """What the loop does, and what it does where somebody makes a usual mistake."""
    history = []
    for x, y in batches:
        if empties:
            optimizer.zero_grad()
        loss = functional.mse_loss(model(x), y)
        loss.backward()
        gradients = [p.grad for p in model.parameters()]
        length = torch.stack([g.norm() for g in gradients]).norm()
        if cut == "always":
            scale = 1 / length
        elif cut == "never":
            scale = torch.ones_like(length)
        else:
            scale = (1 / length).clamp(max=1)
        for gradient in gradients:
            gradient *= (1 / gradient.norm()).clamp(max=1) if cut == "each for itself" else scale
        optimizer.step()
        with torch.no_grad():
            history.append(loss.detach() if notes == "before" else functional.mse_loss(model(x), y))
    return torch.stack(history)


TASK = Task(
    id="quiet_training",
    title="A training loop that asks nothing",
    points=4,
    level=2,
    slow=quiet_training_slow,
    detached=True,
    inputs=lambda size, generator: _perceptron(generator, size + 1, spread=2.0),
    writes=("model",),
    returns=True,
    edge_cases=(
        Case("a single batch", lambda g: _line(g, 1)),
        Case("gradients that are all long", lambda g: _line(g, 4, spread=50.0)),
        Case("gradients that are all short", lambda g: _line(g, 4, spread=0.1, weights=0.05, lr=0.01)),
        Case("an optimizer without momentum", lambda g: _perceptron(g, 4, momentum=0.0)),
        Case("weights that decay", lambda g: _line(g, 4, weight_decay=0.1)),
        Case("a training that goes on", lambda g: _on_the_way(g, 5)),
        Case("bfloat16 values", lambda g: _perceptron(g, 4, dtype=torch.bfloat16)),
        Case("batches of one row", lambda g: _line(g, 3, rows=1)),
    ),
    sizes=(1, 2, 3, 8),
    count_sizes=(4, 16),
    tolerance=1e-4,  # torch.nn.utils.clip_grad_norm_ adds 1e-6 to the length
    story=prose(
        """
        A model is fine-tuned on a rented GPU that is busy only half of the time: after each batch Python stops to ask for the
        loss, and once more to see whether the gradient is too long. In the loop below a gradient whose length is above 1 is
        cut to length 1 before the step. (The length is that of all parameters' gradients as one long vector.) Write
        `quiet_training(model, batches, optimizer)`, which trains the model just so and returns the loss of every step as one
        vector, and during which Python waits for nothing. What that saves shows on a GPU; here it is counted.
        """
    ),
    rules=prose(
        """
        - `batches` is a list of at least one pair `(x, y)`, all of one dtype and device. The model's own parameters are changed,
        by the optimizer that is given, and end where the loop leaves them.
        - The result is a vector of the batches' dtype on their device, with the loss of each step *before* that step. It keeps
        no graph alive.
        - Python waits for no value: no `.item()`, no `if` on a tensor. A loop over the batches stays: each step needs the
        parameters of the one before.
        """
    ),
    limits=(at_most(0, "syncs"),),
    hints=items(
        """
        - Two lines of the loop need a value in Python. Which? One of them is an `if`.
        - The losses can wait as tensors until the end. As for the `if`: in both cases the gradients may be multiplied by *some*
          number. Which one is it where the gradient is short?
        - That number is `(1 / length).clamp(max=1)`, a tensor; multiply each gradient by it. torch has such a function too:
          `torch.nn.utils.clip_grad_norm_`. Keep `loss.detach()`, and stack what you kept.
        """
    ),
    mistakes=(
        Mistake(
            "No gradient was cut: those longer than 1 are to be cut to length 1.", lambda *i: _trained(*i, cut="never")
        ),
        Mistake(
            "Every gradient was brought to length 1; those shorter than 1 stay as they are.",
            lambda *i: _trained(*i, cut="always"),
        ),
        Mistake(
            "Each parameter's gradient was cut by a length of its own; the length is that of all gradients together.",
            lambda *i: _trained(*i, cut="each for itself"),
        ),
        Mistake(
            "The gradients pile up from step to step: `optimizer.zero_grad()` empties them.",
            lambda *i: _trained(*i, empties=False),
        ),
        Mistake(
            "These are the losses after each step; wanted is the loss before it, which the step was made from.",
            lambda *i: _trained(*i, notes="after"),
        ),
    ),
    sources=("S1.1",),
)
