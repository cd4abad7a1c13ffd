"""A convolutional network in channels_last memory: one conversion of the input instead of two per layer.

Values don't show a layout, so this task compares the result's strides as well, and layers of the model note the layout
that they get.
"""

from __future__ import annotations

import torch
from torch import nn

from course_utils.frameworks.agreement import close
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Task
from course_utils.tasks.torch_inputs import normal


def channels_last_conv_slow(model, x):
    """Return the model's output in channels_last memory, image by image, with conversions around each layer."""
    results = []
    for image in x.split(1):
        for layer in model:
            image = layer(image.contiguous(memory_format=torch.channels_last)).contiguous()
        results.append(image)
    return torch.cat(results).contiguous(memory_format=torch.channels_last)


RACE_SIZE, SIDE = 32, 16


class LayoutNote(nn.Module):
    """Returns its input, and notes whether all of its inputs were in channels_last memory."""

    def __init__(self):
        super().__init__()
        self.only_channels_last = True

    def forward(self, x):
        self.only_channels_last &= x.is_contiguous(memory_format=torch.channels_last)
        return x


def _network(generator, layers, dtype=torch.float32):
    noted = [part for layer in layers for part in ((LayoutNote(), layer) if isinstance(layer, nn.Conv2d) else (layer,))]
    model = nn.Sequential(*noted).to(dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(generator, *parameter.shape, scale=0.3))
    return model


def _images(generator, number, dtype=torch.float32, side=SIDE):
    layers = [nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU()]
    return _network(generator, layers, dtype), normal(generator, number, 3, side, side, dtype=dtype)


def _one_layer(generator):
    return _network(generator, [nn.Conv2d(2, 4, 1)]), normal(generator, 2, 2, 5, 3)


def _layer_that_runs_twice(generator):
    again = nn.Conv2d(2, 2, 3, padding=1)
    return _network(generator, [again, nn.ReLU(), again]), normal(generator, 2, 2, 5, 3)


def _nested_in_evaluation_mode(generator):
    layers = [nn.Conv2d(2, 4, 3, stride=2), nn.BatchNorm2d(4), nn.Sequential(nn.Conv2d(4, 3, 1), nn.ReLU())]
    return _network(generator, layers).eval(), normal(generator, 2, 2, 9, 7)


def _of_one_layer(generator, *shape):
    return _network(generator, [nn.Conv2d(2, 3, 1)]), normal(generator, *shape)


def _converted_before(generator):
    model, x = _images(generator, 2, side=6)
    return model.to(memory_format=torch.channels_last), x.contiguous(memory_format=torch.channels_last)


def _transposed(generator):
    model, x = _images(generator, 2, side=6)
    return model, x.transpose(2, 3)


def _transposed_channels_last(generator):
    model, x = _images(generator, 2, torch.float64, side=6)
    return model, x.contiguous(memory_format=torch.channels_last).transpose(2, 3)


def _with_nan(generator):
    model, x = _images(generator, 3, side=6)
    x[1] = torch.nan
    return model, x


def judge_layout(given, expected, inputs):
    """Return None if ``given`` has the expected values, and it and each convolution's input are in channels_last memory."""
    if given is None:
        return "The result is None; is `return` missing?"
    different = close(expected.detach(), given.detach() if isinstance(given, torch.Tensor) else given)
    if different is not None:
        return f"The result isn't the model's output: {different}."
    if not given.is_contiguous(memory_format=torch.channels_last):
        return (
            f"The values are right, but the result isn't in channels_last memory: its strides are {given.stride()}, "
            f"expected {expected.stride()}."
        )
    if not all(layer.only_channels_last for layer in inputs[0] if isinstance(layer, LayoutNote)):
        return (
            "The result is right, but a convolution got images that aren't in channels_last memory: convert `x` before "
            "the first layer, so that the whole model runs in that layout."
        )
    return None


def _flops(size):
    return 2 * size * SIDE * SIDE * 8 * (27 + 72 / 4)


TASK = Task(
    id="channels_last_conv",
    title="One conversion, not one per layer",
    points=2,
    level=1,
    slow=channels_last_conv_slow,
    reference=lambda model, x: model(x.contiguous(memory_format=torch.channels_last)),
    inputs=lambda size, generator: _images(generator, size),
    sizes=(1, 2, 3),
    same=judge_layout,
    tolerance=2e-4,
    edge_cases=(
        Case("a single layer", _one_layer),
        Case("a layer that the model runs twice", _layer_that_runs_twice),
        Case("a nested sequence, in evaluation mode", _nested_in_evaluation_mode),
        Case("5,000 images", lambda g: _of_one_layer(g, 5000, 2, 2, 3)),
        Case("images of 5,000 columns", lambda g: _of_one_layer(g, 2, 2, 3, 5000)),
        Case("images and a model that are in channels_last memory already", _converted_before),
        Case("images whose rows and columns are swapped in memory", _transposed),
        Case("an image of NaN among others", _with_nan),
        Case("float64 images in channels_last memory, with swapped rows and columns", _transposed_channels_last),
    ),
    worst="A layout changes no value, so no values are harder than others; layouts of the input are edge cases.",
    count_sizes=(2, 8),
    race_size=RACE_SIZE,
    story=prose(
        """
        A camera program runs a small convolutional network on each batch of images. Its authors read that convolutions
        prefer channels_last memory, and now the program converts the layout before each layer and back after it, image
        by image. Write `channels_last_conv(model, x)`, which runs the whole batch in channels_last memory and returns
        the output in that layout.
        """
    ),
    rules=prose(
        """
        - `model` is an `nn.Sequential` of layers that return the layout that they get, and `x` holds at least one
          image, with shape (images, channels, height, width). Both may come in either layout, and the rows and
          columns of `x` may be swapped in memory. `x` and each layer's output have at least two channels.
        - The result has the values of `model(x)`. The result and the input of each layer are in channels_last memory.
          `x` and the model are not modified: the program converts the model's weights once, when it loads them.
        """
    ),
    limits=(at_most(12, "ops"), at_most(0, "syncs")),
    target=2.0,
    cost=lambda size: Cost(reads=4 * 3 * SIDE * SIDE * size, writes=4 * 2 * SIDE * SIDE * size, flops=_flops(size)),
    ways={"channels first": lambda model, x: model(x)},
    hints=items(
        """
        - Each layer of the model returns the layout that it gets. How many conversions does the batch need?
        - `x.contiguous(memory_format=torch.channels_last)` converts the images. The shape stays as it is.
        - Convert `x` once, and call `model` once, with all images.
        """
    ),
    sources=("S1.4",),
)
