"""Practice: a recurrence with a closed form, so that the loop over minutes isn't needed."""

from __future__ import annotations

from math import nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_inputs import uniform


def cool_at_once_slow(temps, minutes):
    """Return the temperatures after the given minutes; each removes a tenth of the difference from 20 degrees."""
    for _ in range(int(minutes)):
        temps = temps + 0.1 * (20.0 - temps)
    return tf.identity(temps)


def _cups(size, generator, minutes=None):
    # A loop over so many minutes exceeds the limit on operations and hardly grows from one counted size to the other.
    minutes = int(generator.integers(20, 28)) if minutes is None else minutes
    return uniform(generator, 20.0, 100.0, size), tf.constant(minutes)


def _left(share):
    """Return the temperatures if ``share(minutes)`` of the difference is left."""
    return lambda temps, minutes: 20.0 + share(float(minutes)) * (temps - 20.0)


TASK = Task(
    id="cool_at_once",
    title="Cooling in closed form",
    points=0,
    level=1,
    framework="tensorflow",
    slow=cool_at_once_slow,
    inputs=_cups,
    edge_cases=(
        Case("no minutes", lambda generator: _cups(3, generator, 0)),
        Case("one minute", lambda generator: _cups(3, generator, 1)),
        Case("a thousand minutes", lambda generator: _cups(3, generator, 1000)),
        Case("cups colder than the room", lambda generator: (uniform(generator, -60.0, -20.0, 3), tf.constant(5))),
        Case("an hour, in float64", lambda g: (uniform(g, 30.0, 90.0, 3, dtype=tf.float64), tf.constant(60))),
        Case("a cup of unknown temperature, NaN", lambda _: (tf.constant([nan, 80.0]), tf.constant(5))),
        Case("a table of cups", lambda generator: (uniform(generator, 30.0, 90.0, 2, 3), tf.constant(5))),
        Case("5,000 cups", lambda generator: _cups(5000, generator)),
        Case("no cups", lambda generator: _cups(0, generator)),
    ),
    worst="The differences shrink, so no number of minutes amplifies an error; a thousand minutes are an edge case.",
    sizes=(1, 2, 5),
    story=prose("Write `cool_at_once(temps, minutes)`, which returns the loop's result without a loop."),
    limits=(at_most(16, "ops"), at_most(2, "syncs")),
    mistakes=(
        Mistake(
            "Each minute removes a tenth of the remaining difference, not of the first one: use a power.",
            _left(lambda n: 1 - 0.1 * n),
        ),
        Mistake(
            "Almost nothing of the difference is left: each minute leaves nine tenths of it, so the base of the power is 0.9.",
            _left(lambda n: 0.1**n),
        ),
        Mistake(
            "The temperature itself shrinks here: only its difference from 20 degrees should shrink.",
            lambda temps, minutes: temps * 0.9 ** float(minutes),
        ),
        Mistake(
            "This is the difference from the room's temperature: add the 20 degrees.",
            lambda temps, minutes: (temps - 20.0) * 0.9 ** float(minutes),
        ),
    ),
)
