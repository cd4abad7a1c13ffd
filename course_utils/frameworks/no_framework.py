"""``NoFramework``: the values that belong to no framework, such as NumPy arrays and Python numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NoReturn

import numpy as np

from course_utils.core.errors import CourseError
from course_utils.frameworks import python_settings
from course_utils.frameworks.framework_interface import Framework
from course_utils.frameworks.tensor_interface import Tensor

_PHRASES = {
    "int": "a Python number",
    "float": "a Python number",
    "function": "a function",
    "type": "a class",
    "ellipsis": "`...`",
}


class NoFramework(Framework):
    """No framework: its values can be compared, none of them counts as a tensor, and it has only the CPU."""

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

    def type_phrase(self, value: Any) -> str:
        if value is None:
            return "None"
        if isinstance(value, np.ndarray):
            return "a NumPy array"
        name = type(value).__name__
        return _PHRASES.get(name, f"{'an' if name[0] in 'aeiou' else 'a'} {name}")

    def why_unsupported(self, tensor: Tensor, expected: str) -> str | None:
        return f"{self.type_phrase(tensor)}; expected {expected}"

    def has_no_values(self, tensor: Tensor) -> bool:
        return False

    def to_numpy(self, tensor: Tensor) -> np.ndarray:
        return np.asarray(tensor)

    def named_tensors(self, module: Any) -> Mapping[str, Tensor]:
        return {}

    def clone_generator(self, generator: Any) -> NoReturn:
        raise TypeError(f"{self.type_phrase(generator)} is not a framework's generator")

    def upcast(self, value: Any) -> Any:
        return value

    def snapshot(self, value: Any) -> Callable[[], object] | None:
        if not isinstance(value, np.ndarray):
            return None
        before = value.copy()

        def restore() -> None:
            if value.flags.writeable:
                value[...] = before

        return restore

    def gradients(self, function: Callable[..., list[Tensor]], inputs: tuple, seed: int) -> NoReturn:
        raise CourseError("Only a framework computes gradients; name the task's framework, or don't ask for gradients.")

    def seed(self, number: int) -> None:
        np.random.seed(number)

    def snapshot_state(self) -> Callable[[], Mapping[str, Any]]:
        state, restore_settings = np.random.get_state(), self.snapshot_settings()

        def restore() -> Mapping[str, Any]:
            np.random.set_state(state)
            return restore_settings()

        return restore

    def snapshot_settings(self) -> Callable[[], Mapping[str, Any]]:
        """Return ``snapshot_state`` without NumPy's global generator, which takes as long as all other state."""
        return python_settings.snapshot_settings()

    @contextmanager
    def threads(self, count: int) -> Iterator[int]:
        yield count

    def thread_count(self) -> int | None:
        return None

    def is_out_of_memory(self, error: BaseException) -> bool:
        return isinstance(error, MemoryError)

    def cancel_scope(self) -> None:
        return None

    def accelerators(self) -> list[str]:
        return []

    def device_of(self, tensor: Tensor) -> str:
        return "cpu"

    def run_test_kernel(self, device: str) -> NoReturn:
        raise CourseError(f"There is no device {device!r} without a framework; import the framework that has it.")

    def describe(self, device: str) -> str | None:
        return None

    def synchronizers(self, device: str) -> list[Callable[[], Any]]:
        return []

    def device_scope(self, device: str) -> AbstractContextManager[object]:
        return nullcontext()

    def full_precision(self) -> AbstractContextManager[object]:
        return nullcontext()

    def accelerator(self, device: str) -> None:
        return None
