"""The value xᵀ A x for each row x, without a table of all pairs of rows."""

from __future__ import annotations

from course_utils.frameworks.tensor_interface import FLOATING
from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import long_case, random_case, transposed_case, without_columns, without_rows
from course_utils.tasks.torch_inputs import integers, normal


def quadratic_forms_slow(x, a):
    """Return the value xᵀ A x for each row of x."""
    forms = x.new_zeros(len(x))
    for i in range(len(x)):
        forms[i] = x[i] @ (a @ x[i])
    return forms


def _width(size):
    # In large inputs, a loop over the sensors exceeds the limit on operations.
    return 64 if size > 32 else 3


def _cost(size):
    width = _width(size)
    return Cost(
        reads=4 * (size * width + width**2),
        writes=4 * size,
        flops=2 * size * width * (width + 1),
        launches=2,
    )


def _allowed(x, a):
    """Return the bytes of two tensors like x and of three like the result, and 512 bytes, which matter for small inputs only."""
    return x.element_size() * (2 * x.numel() + 3 * len(x)) + 512


def _antisymmetric(generator):
    a = integers(generator, -9, 10, 3, 3).float()
    return a - a.T


def _all_pairs(x, a):
    return x @ a @ x.mT


TASK = Task(
    id="quadratic_forms",
    title="How unusual is each reading?",
    points=2,
    level=2,
    slow=quadratic_forms_slow,
    inputs=lambda size, generator: (normal(generator, size, _width(size)), normal(generator, *2 * (_width(size),))),
    dtypes={"x, a": FLOATING},
    edge_cases=(
        without_rows(3, (3, 3)),
        without_columns(2, (0, 0)),
        random_case("rows of one value", (4, 1), (1, 1)),
        random_case("as many rows as columns", (4, 4), (4, 4)),
        random_case("more columns than rows", (2, 5), (5, 5)),
        long_case("4,099 rows", (4099, 2), (2, 2)),
        transposed_case(5, 3, (3, 3)),
        Case("a transposed matrix `a`", lambda g: (normal(g, 4, 3), normal(g, 3, 3).T)),
    ),
    worst=(
        Case("600 sensors", lambda g: (normal(g, 3, 600), normal(g, 600, 600))),
        Case("large values", lambda g: (normal(g, 4, 3, scale=1e6), normal(g, 3, 3, scale=1e6))),
        Case(
            "an antisymmetric matrix `a`, with forms of 0",
            lambda g: (integers(g, -9, 10, 5, 3).float(), _antisymmetric(g)),
            differentiable=False,  # the weights round, so a right gradient is a little off the 0 that the loop gets
        ),
        Case(
            "a matrix `a` that is far from symmetric",
            lambda g: (normal(g, 5, 3), 1e3 * normal(g, 3, 3).triu(1)),
        ),
    ),
    count_sizes=(8, 512),
    race_size=2048,
    story=prose(
        """
        A plant has dozens of sensors. A reading x holds each sensor's difference from its mean. How unusual is the reading? A matrix A, the
        inverse of the sensors' covariance, describes how the sensors vary together, and the **quadratic form** xᵀ A x is the answer in
        one value: each pair of sensors adds x[j] · A[j, k] · x[k]. Thousands of readings arrive. Write `quadratic_forms(x, a)`, which returns one value per row of `x`. A colleague wrote
        `(x @ a @ x.T).diagonal()`: it is right, but it ran out of memory on the first full day.
        """
    ),
    rules=prose(
        """
        - `x` has shape (rows, sensors), `a` has shape (sensors, sensors), and the result has shape (rows,). `a` can be any square
        matrix: it need not be symmetric, and the result can be negative. There can be 0 rows and 0 sensors.
        - Both inputs have one floating dtype, which the result has, too. Gradients reach both inputs.
        """
    ),
    limits=(
        at_most(32, "ops"),
        at_most(0, "syncs"),
        at_most(_allowed, "bytes", "twice the bytes of `x`, three times the bytes of the result, and 512 bytes"),
    ),
    gradients=True,
    target=6.0,
    cost=_cost,
    ways={"all pairs + diagonal": lambda x, a: _all_pairs(x, a).diagonal()},
    hints=items(
        """
        - xᵀ A x consists of two products. You can compute the first one for all rows at once. What shape does it have?
        - `x @ a` holds xᵀ A for each row. The second product, for row i, is the dot product of row i of `x @ a` and row i of
          `x`. You wrote such a product as `own_scores` in the lesson.
        - `((x @ a) * x).sum(1)`, or `torch.linalg.vecdot(x @ a, x)`.
        """
    ),
    mistakes=(
        Mistake("These are all pairs of rows: row i needs row i only.", _all_pairs),
        Mistake(
            "Only the diagonal of `a` is used: each pair of sensors, j and k, adds x[j] · a[j, k] · x[k].",
            lambda x, a: (x * x) @ a.diagonal(),
        ),
        Mistake("This is the sum of each row of `x @ a`: multiply by `x` a second time.", lambda x, a: (x @ a).sum(1)),
        Mistake(
            "This is the squared length of each row of `x @ a`: multiply `x @ a` by `x`, not by itself.",
            lambda x, a: (x @ a).square().sum(1),
        ),
        Mistake(
            "All rows are summed: return one value per row.",
            lambda x, a: quadratic_forms_slow(x, a).sum(),
        ),
    ),
    sources=("S1.7",),
)
