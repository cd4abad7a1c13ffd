"""The global settings of Keras, which decide the dtype of each layer that is made later."""

from __future__ import annotations

import sys

from course_utils.frameworks.global_settings import Setting

# The policy is read from here: `keras.config.dtype_policy()` fixes an unset one, so that a later `set_floatx` has no effect.
_STATE = "keras.src.backend.common.global_state"


def settings() -> tuple[Setting, ...]:
    """Return Keras's settings; none before Keras is loaded, or if its version keeps them elsewhere."""
    if "keras" not in sys.modules or not hasattr(sys.modules.get(_STATE), "GLOBAL_STATE_TRACKER"):
        return ()
    keras, state = sys.modules["keras"], sys.modules[_STATE]

    def policy() -> str:
        """Return the policy's name, "" if it is unset."""
        tracker = state.GLOBAL_STATE_TRACKER  # `keras.utils.clear_session` replaces it.
        return getattr(getattr(tracker, "dtype_policy", None), "name", "")

    def set_policy(name: str) -> None:
        if name:
            keras.config.set_dtype_policy(name)
        else:
            state.GLOBAL_STATE_TRACKER.dtype_policy = None

    return (
        Setting("keras.config.floatx()", keras.backend.floatx, keras.backend.set_floatx),
        Setting("keras.config.dtype_policy()", policy, set_policy),
    )
