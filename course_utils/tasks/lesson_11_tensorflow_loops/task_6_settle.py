"""A state in which each value stops on its own: a loop in a graph, a mask, and lengths that change from call to call.

The inputs keep away from ties: where a move is as long as the tolerance, rounding would tell how many steps there are.
"""

from __future__ import annotations

from math import inf

import numpy as np
import tensorflow as tf

from course_utils.limits.cost import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.unwrap import items, prose

_APART = 1e-3  # no move of a random value is nearer to the tolerance, as a share of it


def settle_slow(x, tolerance, limit):
    """Each value of x after x ← cos(x), until it moves by less than tolerance or after limit steps; and the steps."""
    values, steps = [], []
    for value in x:
        taken, moved = 0, inf
        while taken < limit and moved >= tolerance:
            before, value = value, tf.cos(value)
            moved = abs(value - before)
            taken += 1
        values.append(value)
        steps.append(taken)
    values = tf.stack(values) if values else tf.identity(x)
    return values, tf.constant(steps, tf.int32, shape=[len(steps)])


def _settle_inputs(size, generator):
    """From size to 4·size values: of each length its own limit, and fewer steps for more values.

    So whoever lets the graph go on to the limit has no more operations at the larger size, and is not told of a loop over the values.
    """
    length, tolerance = size + int(generator.integers(3 * size)), float(generator.uniform(0.02, 0.05))
    drawn = generator.uniform(-3.0, 3.0, 2 * length + 8)
    path = [drawn]
    for _ in range(30):  # by then every value moves by less than the smallest tolerance
        path.append(np.cos(path[-1]))
    moves = abs(np.diff(path, axis=0))
    apart = (abs(moves - tolerance) > _APART * tolerance).all(axis=0)
    return tf.constant(drawn[apart][:length], tf.float32), tolerance, max(50, 120 - length)


def _given(name, values, tolerance, limit):
    return Case(name, lambda _: (tf.constant(values, tf.float32), tolerance, limit))


def _altered(before=0, step=tf.cos, limited=True):
    """The slow loop with a usual mistake: values of so many steps before, another step, no limit."""

    def wrong(x, tolerance, limit):
        values, steps = [], []
        for value in x.numpy():
            path = [value]
            while (len(path) <= limit or not limited) and not (len(path) > 1 and abs(path[-1] - path[-2]) < tolerance):
                path.append(step(path[-1]).numpy())
            values.append(path[max(0, len(path) - 1 - before)])
            steps.append(len(path) - 1)
        return tf.constant(values, x.dtype, [len(steps)]), tf.constant(steps, tf.int32, [len(steps)])

    return wrong


def _until_all_are_settled(x, tolerance, limit):
    """All values as far as the slowest of them goes."""
    steps = settle_slow(x, tolerance, limit)[1]
    for _ in range(max(steps.numpy(), default=0)):
        x = tf.cos(x)
    return x, steps


def _one_count(x, tolerance, limit):
    values, steps = _until_all_are_settled(x, tolerance, limit)
    return values, tf.fill(steps.shape, max(steps.numpy(), default=0))


def _counted(more):
    def wrong(x, tolerance, limit):
        values, steps = settle_slow(x, tolerance, limit)
        return values, steps + more

    return wrong


@tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([]), tf.TensorSpec([], tf.int32)])
def _mapped_in_a_graph(x, tolerance, limit):
    """A while_loop for each value, as the answer on the web has it."""

    def one_value(value):
        left = lambda value, taken, moved: (taken < limit) & (moved >= tolerance)
        step = lambda value, taken, moved: (tf.cos(value), taken + 1, abs(tf.cos(value) - value))
        return tf.while_loop(left, step, (value, 0, tf.constant(inf)))[:2]

    return tf.map_fn(one_value, x, fn_output_signature=(tf.float32, tf.int32))


TASK = Task(
    id="settle",
    title="Each one stops on its own",
    points=6,
    level=2,
    framework="tensorflow",
    slow=settle_slow,
    inputs=_settle_inputs,
    edge_cases=(
        _given("an empty vector", [], 0.01, 9),
        _given("one value", [2.5], 0.01, 40),
        _given("values that settle after 1 step and after many", [0.7391, -3.0, 0.73, 1.5], 0.02, 100),
        _given("a limit of 0", [0.5, 2.0], 0.01, 0),
        _given("a limit of 1", [0.5, 2.0], 0.01, 1),
        _given("a limit that only some values need", [0.7391, -3.0, 1.5], 0.02, 5),
        _given("a tolerance that every first step meets", [0.5, 2.0, -1.0], 10.0, 9),
        _given("a tolerance of 0, which nothing meets", [0.5, 2.0], 0.0, 30),
    ),
    count_sizes=(2, 6),
    race_size=24,
    story=prose(
        """
        A layer without a fixed depth applies one function again and again until its state has settled; easy inputs settle soon, hard ones
        late. Here the function is the cosine, and each value of `x` is an input of its own: it goes x ← cos(x) until a step moves
        it by less than `tolerance`, or until `limit` steps are done. Requests come in batches of any length. Write `settle(x, tolerance, limit)`, which
        returns the values and the steps that each one took.
        """
    ),
    rules=prose(
        """
        - `x` is a vector of float32, `tolerance` and `limit` are Python numbers, and all three are new in every call. The result is a tuple: the values,
        as `x`, and the steps, a vector of int32.
        - A value that has settled stays where it is, whatever the others do.
        - One graph, traced once for all lengths: four calls with four new lengths, tolerances and limits are traced once at most.
        At most 8 operations are started from Python in each call; a call of a graph is one.
        - The operations follow the steps of the slowest value. They follow neither the number of values nor the limit.
        """
    ),
    limits=(at_most(500, "ops"), at_most(8, "launches"), at_most(0, "syncs"), at_most(1, "traces")),
    target=8.0,
    cost=lambda size: Cost(reads=4 * size, writes=8 * size),
    ways={"a loop for each value, mapped": _mapped_in_a_graph},
    hints=items(
        """
        - One loop for the whole state: what must the state hold besides the values, so that in each turn you know who still
          moves? And what in a call may make TensorFlow trace anew?
        - Let every value take the step in every turn, and keep the new one only where it still moves: `tf.where(moving, stepped, x)`. The steps grow by
          `tf.cast(moving, tf.int32)`. Go on while a turn is left and anyone moves: `tf.reduce_any(moving)`. To begin with, all of them do.
        - The graph takes any length, and its numbers as tensors, if it is told so once:
          `@tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32)])`. Python numbers may then be
          given as they are. Inside, `tf.while_loop` with the state (turn, values, steps, moving); who moves on is
          `moving & (abs(stepped - x) >= tolerance)`.
        """
    ),
    mistakes=(
        Mistake("What had settled went on moving with the rest; each value stops on its own.", _until_all_are_settled),
        Mistake("All values go as far as the slowest one; each stops on its own, after steps of its own.", _one_count),
        Mistake(
            "Each value is that of one step before: the step that moves by less is taken, too.", _altered(before=1)
        ),
        Mistake("One step too few is counted: the step that moves by less counts, too.", _counted(-1)),
        Mistake("One step too many is counted.", _counted(1)),
        Mistake("The step is x ← cos(x), here it is x ← sin(x).", _altered(step=tf.sin)),
    ),
    sources=("S3.3",),
)
