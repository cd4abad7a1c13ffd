"""A training loop without synchronization: the log stays on the device, and so does the decision to clip a gradient.

The optimizer has momentum, so that another order of steps, or accumulated gradients, leads to other parameters.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import normal


def quiet_training_slow(model, batches, optimizer):
    """Train the model, one step per batch, with gradients clipped to length 1, and return the loss of every step."""
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


def _linear_model(generator, steps, **settings):
    return _training(generator, [nn.Linear(3, 2)], steps, **settings)


def _two_layers(generator, steps, **settings):
    return _training(generator, [nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3)], steps, **settings)


def _three_layers(generator):
    layers = [nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 5), nn.Tanh(), nn.Linear(5, 3)]
    return _training(generator, layers, 4, momentum=0.0, spread=2.0)


def _with_batch_normalization(generator):
    return _training(generator, [nn.Linear(3, 4, bias=False), nn.BatchNorm1d(4), nn.Linear(4, 2)], 3, rows=6)


def _with_history(generator, steps):
    """Return an optimizer with momentum buffers already filled, and a model that still has its last gradients."""
    model, batches, optimizer = _two_layers(generator, steps)
    for x, y in batches[:2]:
        ((model(x) - y) ** 2).mean().backward()
        optimizer.step()
    return model, batches, optimizer


def _two_groups(generator):
    """Return an optimizer with two groups of parameters, whose gradients together are longer than each group's."""
    model, batches, _ = _two_layers(generator, 4, spread=2.0)
    groups = [{"params": [*layer.parameters()], "lr": rate} for layer, rate in ((model[0], 0.05), (model[2], 0.02))]
    return model, batches, torch.optim.SGD(groups, momentum=0.9)


def _without_a_sequence(generator):
    sequence, batches, _ = _linear_model(generator, 3, spread=2.0)
    model = sequence[0]
    return model, batches, torch.optim.SGD(model.parameters(), lr=0.05)


def _layer_that_runs_twice(generator):
    again = nn.Linear(3, 3)
    return _training(generator, [again, nn.Tanh(), again], 4, spread=2.0)


def _without_gradient(_):
    """Return a model whose outputs are all right, so that the gradients are 0."""
    model = nn.Sequential(nn.Linear(3, 2))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    return model, [(torch.ones(4, 3), torch.zeros(4, 2))] * 2, torch.optim.SGD(model.parameters(), lr=0.05)


def _barely_too_long(_):
    """The gradient of (0.505 - 0)² is 1.01."""
    layer = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        layer.weight.fill_(0.505)
    model = nn.Sequential(layer).eval()
    return model, [(torch.ones(1, 1), torch.zeros(1, 1))], torch.optim.SGD(model.parameters(), lr=0.5)


def _with_mistake(model, batches, optimizer, *, clip="each", zeroes=True, logs="before"):
    """Run the loop without synchronization; its options are common mistakes."""
    history = []
    for x, y in batches:
        if zeroes:
            optimizer.zero_grad()
        loss = functional.mse_loss(model(x), y)
        loss.backward()
        gradients = [p.grad for p in model.parameters()]
        length = torch.stack([g.norm() for g in gradients]).norm()
        if clip == "always":
            scale = 1 / length
        elif clip == "never":
            scale = torch.ones_like(length)
        else:
            scale = (1 / length).clamp(max=1)
        for gradient in gradients:
            gradient *= (1 / gradient.norm()).clamp(max=1) if clip == "per parameter" else scale
        optimizer.step()
        with torch.no_grad():
            history.append(loss.detach() if logs == "before" else functional.mse_loss(model(x), y))
    return torch.stack(history)


TASK = Task(
    id="quiet_training",
    title="A training loop without synchronization",
    points=4,
    level=2,
    slow=quiet_training_slow,
    detached=True,
    inputs=lambda size, generator: _two_layers(generator, size + 1, spread=2.0),
    writes=("model",),
    returns=True,
    edge_cases=(
        Case("a single batch", lambda g: _linear_model(g, 1)),
        Case("long gradients", lambda g: _linear_model(g, 4, spread=50.0)),
        Case("short gradients", lambda g: _linear_model(g, 4, spread=0.1, weights=0.05, lr=0.01)),
        Case("three layers and an optimizer without momentum", _three_layers),
        Case("weight decay", lambda g: _linear_model(g, 4, weight_decay=0.1)),
        Case("continued training", lambda g: _with_history(g, 5)),
        Case("bfloat16 values", lambda g: _two_layers(g, 4, dtype=torch.bfloat16)),
        Case("batches of one row", lambda g: _linear_model(g, 3, rows=1)),
        Case("batch normalization", _with_batch_normalization),
        Case("two groups of parameters", _two_groups),
        Case("a layer that the model runs twice", _layer_that_runs_twice),
        Case("a model that is a single layer", _without_a_sequence),
        Case("gradients of 0", _without_gradient),
        Case("a gradient of length 1.01, in evaluation mode", _barely_too_long),
    ),
    worst=(
        Case("gradients a million times too long", lambda g: _linear_model(g, 3, spread=1e6)),
        Case("30 steps", lambda g: _two_layers(g, 30, spread=2.0)),
    ),
    sizes=(1, 2, 3, 8),
    count_sizes=(4, 16),
    # torch.nn.utils.clip_grad_norm_ adds 1e-6 to the length; that error grows over 30 steps with momentum.
    tolerance=1e-4,
    story=prose(
        """
        A model is fine-tuned on a rented GPU that is busy only half of the time: after each batch, Python stops to read
        the loss and the length of the gradient. The loop below clips the gradient to length 1 before the step if it is
        longer. (The length is the norm of all parameters' gradients as one long vector.) Write
        `quiet_training(model, batches, optimizer)`, which trains the model in exactly this way and returns the loss of
        every step as one vector, without a synchronization. The time saved shows on a GPU; here the check counts
        synchronizations.
        """
    ),
    rules=prose(
        """
        - `batches` is a list of at least one pair `(x, y)`, all of the same dtype and on the same device. `optimizer`
          updates the model's parameters. All gradients are finite. Afterward, the parameters, their gradients and the
          optimizer's state are the same as after the loop; each length may be off by a millionth.
        - The result is a vector of the batches' dtype on their device, with the loss of each step *before* its update.
          It keeps no graph.
        - The loop over the batches stays, because each step needs the parameters of the step before.
        """
    ),
    limits=(at_most(0, "syncs"),),
    hints=items(
        """
        - Three lines of the loop need a value in Python. Which? One of them is an `if`.
        - The losses can stay tensors until the end. The `if` and its division multiply the gradients by *some*
          number if the length is above 1. By which number could you multiply them otherwise?
        - In both cases the number is `(1 / length).clamp(max=1)`, a tensor: multiply each gradient by it. PyTorch has a
          function for this too: `torch.nn.utils.clip_grad_norm_`. Keep `loss.detach()` in a list, and stack the list at
          the end.
        """
    ),
    mistakes=(
        Mistake(
            "No gradient was clipped: clip a gradient longer than 1 to length 1.",
            lambda *i: _with_mistake(*i, clip="never"),
        ),
        Mistake(
            "Every gradient was scaled to length 1: a shorter gradient stays unchanged.",
            lambda *i: _with_mistake(*i, clip="always"),
        ),
        Mistake(
            "Each parameter's gradient was clipped by its own length: use the length of all gradients together.",
            lambda *i: _with_mistake(*i, clip="per parameter"),
        ),
        Mistake(
            "The gradients accumulate from step to step: clear them with `optimizer.zero_grad()`.",
            lambda *i: _with_mistake(*i, zeroes=False),
        ),
        Mistake(
            "These are the losses after each update: return the loss before it.",
            lambda *i: _with_mistake(*i, logs="after"),
        ),
    ),
    sources=("S1.1",),
)
