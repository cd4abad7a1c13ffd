"""A state in which each value stops on its own: a loop in a graph, a mask, and lengths that change from call to call.

The random inputs avoid ties: if a move were as long as the tolerance, rounding would decide the number of steps.
"""

from __future__ import annotations

from math import inf

import numpy as np
import tensorflow as tf

from course_utils.limits.cost import Cost
from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task

_COUNT_SIZES = 2, 6
_APART = 1e-3  # The least relative distance of a random value's move from the tolerance.


def settle_slow(x, tolerance, limit):
    """Return values and steps: a value becomes its cosine until it moves less than tolerance, at most limit times."""
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
    """Return from size to 6·size values, and a smaller limit for more values.

    With equal limits, an answer that always runs to the limit would have more operations at the larger size, and the message
    would wrongly report a loop over the values.
    """
    # At the counted sizes, four lengths hardly ever repeat, so an answer that is traced per length is always detected.
    least, most = (3 * size, 6 * size) if size in _COUNT_SIZES else (size, 4 * size)
    length, tolerance = int(generator.integers(least, most)), float(generator.uniform(0.02, 0.05))
    drawn = generator.uniform(-3.0, 3.0, 2 * length + 8)
    path = [drawn]
    for _ in range(30):  # After 30 steps, every value moves by less than the smallest tolerance.
        path.append(np.cos(path[-1]))
    moves = abs(np.diff(path, axis=0))
    apart = (abs(moves - tolerance) > _APART * tolerance).all(axis=0)
    return tf.constant(drawn[apart][:length], tf.float32), tolerance, max(50, 120 - length)


def _case(name, values, tolerance, limit):
    return Case(name, lambda _: (tf.constant(values, tf.float32), tolerance, limit))


def _in_numpy(x, tolerance, limit):
    """Return the slow loop's result: all values take steps together until none moves."""
    values = x.numpy()
    steps, moving = np.zeros(len(values), np.int32), np.full(len(values), limit > 0)
    while moving.any():
        stepped = np.cos(values)
        still = (abs(stepped - values) >= tolerance) & (steps + 1 < limit)
        values, steps, moving = np.where(moving, stepped, values), steps + moving.astype(np.int32), moving & still
    return tf.constant(values), tf.constant(steps, tf.int32)


def _with_mistake(before=0, step=tf.cos):
    """Return the slow loop with a common mistake: the value ``before`` steps earlier, or another step."""

    def wrong(x, tolerance, limit):
        values, steps = [], []
        for value in x.numpy():
            path = [value]
            while len(path) <= limit and not (len(path) > 1 and abs(path[-1] - path[-2]) < tolerance):
                path.append(step(path[-1]).numpy())
            values.append(path[max(0, len(path) - 1 - before)])
            steps.append(len(path) - 1)
        return tf.constant(values, x.dtype, [len(steps)]), tf.constant(steps, tf.int32, [len(steps)])

    return wrong


def _steps_of_slowest(x, tolerance, limit):
    """Return all values after as many steps as the slowest one takes."""
    steps = settle_slow(x, tolerance, limit)[1]
    for _ in range(max(steps.numpy(), default=0)):
        x = tf.cos(x)
    return x, steps


def _one_step_count(x, tolerance, limit):
    values, steps = _steps_of_slowest(x, tolerance, limit)
    return values, tf.fill(steps.shape, max(steps.numpy(), default=0))


def _with_count(more):
    def wrong(x, tolerance, limit):
        values, steps = settle_slow(x, tolerance, limit)
        return values, steps + more

    return wrong


@tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([]), tf.TensorSpec([], tf.int32)])
def _mapped_while_loops(x, tolerance, limit):
    """Run a while_loop per value inside a map, as in common answers on the web."""

    def one_value(value):
        left = lambda value, taken, moved: (taken < limit) & (moved >= tolerance)
        step = lambda value, taken, moved: (tf.cos(value), taken + 1, abs(tf.cos(value) - value))
        return tf.while_loop(left, step, (value, 0, tf.constant(inf)))[:2]

    return tf.map_fn(one_value, x, fn_output_signature=(tf.float32, tf.int32))


TASK = Task(
    id="settle",
    title="Each value stops on its own",
    points=6,
    level=2,
    framework="tensorflow",
    slow=settle_slow,
    reference=_in_numpy,
    inputs=_settle_inputs,
    edge_cases=(
        _case("an empty vector", [], 0.01, 9),
        _case("one value", [2.5], 0.01, 40),
        _case("values that converge after 1 step and after many", [0.7391, -3.0, 0.73, 1.5], 0.02, 100),
        _case("a limit of 0", [0.5, 2.0], 0.01, 0),
        _case("a limit of 1", [0.5, 2.0], 0.01, 1),
        _case("a limit that only some values reach", [0.7391, -3.0, 1.5], 0.02, 5),
        _case("a tolerance that the first step meets", [0.5, 2.0, -1.0], 10.0, 9),
        _case("a tolerance of 0", [0.5, 2.0], 0.0, 30),
        # No move is close to the tolerance, so the rounding of a cosine doesn't change the number of steps.
        _case("a small tolerance", [0.5, 1.0, -2.0], 1.3e-5, 150),
    ),
    worst=(
        _case("a tolerance of 0, so that each value takes 600 steps", [0.5, -2.0], 0.0, 600),
        Case("more than 5,000 values", lambda generator: _settle_inputs(5000, generator)),
        # |cos(0) − 0| is exactly 1: the value moves by the tolerance and continues.
        _case("a first move as long as the tolerance", [0.0], 1.0, 9),
        _case("one slow value among 40 that converge at once", [-3.0] + [0.7391] * 40, 0.02, 100),
    ),
    sizes=(1, 2, 4),
    count_sizes=_COUNT_SIZES,
    race_size=24,
    story=prose(
        """
        A layer without a fixed depth applies one function until its state converges; easy inputs converge early,
        and hard inputs converge late. Here the function is the cosine, and each value of `x` is an input of its own: x ← cos(x) until a
        step moves it by less than `tolerance`, or until `limit` steps are done. Requests come in batches of any length.
        Write `settle(x, tolerance, limit)`, which returns the values and the number of steps of each value.
        """
    ),
    rules=prose(
        """
        - `x` is a vector of finite float32 values, `tolerance` is a Python float, and `limit` is a Python integer, both
          0 or more. All three change in every call. The result has two parts: the values, with the shape and dtype of
          `x`, and the steps, a vector of int32.
        - A value that has converged doesn't change anymore, even if others continue.
        - Use one graph, traced once for all lengths: the check counts traces in four calls with new lengths, tolerances
          and limits.
        - The number of operations may grow with the steps of the slowest value, but not with the number of values or
          the limit.
        """
    ),
    limits=(at_most(500, "ops"), at_most(8, "launches"), at_most(0, "syncs"), at_most(1, "traces")),
    target=8.0,
    cost=lambda size: Cost(reads=4 * size, writes=8 * size),
    ways={"map_fn of while_loops": _mapped_while_loops},
    hints=items(
        """
        - Use one loop for the whole state. Besides the values, what must the state hold so that each iteration knows
          which values still move? And what in a call can cause TensorFlow to trace again?
        - Let every value take the step in every iteration, `stepped = tf.cos(x)`, and keep the new value only if it
          still moves: `tf.where(moving, stepped, x)`. The steps grow by `tf.cast(moving, tf.int32)`. Continue while
          the limit isn't reached and a value moves: `tf.reduce_any(moving)`. At first, all values move.
        - With a signature, the graph accepts any length and takes its numbers as tensors:
          `@tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32),
          tf.TensorSpec([], tf.int32)])`. You can then pass Python numbers directly. Inside, use `tf.while_loop` with
          the state `(iteration, x, steps, moving)`; a value keeps moving if `moving & (abs(stepped - x) >=
          tolerance)`.
        """
    ),
    mistakes=(
        Mistake("Converged values kept moving with the rest: each value stops on its own.", _steps_of_slowest),
        Mistake(
            "All values take the steps of the slowest one: each stops on its own and counts its own steps.",
            _one_step_count,
        ),
        Mistake(
            "Each value is from one step earlier: the step that moves by less than the tolerance is taken too.",
            _with_mistake(before=1),
        ),
        Mistake(
            "One step too few is counted: the step that moves by less than the tolerance counts too.", _with_count(-1)
        ),
        Mistake(
            "One step too many is counted: the step that moves by less than the tolerance is the last one.",
            _with_count(1),
        ),
        Mistake("The step here is x ← sin(x): use the cosine.", _with_mistake(step=tf.sin)),
    ),
    sources=("S3.3",),
)
