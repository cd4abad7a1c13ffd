"""How work that a framework runs outside of Python is ended, as the sandbox asks for it."""

from __future__ import annotations

from typing import Protocol


class Cancellable(Protocol):
    """A context in which work that runs outside of Python can be ended, from any thread."""

    def __enter__(self) -> object: ...

    def __exit__(self, *error: object) -> bool | None: ...

    def cancel(self) -> None:
        """End what runs in the context; it raises an error there."""

    def caused(self, error: BaseException) -> bool:
        """Whether ``error`` came of ``cancel``."""
