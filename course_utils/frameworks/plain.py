""" "None": what is of no framework, that is NumPy's arrays, Python's numbers and every other object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NoReturn

import numpy as np

from course_utils.core.errors import CourseError
from course_utils.frameworks.base import Framework, Tensor

_WORDS = {"int": "a Python number", "float": "a Python number", "function": "a function", "type": "a class"}


class Plain(Framework):
    """No framework: its values are compared, but none of them counts as a tensor, and it has no devices."""

    name = "none"
    title = "plain Python"

    def is_loaded(self) -> bool:
        return True

    def is_tensor(self, value: Any) -> bool:
        return False

    def is_module(self, value: Any) -> bool:
        return False

    def is_generator(self, value: Any) -> bool:
        return False

    def called(self, value: Any) -> str:
        if value is None:
            return "None"
        if isinstance(value, np.ndarray):
            return "a NumPy array"
        name = type(value).__name__
        return _WORDS.get(name, f"{'an' if name[0] in 'aeiou' else 'a'} {name}")

    def flaw(self, tensor: Tensor, wanted: str) -> str | None:
        return f"{self.called(tensor)}; {wanted} is wanted"

    def has_no_values(self, tensor: Tensor) -> bool:
        return False

    def to_numpy(self, tensor: Tensor) -> np.ndarray:
        return np.asarray(tensor)

    def parts(self, module: Any) -> Mapping[str, Tensor]:
        return {}

    def twin(self, generator: Any) -> NoReturn:
        raise TypeError(f"{self.called(generator)} is no generator of a framework")

    def widened(self, leaf: Any) -> Any:
        return leaf

    def remembered(self, value: Any) -> Callable[[], None] | None:
        if not isinstance(value, np.ndarray):
            return None
        kept = value.copy()

        def put_back() -> None:
            if value.flags.writeable:
                value[...] = kept

        return put_back

    def gradients(self, function: Callable[..., list[Tensor]], inputs: tuple, seed: int) -> NoReturn:
        raise CourseError(
            "Nothing has a gradient without a framework; name the task's framework, or ask for no gradients."
        )

    def seed(self, number: int) -> None:
        np.random.seed(number)

    def state_kept(self) -> Callable[[], None]:
        state = np.random.get_state()
        return lambda: np.random.set_state(state)

    @contextmanager
    def threads(self, count: int) -> Iterator[int]:
        yield count

    def threads_in_use(self) -> int | None:
        return None

    def is_out_of_memory(self, error: BaseException) -> bool:
        return isinstance(error, MemoryError)

    def cancellable(self) -> None:
        return None

    def accelerators(self) -> list[str]:
        return []

    def device_of(self, tensor: Tensor) -> str:
        return "cpu"

    def touch(self, device: str) -> NoReturn:
        raise CourseError(f"There is no device {device!r} without a framework; import the one that has it.")

    def describe(self, device: str) -> str | None:
        return None

    def waiters(self, device: str) -> list[Callable[[], Any]]:
        return []

    def placed(self, device: str) -> AbstractContextManager[object]:
        return nullcontext()

    def exact(self) -> AbstractContextManager[object]:
        return nullcontext()

    def accelerator(self, device: str) -> None:
        return None
