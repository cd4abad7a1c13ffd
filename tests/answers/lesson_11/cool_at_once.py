"""Answers to cool_at_once."""

import tensorflow as tf

from answers import AnswersTo

answers = AnswersTo("cool_at_once")


@answers.right("exp of a logarithm")
def cool_by_exp(temps, minutes):
    rate = tf.math.log(tf.constant(0.9, temps.dtype))
    return 20.0 + tf.exp(tf.cast(minutes, temps.dtype) * rate) * (temps - 20.0)


answers.right("a Python power")(lambda temps, minutes: 20.0 + 0.9 ** int(minutes) * (temps - 20.0))


@answers.wrong("tf.while_loop", "unlooped")
def cool_in_a_loop(temps, minutes):
    return tf.while_loop(lambda i, t: i < minutes, lambda i, t: (i + 1, t + 0.1 * (20.0 - t)), [0, temps])[1]


@answers.wrong("a power with an integer exponent", "correct", says="int32")
def cool_by_an_integer_power(temps, minutes):
    return 20.0 + tf.constant(0.9) ** minutes * (temps - 20.0)


@answers.wrong("a loop with one operation per minute", "unlooped", says="whose length does not follow the size")
def cool_minute_by_minute(temps, minutes):
    difference = temps - 20.0
    for _ in range(int(minutes)):
        difference *= 0.9
    return 20.0 + difference


@answers.wrong("a loop in NumPy", "unlooped", says=".numpy() hands a tensor's values to Python")
def cool_in_numpy(temps, minutes):
    values = temps.numpy()
    for _ in range(int(minutes)):
        values = values + 0.1 * (20.0 - values)
    return tf.constant(values, temps.dtype)


@answers.wrong("results clamped to the room temperature", "correct", says="colder than the room")
def never_below_the_room(temps, minutes):
    return tf.maximum(20.0, 20.0 + 0.9 ** tf.cast(minutes, temps.dtype) * (temps - 20.0))


@answers.wrong("results clamped to 0 °C", "correct", says="colder than the room")
def never_below_freezing(temps, minutes):
    return tf.maximum(0.0, 20.0 + 0.9 ** tf.cast(minutes, temps.dtype) * (temps - 20.0))


@answers.wrong("room temperature after 50 minutes", "correct", says="an hour, in float64")
def at_room_temperature(temps, minutes):
    left = tf.where(minutes > 50, 0.0, 0.9 ** tf.cast(minutes, tf.float32))
    return 20.0 + tf.cast(left, temps.dtype) * (temps - 20.0)


@answers.wrong("a base rounded by tf.cast", "correct", says="rounds a Python float to float32 first")
def with_a_cast_base(temps, minutes):
    return 20.0 + (temps - 20.0) * tf.cast(0.9, temps.dtype) ** tf.cast(minutes, temps.dtype)


answers.wrong("the room's temperature for NaN", "correct", says="NaN")(
    lambda temps, minutes: cool_by_exp(tf.where(tf.math.is_nan(temps), tf.ones_like(temps) * 20.0, temps), minutes)
)
