"""The global settings of Keras, which decide the dtype of each layer that is created later."""

from __future__ import annotations

import sys

from course_utils.frameworks.global_settings import Setting
from course_utils.frameworks.tensorflow_internals import ADDRESSES


def settings() -> tuple[Setting, ...]:
    """Return Keras's settings; none before Keras is loaded, or if its version keeps them elsewhere."""
    state = sys.modules.get(ADDRESSES["keras_state"])
    if state is None or not hasattr(state, "GLOBAL_STATE_TRACKER"):
        return ()
    keras = sys.modules["keras"]

    def policy() -> str:
        """Return the policy's name. Keras sets an unset policy to ``floatx`` when it makes a layer, so both are the same."""
        # `keras.config.dtype_policy()` fixes an unset policy, so that a later `set_floatx` has no effect.
        tracker = state.GLOBAL_STATE_TRACKER  # `keras.utils.clear_session` replaces it.
        return getattr(getattr(tracker, "dtype_policy", None), "name", keras.backend.floatx())

    def set_policy(name: str) -> None:
        if name == keras.backend.floatx():
            state.GLOBAL_STATE_TRACKER.dtype_policy = None
        else:
            keras.config.set_dtype_policy(name)

    return (
        Setting("keras.config.floatx()", keras.backend.floatx, keras.backend.set_floatx),
        Setting("keras.config.dtype_policy()", policy, set_policy),
    )
