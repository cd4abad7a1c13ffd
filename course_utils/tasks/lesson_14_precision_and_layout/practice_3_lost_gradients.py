"""Practice of loss scaling: the gradients that float16 loses with a scale that is too small or too large."""

from __future__ import annotations

from math import inf, nan

import torch

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import fixed_case, infinity_and_nan
from course_utils.tasks.torch_inputs import uniform


def lost_gradients_slow(gradients, scale):
    """Return as int64 how many nonzero gradients are 0 or infinite after scaling and conversion to float16."""
    lost = 0
    for gradient in gradients:
        stored = (gradient * scale).half()
        if gradient != 0 and (stored == 0 or stored.isinf()):
            lost += 1
    return torch.tensor(lost)


def _over_many_sizes(generator, size, scale=2.0**15):
    # With a scale of 1024, no scale and a limit at the smallest normal number would lose nearly the same gradients.
    return uniform(generator, -1, 1, size) * 10.0 ** uniform(generator, -14, 2, size), scale


def _counted(is_lost):
    def mistake(gradients, scale):
        stored = (gradients * scale).half()
        return is_lost(gradients, stored).sum()

    return mistake


TASK = Task(
    id="lost_gradients",
    title="Gradients that a scale loses",
    points=0,
    level=1,
    slow=lost_gradients_slow,
    reference=_counted(lambda gradients, stored: (gradients != 0) & ((stored == 0) | stored.isinf())),
    inputs=lambda size, generator: _over_many_sizes(generator, size),
    edge_cases=(
        Case("no gradients", lambda _: (torch.empty(0), 1024.0)),
        fixed_case("gradients of 0 and −0", [0.0, -0.0, 1.0], rest=(1024.0,)),
        infinity_and_nan([inf, nan, -inf, 1.0], rest=(1.0,)),
        Case("a scale of 1,000, which is no power of two", lambda g: _over_many_sizes(g, 40, 1000.0)),
    ),
    worst=(
        fixed_case(
            "around half of the smallest float16 number",
            [2**-25, 2.000001 * 2**-26, -(2**-25), 2**-24],
            rest=(1.0,),
        ),
        fixed_case("around the largest float16 number", [65504.0, 65519.99, 65520.0, -65520.0, 65536.0], rest=(1.0,)),
        fixed_case("a scale that overflows in float16", [1e-9, 1e-7, 1e-3, 1.0], rest=(131072.0,)),
        Case("33,000 gradients that are all lost", lambda g: (uniform(g, 1, 2, 33_000) * 1e-12, 2.0)),
        Case("a scale below 1", lambda g: _over_many_sizes(g, 40, 0.01)),
        Case("an integer scale", lambda g: _over_many_sizes(g, 40, 4096)),
    ),
    story=prose(
        """
        Write `lost_gradients(gradients, scale)`, which returns how many nonzero gradients are 0 or infinite after you
        multiply them by `scale` and convert the products to float16.
        """
    ),
    limits=(at_most(12, "ops"),),
    mistakes=(
        Mistake(
            "Gradients of 0 count here: they stay 0, so float16 doesn't lose them.",
            _counted(lambda gradients, stored: (stored == 0) | stored.isinf()),
        ),
        Mistake(
            "Gradients that are infinite after the conversion are missing: count them, because a scale can also be "
            "too large.",
            _counted(lambda gradients, stored: (stored == 0) & (gradients != 0)),
        ),
        Mistake(
            "Gradients that become 0 are missing: count them, because a scale can also be too small.",
            _counted(lambda gradients, stored: stored.isinf()),
        ),
        Mistake(
            "The gradients are converted without the scale: multiply them by `scale` before you convert them.",
            lambda gradients, scale: lost_gradients_slow(gradients, 1.0),
        ),
        Mistake(
            "NaN counts here: float16 stores it as NaN, not as 0 or as infinity.",
            _counted(lambda gradients, stored: ((stored == 0) & (gradients != 0)) | ~stored.isfinite()),
        ),
    ),
)
