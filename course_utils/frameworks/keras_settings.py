"""The global settings of Keras, which decide the dtype of each layer that is made later."""

from __future__ import annotations

import sys

from course_utils.frameworks.global_settings import Setting

# The policy is read from here: `keras.config.dtype_policy()` fixes an unset one, so that a later `set_floatx` has no effect.
_STATE = "keras.src.backend.common.global_state"


def settings() -> tuple[Setting, ...]:
    """Return Keras's settings; none before Keras is loaded, or if its version keeps them elsewhere."""
    keras, state = sys.modules.get("keras"), sys.modules.get(_STATE)
    tracker = getattr(state, "GLOBAL_STATE_TRACKER", None)
    if keras is None or tracker is None:
        return ()

    def policy() -> str:
        return str(getattr(getattr(tracker, "dtype_policy", None), "name", keras.backend.floatx()))

    return (
        Setting("keras.config.floatx()", keras.backend.floatx, keras.backend.set_floatx),
        Setting("keras.config.dtype_policy()", policy, keras.config.set_dtype_policy),
    )
