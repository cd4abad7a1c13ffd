"""Practice of scalar work: an account whose interest depends on the balance, in Python numbers."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform


def savings_slow(paid):
    """Return the balance after each year: 5 % interest on a balance above 100, else 1 %, plus the payment."""
    balances = []
    balance = tf.zeros([], paid.dtype)
    for payment in paid:
        interest = 1.05 if balance > 100.0 else 1.01
        balance = balance * interest + payment
        balances.append(balance)
    return tf.stack(balances)


def _with_interest(interest, paid_first=False):
    def wrong(paid):
        balances, balance = [], 0.0
        for payment in paid.numpy().tolist():
            if paid_first:
                balance = (balance + payment) * interest(balance + payment)
            else:
                balance = balance * interest(balance) + payment
            balances.append(balance)
        return tf.constant(balances, paid.dtype)

    return wrong


def _interest(balance):
    return 1.05 if balance > 100.0 else 1.01


TASK = Task(
    id="savings",
    title="Interest that depends on the balance",
    points=0,
    level=1,
    framework="tensorflow",
    slow=savings_slow,
    inputs=lambda size, generator: (uniform(generator, 20.0, 60.0, size),),
    edge_cases=(
        Case("a balance of exactly 100", lambda g: (tf.constant([100.0, 10.0, 10.0]),)),
        Case("withdrawals", lambda g: (tf.constant([120.0, -60.0, 10.0]),)),
        Case("a balance below 0", lambda g: (tf.constant([-150.0, 10.0, 20.0]),)),
        Case("a large balance", lambda g: (tf.constant([5e8, 1e9, 2e7]),)),
        Case("float64 payments", lambda g: (uniform(g, 20.0, 60.0, 5, dtype=tf.float64),)),
    ),
    worst=(
        Case("a balance that stays near 100", lambda _: (tf.constant([100.0] + [-1.0] * 40 + [2**-10 - 1, 10.0]),)),
        Case("1,000 years", lambda g: (uniform(g, 20.0, 60.0, 1000),)),
    ),
    story=prose(
        """
        Write `savings(paid)` with the loop on Python numbers. There is at least one year, and the result has the dtype
        of `paid`.
        """
    ),
    limits=(at_most(2, "ops"),),
    hints=items(
        """
        - `paid.numpy().tolist()` is a list of Python numbers; `tf.constant(balances, paid.dtype)` makes a tensor from a
          list.
        """
    ),
    mistakes=(
        Mistake("The interest is always 1 %: on a balance above 100 it is 5 %.", _with_interest(lambda balance: 1.01)),
        Mistake(
            "This year's payment earned interest: add it after the interest.",
            _with_interest(_interest, paid_first=True),
        ),
        Mistake("This is the running sum: add the interest of each year.", lambda paid: tf.cumsum(paid)),
    ),
    sources=("S0.1",),
)
