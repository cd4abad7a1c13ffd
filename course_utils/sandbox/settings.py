"""Puts back what running code leaves behind: the state of every random generator, frameworks' defaults, where logs go."""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from course_utils.frameworks import devices


@contextmanager
def settings_kept() -> Iterator[None]:
    """Put back the state of every random generator, torch's defaults and where logs go, as they were before the block."""
    python, handlers = random.getstate(), list(logging.root.handlers)
    numpy = sys.modules["numpy"].random.get_state() if "numpy" in sys.modules else None
    frameworks = [_STATES[name]() for name in devices.loaded()]
    try:
        yield
    finally:
        random.setstate(python)
        logging.root.handlers[:] = handlers  # the first `logging.warning` makes one, for the stderr of that moment
        if numpy is not None:
            sys.modules["numpy"].random.set_state(numpy)
        for put_back in frameworks:
            put_back()


def _torch_state() -> Any:
    torch = sys.modules["torch"]
    cpu, dtype, gradients = torch.get_rng_state(), torch.get_default_dtype(), torch.is_grad_enabled()
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
    threads = torch.get_num_threads()

    def put_back() -> None:
        torch.set_rng_state(cpu)
        torch.set_default_dtype(dtype)
        torch.set_grad_enabled(gradients)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)

    return put_back


def _tensorflow_state() -> Any:
    from tensorflow.python.eager import context
    from tensorflow.python.ops import stateful_random_ops

    eager = context.context()
    seed, numbers = eager._seed, eager._rng.getstate() if hasattr(eager, "_rng") and eager._rng else None
    generator = stateful_random_ops.global_generator
    state = None if generator is None else generator.state.numpy()

    def put_back() -> None:
        eager._seed = seed
        if numbers is not None:
            eager._rng.setstate(numbers)
        stateful_random_ops.global_generator = generator
        if generator is not None:
            generator.state.assign(state)

    return put_back


_STATES = {"torch": _torch_state, "tensorflow": _tensorflow_state}
