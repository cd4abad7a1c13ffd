"""TensorFlow's global settings, by name, and how to restore them. Nothing here imports TensorFlow."""

from __future__ import annotations

from typing import Any

from course_utils.frameworks import keras_settings
from course_utils.frameworks.global_settings import Setting
from course_utils.frameworks.private_names import resolve
from course_utils.frameworks.tensorflow_internals import ADDRESSES


def settings(tf: Any) -> tuple[Setting, ...]:
    """Return the settings of TensorFlow and Keras."""
    config, experimental = tf.config, tf.config.experimental
    is_tf32, set_tf32 = experimental.tensor_float_32_execution_enabled, experimental.enable_tensor_float_32_execution
    return (
        Setting("tf.config.functions_run_eagerly()", config.functions_run_eagerly, config.run_functions_eagerly),
        Setting(
            "tf.config.get_soft_device_placement()", config.get_soft_device_placement, config.set_soft_device_placement
        ),
        Setting("tf.config.experimental.tensor_float_32_execution_enabled()", is_tf32, set_tf32),
        _check_numerics(tf.debugging),
        _dtype_conversion(),
        _numpy_slicing(),
        *keras_settings.settings(),
    )


def _check_numerics(debugging: Any) -> Setting:
    """Return the setting whether operations raise an error at NaN and infinity, which no function of TensorFlow reads."""
    state = resolve(ADDRESSES["check_numerics_state"])
    return Setting(
        "tf.debugging.enable_check_numerics()",
        lambda: hasattr(state, "check_numerics_callback"),
        lambda is_on: debugging.enable_check_numerics() if is_on else debugging.disable_check_numerics(),
    )


def _dtype_conversion() -> Setting:
    """Return the setting of how operations combine dtypes."""
    module = resolve(ADDRESSES["dtype_conversion"])
    return Setting(
        "the dtype_conversion_mode of tf.experimental.numpy",
        lambda: module.promo_mode_enum_to_string(module.get_dtype_conversion_mode()),
        module.set_dtype_conversion_mode,
    )


def _numpy_slicing() -> Setting:
    """Return the setting whether slices follow NumPy's rules, which no function of TensorFlow reads or turns off."""
    address = ADDRESSES["numpy_slicing"]
    module, _, name = address.partition(":")
    return Setting(
        "tf.experimental.numpy.experimental_enable_numpy_behavior()",
        lambda: resolve(address),
        lambda is_on: setattr(resolve(module), name, is_on),
    )
