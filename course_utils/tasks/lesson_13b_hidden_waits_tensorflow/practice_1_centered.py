"""Practice: a function that works for one sample and for a batch, so that it can follow ``batch`` in a pipeline."""

from __future__ import annotations

from math import inf, nan

import tensorflow as tf

from course_utils.tasks.at_most import at_most
from course_utils.tasks.join_wrapped_lines import items, prose
from course_utils.tasks.task import Case, Mistake, Task
from course_utils.tasks.tensorflow_cases import float64, infinity_and_nan, random_case, vector
from course_utils.tasks.tensorflow_inputs import normal


def centered_slow(x):
    """Return each sample of x minus its own mean; the last axis holds a sample's values."""
    if len(x.shape) == 1:
        return x - sum(x) / len(x)
    return tf.stack([centered_slow(sample) for sample in x])


TASK = Task(
    id="centered",
    title="A function of one sample or a batch",
    points=0,
    level=1,
    framework="tensorflow",
    slow=centered_slow,
    inputs=lambda size, generator: (normal(generator, size, size + 2),),
    edge_cases=(
        vector(5),
        random_case("samples of one value", 3, 1),
        random_case("as many samples as values", 4, 4),
        float64(3, 5),
        random_case("a sample of 5,000 values", 5000),
        random_case("5,000 samples", 5000, 2),
        Case("values of about 1e-12", lambda g: (normal(g, 2, 4, scale=1e-12),)),
        infinity_and_nan([[inf, 1.0, 2], [3, 4, nan], [5, 6, 7]]),
    ),
    worst="Each sample has its own mean, whatever the other samples are.",
    reference=lambda x: x - tf.reduce_mean(x, axis=-1, keepdims=True),
    story=prose(
        """
        Write `centered(x)`: each sample minus its own mean, for one sample and for a batch of samples.
        """
    ),
    limits=(at_most(16, "ops"), at_most(0, "syncs")),
    hints=items(
        """
        - `tf.reduce_mean` takes an axis, and `axis=-1` is the last one; `keepdims=True` keeps that axis for
          broadcasting.
        """
    ),
    mistakes=(
        Mistake(
            "One mean of the whole batch was subtracted: each sample has its own mean.", lambda x: x - tf.reduce_mean(x)
        ),
        Mistake(
            "This subtracts the mean of each column over the batch: use the mean of each sample.",
            lambda x: x - tf.reduce_mean(x, axis=0),
        ),
    ),
)
