"""``Setting``: a global setting of Python or of a framework, which a function may leave changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
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


def changed_values(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of ``now`` that differ from those before; of a dict, only the items that differ.

    >>> before, now = {"over": "warn", "under": "ignore"}, {"over": "raise", "under": "ignore"}
    >>> changed_values({"np.geterr()": before}, {"np.geterr()": now})
    {'np.geterr()': {'over': 'raise'}}
    """
    pairs = {name: (before.get(name, value), value) for name, value in now.items()}
    return {name: _changed_items(*pair) for name, pair in pairs.items() if pair[0] != pair[1]}


def _changed_items(before: Any, now: Any) -> Any:
    if not isinstance(now, dict) or not isinstance(before, dict):
        return now
    text = lambda value: os.fsdecode(value) if isinstance(value, bytes) else value
    changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return {text(name): text(now.get(name)) for name in changed}


def snapshot_of(settings: Iterable[Setting]) -> Callable[[], dict[str, Any]]:
    """Return a function that restores the present values, and returns name → value of what had changed."""
    settings = list(settings)
    before = [setting.value() for setting in settings]

    def restore() -> dict[str, Any]:
        now = [setting.value() for setting in settings]
        if now == before:  # in nearly every call of a check
            return {}
        names = [setting.name for setting in settings]
        changed = changed_values(dict(zip(names, before)), dict(zip(names, now)))
        for setting, value in zip(settings, before) if changed else ():
            setting.restore(value)
        return changed

    return restore
