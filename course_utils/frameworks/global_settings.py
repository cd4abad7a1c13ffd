"""``Setting``: a global setting of Python or of a framework, which a function may leave changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Setting:
    """A setting as a learner would write it, such as ``"torch.is_grad_enabled()"``; without ``write`` it is only read."""

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], object] | None = None

    def value(self) -> Any:
        """Return the present value; None if the framework refuses to read it, since other settings contradict it."""
        try:
            return self.read()
        except RuntimeError:
            return None

    def restore(self, before: Any) -> None:
        """Set ``before``, unless it is the present value: some settings take milliseconds."""
        if self.write is not None and before is not None and self.value() != before:
            with suppress(RuntimeError):  # It may contradict another setting that is not restored yet.
                self.write(before)


def values_of(settings: Iterable[Setting]) -> dict[str, Any]:
    """Return the present values by name."""
    return {setting.name: setting.value() for setting in settings}


def snapshot_of(settings: Iterable[Setting]) -> Callable[[], None]:
    """Return a function that restores the present values."""
    before = [(setting, setting.value()) for setting in settings]

    def restore() -> None:
        for setting, value in before:
            setting.restore(value)

    return restore
