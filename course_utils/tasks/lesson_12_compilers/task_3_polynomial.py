"""A polynomial at many points: Horner's rule, unrolled over coefficients that are tensor values, not constants."""

from __future__ import annotations

import torch

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64, noncontiguous_case
from course_utils.tasks.torch_inputs import normal, uniform


def polynomial_slow(x, coefficients):
    """Return c[0] + c[1] v + c[2] v**2 + … for each value v of the vector x; c holds the coefficients."""
    powers_down = coefficients.tolist()[::-1]
    values = []
    for value in x.tolist():
        result = 0.0
        for c in powers_down:
            result = result * value + c
        values.append(result)
    return torch.tensor(values, dtype=x.dtype)


def _horner(x, coefficients):
    result = torch.zeros_like(x)
    for c in coefficients.unbind()[::-1]:
        result = result * x + c
    return result


def _by_powers(x, coefficients):
    k = torch.arange(len(coefficients), dtype=x.dtype, device=x.device)
    return (x[:, None] ** k) @ coefficients


def _case(name, points, count):
    return Case(name, lambda generator: (normal(generator, points), normal(generator, count)))


TASK = Task(
    id="polynomial",
    title="One polynomial at many points",
    points=3,
    level=2,
    slow=polynomial_slow,
    inputs=lambda size, generator: (normal(generator, size * size), normal(generator, 6)),
    edge_cases=(
        _case("no points", 0, 3),
        _case("no coefficients: the polynomial is 0 everywhere", 4, 0),
        _case("one coefficient: the polynomial is constant", 4, 1),
        Case("a point that is NaN", lambda generator: (torch.tensor([0.5, torch.nan, -2]), normal(generator, 3))),
        noncontiguous_case("noncontiguous points and coefficients", (4,), (3,)),
        float64((5,), (4,)),
    ),
    worst=(
        # Terms of one sign: a sum that cancels has few right digits in every order of adding.
        Case("40 coefficients", lambda generator: (uniform(generator, 0.9, 1.1, 3), uniform(generator, 0.5, 1.5, 40))),
        Case("points of about a million", lambda generator: (normal(generator, 4, scale=1e6), normal(generator, 6))),
    ),
    race_size=256,
    story=prose(
        """
        A calibration curve, a polynomial with about six coefficients, converts a sensor's reading to a temperature.
        Every sensor has its own coefficients and millions of readings. Write `polynomial(x, coefficients)`, compiled into
        one graph. Horner's rule, as in the slow loop, needs a product and a sum per coefficient; as separate operations,
        each of them passes over all readings.
        """
    ),
    rules=prose(
        """
        - `x` is a float32 or float64 vector, and `coefficients` is a vector of the same dtype, the constant first. Both may
          be empty. The result has the shape and dtype of `x`. No value is infinite, and no power of `x` that the
          polynomial needs overflows. Create new tensors on the device of `x`.
        - The next sensor's coefficients cause no new trace: they are values of a tensor. By default, reading them as
          Python numbers breaks the graph.
        - The counts use six coefficients.
        """
    ),
    limits=(at_most(1, "graphs"), at_most(40, "ops"), at_most(0, "syncs")),
    target=4.0,
    cost=lambda size: Cost(reads=4 * (size * size + 6), writes=4 * size * size),
    ways={"eager Horner": _horner, "power matrix": _by_powers},
    hints=items(
        """
        - Swap the loops of Horner's rule: which loop may stay, the one over six coefficients or the one over all
          readings?
        - A compiled function unrolls a Python loop: its iterations become operations of one graph. A loop over six
          coefficients is short. But `.tolist()` and `.item()` read values, which breaks the graph by default:
          `coefficients.unbind()` returns scalar tensors.
        - Start with `torch.zeros_like(x)`, loop over `coefficients.unbind()` backward, and compute `result * x + c`
          each time, with `@torch.compile` above `def`.
        """
    ),
    mistakes=(
        Mistake("The coefficients are reversed: the first is the constant.", lambda x, c: _horner(x, c.flip(0))),
        Mistake(
            "The constant is multiplied by x too: multiply first, then add the coefficient.",
            lambda x, c: _horner(x, c) * x,
        ),
    ),
)
