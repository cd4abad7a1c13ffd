"""TensorFlow's global settings, by name, and how to restore them. Nothing here imports TensorFlow."""

from __future__ import annotations

from typing import Any

from course_utils.frameworks import keras_settings
from course_utils.frameworks.global_settings import Setting
from course_utils.frameworks.private_names import attribute, resolve
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
        Setting(
            "tf.config.experimental.get_synchronous_execution()",
            experimental.get_synchronous_execution,
            experimental.set_synchronous_execution,
        ),
        Setting("tf.config.optimizer.get_jit()", config.optimizer.get_jit, config.optimizer.set_jit),
        _optimizer_options(config.optimizer),
        _determinism(experimental),
        _check_numerics(tf.debugging),
        _dtype_conversion(),
        _numpy_slicing(),
        *keras_settings.settings(),
    )


def _optimizer_options(optimizer: Any) -> Setting:
    """Return the setting of the optimizations of graphs, of which TensorFlow's own function only adds options."""

    def write(options: dict[str, Any]) -> None:
        attribute("tensorflow", resolve(ADDRESSES["context"])(), "_optimizer_experimental_options").clear()
        optimizer.set_experimental_options(options)

    return Setting("tf.config.optimizer.get_experimental_options()", optimizer.get_experimental_options, write)


def _determinism(experimental: Any) -> Setting:
    """Return the setting whether operations are deterministic, which no public function reads or turns off."""
    module = resolve(ADDRESSES["config"])
    disable = attribute("tensorflow", module, "disable_op_determinism")
    return Setting(
        "tf.config.experimental.enable_op_determinism()",
        attribute("tensorflow", module, "is_op_determinism_enabled"),
        lambda is_on: experimental.enable_op_determinism() if is_on else disable(),
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
