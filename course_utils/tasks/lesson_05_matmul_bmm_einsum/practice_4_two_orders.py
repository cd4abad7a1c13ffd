"""Practice: the number of multiplications of two orders of a product, from the shapes alone."""

from course_utils.tasks.task import Case, Mistake, Task


def two_orders_slow(p, q, r, s):
    """Return the multiplications of (A @ B) @ C and of A @ (B @ C), with A of p × q, B of q × r and C of r × s."""

    def product(rows, inner, columns):
        total = 0
        for _ in range(rows):
            for _ in range(columns):
                total += inner  # One dot product.
        return total

    return product(p, q, r) + product(p, r, s), product(q, r, s) + product(p, q, s)


def _sides(size, generator):
    return tuple(int(side) for side in generator.integers(1, size + 2, 4))


TASK = Task(
    id="two_orders",
    title="The cost of two orders",
    points=0,
    level=1,
    framework="none",
    slow=two_orders_slow,
    inputs=_sides,
    reference=lambda p, q, r, s: (p * q * r + p * r * s, q * r * s + p * q * s),
    edge_cases=(
        Case("a column at the end", lambda _: (50, 40, 30, 1)),
        Case("a matrix without rows", lambda _: (0, 4, 3, 2)),
        Case("more multiplications than float64 can count", lambda _: (3, 94_906_267, 94_906_297, 5)),
    ),
    worst="The result is a pair of sums of products of integers, which Python computes exactly.",
    mistakes=(
        Mistake(
            "The pair is in the wrong order: `(A @ B) @ C` comes first.",
            lambda p, q, r, s: two_orders_slow(p, q, r, s)[::-1],
        ),
        Mistake(
            "This counts one product per order: each order takes two.",
            lambda p, q, r, s: (p * q * r, q * r * s),
        ),
        Mistake(
            "These are numbers of values: each value takes a dot product, so multiply by its length.",
            lambda p, q, r, s: (p * r + p * s, q * s + p * s),
        ),
        Mistake(
            "This counts additions, too: count the multiplications only.",
            lambda p, q, r, s: tuple(2 * each for each in two_orders_slow(p, q, r, s)),
        ),
    ),
)
