"""Practice of scalar work: an account whose interest depends on the balance, in Python's numbers."""

from __future__ import annotations

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform
from course_utils.tasks.unwrap import prose


def savings_slow(paid):
    """The balance after each year: with interest of 5 % where it was above 100 before, of 1 % elsewhere, and then what is paid in."""
    kept = []
    balance = tf.zeros([], paid.dtype)
    for payment in paid:
        interest = 1.05 if balance > 100.0 else 1.01
        balance = balance * interest + payment
        kept.append(balance)
    return tf.stack(kept)


def _altered(interest, paid_first=False):
    def wrong(paid):
        kept, balance = [], 0.0
        for payment in paid.numpy().tolist():
            if paid_first:
                balance = (balance + payment) * interest(balance + payment)
            else:
                balance = balance * interest(balance) + payment
            kept.append(balance)
        return tf.constant(kept, paid.dtype)

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
        Case("a balance just at 100", lambda g: (tf.constant([100.0, 10.0, 10.0]),)),
        Case("payments out of the account", lambda g: (tf.constant([120.0, -60.0, 10.0]),)),
    ),
    story=prose("Write `savings(paid)` with the loop in Python's numbers; at least one year, and the dtype of `paid`."),
    limits=(at_most(2, "ops"),),
    hints=(
        "paid.numpy().tolist() is a list of Python's numbers; tf.constant(kept, paid.dtype) makes a tensor of one.",
    ),
    mistakes=(
        Mistake("The interest is always 1 % here; above 100 it is 5 %.", _altered(lambda balance: 1.01)),
        Mistake("What is paid in this year has no interest yet.", _altered(_interest, paid_first=True)),
        Mistake("This is the running sum, without interest.", lambda paid: tf.cumsum(paid)),
    ),
    sources=("S0.1",),
)
