"""Practice of planning a product: how many multiplications each of two orders takes, from the shapes alone."""

from course_utils.tasks.task import Case, Mistake, Task


def two_orders_slow(p, q, r, s):
    """Multiplications of (A @ B) @ C and of A @ (B @ C), for A of p × q, B of q × r and C of r × s."""

    def product(rows, inner, columns):
        total = 0
        for _ in range(rows):
            for _ in range(columns):
                total += inner  # one dot product
        return total

    return product(p, q, r) + product(p, r, s), product(q, r, s) + product(p, q, s)


def _sides(size, generator):
    return tuple(int(side) for side in generator.integers(1, size + 2, 4))


TASK = Task(
    id="two_orders",
    title="What two orders cost",
    points=0,
    level=1,
    framework="none",
    slow=two_orders_slow,
    inputs=_sides,
    edge_cases=(Case("a thin matrix in the end", lambda _: (50, 40, 30, 1)),),
    mistakes=(
        Mistake("The left order comes first.", lambda p, q, r, s: two_orders_slow(p, q, r, s)[::-1]),
        Mistake(
            "Each order takes two products: the second one costs as well.",
            lambda p, q, r, s: (p * q * r, q * r * s),
        ),
        Mistake(
            "These are the numbers that are made, not the multiplications: each takes a dot product.",
            lambda p, q, r, s: (p * r + p * s, q * s + p * s),
        ),
        Mistake(
            "The additions are counted, too: wanted are the multiplications alone.",
            lambda p, q, r, s: tuple(2 * each for each in two_orders_slow(p, q, r, s)),
        ),
    ),
)
