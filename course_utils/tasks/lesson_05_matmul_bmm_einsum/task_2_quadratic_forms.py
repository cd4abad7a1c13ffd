"""One number for each row, xᵀ A x, without the table of all pairs in which most entries belong to nobody."""

from __future__ import annotations

from course_utils.limits import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.torch_cases import float64, random_case, transposed_case, without_columns, without_rows
from course_utils.tasks.torch_inputs import normal
from course_utils.tasks.unwrap import items, prose


def quadratic_forms_slow(x, a):
    """For each row of x the number xᵀ A x."""
    forms = x.new_zeros(len(x))
    for i in range(len(x)):
        forms[i] = x[i] @ (a @ x[i])
    return forms


def _width(size):
    return 64 if size > 256 else 8 if size > 32 else 3


def _cost(size):
    width = _width(size)
    return Cost(
        reads=4 * (size * width + width**2),
        writes=4 * size,
        flops=2 * size * width * (width + 1),
        launches=2,
    )


def _allowed(x, a):
    """Two tensors like x, and three like the result; a little for small ones, which nobody minds."""
    return x.element_size() * (2 * x.numel() + 3 * len(x)) + 512


def _all_pairs(x, a):
    return x @ a @ x.mT


TASK = Task(
    id="quadratic_forms",
    title="How unusual is each reading?",
    points=2,
    level=2,
    slow=quadratic_forms_slow,
    inputs=lambda size, generator: (normal(generator, size, _width(size)), normal(generator, *2 * (_width(size),))),
    edge_cases=(
        without_rows(3, (3, 3)),
        without_columns(2, (0, 0)),
        random_case("a single number in each row", (4, 1), (1, 1)),
        random_case("as many rows as columns", (4, 4), (4, 4)),
        random_case("more columns than rows", (2, 5), (5, 5)),
        transposed_case(5, 3, (3, 3)),
        Case("a matrix that is turned", lambda g: (normal(g, 4, 3), normal(g, 3, 3).T)),
        Case("large values", lambda g: (normal(g, 4, 3, scale=1e6), normal(g, 3, 3, scale=1e6))),
        float64((5, 3), (3, 3)),
    ),
    count_sizes=(8, 128),
    race_size=2048,
    story=prose(
        """
        A plant watches itself by dozens of sensors. How unusual is a reading x? A matrix A knows which sensors move together,
        and xᵀ A x says it in one number: each pair of sensors adds x[j] · A[j, k] · x[k]. Readings come in by the thousand.
        Write `quadratic_forms(x, a)`: one number for each row of x. Somebody wrote `(x @ a @ x.T).diagonal()`. It is right,
        and ran out of memory on the first full day.
        """
    ),
    rules=prose(
        """
        - `x` has the shape (rows, sensors), `a` the shape (sensors, sensors). The result has the shape (rows,). `a` may be any
        square matrix: it need not be the same when it is turned, and the numbers may come out negative.
        - A few tensor operations. New memory: two tensors of the size of `x`, and a few of the size of the result. Gradients
        reach both.
        """
    ),
    limits=(
        at_most(32, "ops"),
        at_most(0, "syncs"),
        at_most(_allowed, "bytes", "twice the bytes of `x`, three times those of the result, and 512 bytes"),
    ),
    gradients=True,
    target=6.0,
    cost=_cost,
    ways={"by all pairs": lambda x, a: _all_pairs(x, a).diagonal()},
    hints=items(
        """
        - There are two products in xᵀ A x. The first can be done for all rows at once. What shape has its result?
        - x @ a holds xᵀ A for each row. What is left is a dot product: row i of that with row i of x, and with no other row.
          You wrote such a thing in the lesson's second turn.
        - ((x @ a) * x).sum(1), or torch.linalg.vecdot(x @ a, x).
        """
    ),
    mistakes=(
        Mistake("This is each row with each row: only the entries on the diagonal are wanted.", _all_pairs),
        Mistake(
            "Only the diagonal of `a` takes part: each pair of sensors, j and k, adds x[j] · a[j, k] · x[k].",
            lambda x, a: (x * x) @ a.diagonal(),
        ),
        Mistake("`x` must come twice: this is the sum of x @ a, row by row.", lambda x, a: (x @ a).sum(1)),
        Mistake("This is the squared length of x @ a, which is xᵀ A Aᵀ x.", lambda x, a: (x @ a).square().sum(1)),
        Mistake(
            "The numbers of all rows are added up: wanted is one for each row.",
            lambda x, a: quadratic_forms_slow(x, a).sum(),
        ),
    ),
    sources=("S1.7",),
)
