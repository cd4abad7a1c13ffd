"""Practice: the error budget of a sum, from the number of its terms and the unit roundoff."""

from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_inputs import integers


def error_budget_slow(terms, unit_roundoff):
    """Return the error budgets of a sum of one to a billion positive terms: added one by one, and added in pairs."""
    roundings, rounds = terms - 1, 0
    while terms > 1:
        terms = (terms + 1) // 2
        rounds += 1
    return roundings * unit_roundoff, rounds * unit_roundoff


def _terms(generator, size):
    return int(integers(generator, size, 100 * size + 1, 1)), 2.0**-11


TASK = Task(
    id="error_budget",
    title="The error budget of a sum",
    points=0,
    level=1,
    framework="none",
    slow=error_budget_slow,
    inputs=lambda size, generator: _terms(generator, size),
    edge_cases=(
        Case("a single term, which needs no addition", lambda _: (1, 2.0**-24)),
        Case("two terms", lambda _: (2, 2.0**-24)),
        Case("a power of two", lambda _: (1024, 2.0**-8)),
        Case("5 million terms", lambda _: (5_000_000, 2.0**-24)),
        Case("one term more than a power of two", lambda _: (1025, 2.0**-8)),
        Case("2²⁹ terms, for which a quotient of logarithms is above 29", lambda _: (2**29, 2.0**-53)),
        Case("2²⁹ + 1 terms", lambda _: (2**29 + 1, 2.0**-53)),
    ),
    worst="Both budgets are formulas of two numbers.",
    mistakes=(
        Mistake(
            "The first budget counts n additions: n terms need n − 1.",
            lambda terms, unit: (terms * unit, (terms - 1).bit_length() * unit),
        ),
        Mistake(
            "The second budget has one round too few: round the logarithm up.",
            lambda terms, unit: ((terms - 1) * unit, (terms.bit_length() - 1) * unit),
        ),
        Mistake(
            "The two budgets are swapped: first one by one, then in pairs.",
            lambda terms, unit: ((terms - 1).bit_length() * unit, (terms - 1) * unit),
        ),
    ),
)
