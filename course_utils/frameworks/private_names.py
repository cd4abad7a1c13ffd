"""Access to private names of a framework, with an error that says what to do if a new version drops one."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from course_utils.core.errors import CourseError

NEWEST_TESTED = {"torch": "2.13.0", "tensorflow": "2.21.0", "triton": "3.7.1"}
"""The newest version of each framework that the tests ran with."""


class PrivateNameMissing(CourseError):
    """A private name of a framework does not exist in the installed version."""


def resolve(address: str) -> Any:
    """Return the object at ``"package.module:name"``; without a colon, the module.

    Raises:
        PrivateNameMissing: the installed version lacks it.
    """
    module, _, path = address.partition(":")
    try:
        value = importlib.import_module(module)
        for name in filter(None, path.split(".")):
            value = getattr(value, name)
    except (ImportError, AttributeError):
        raise_missing(module.partition(".")[0], address.replace(":", "."))
    return value


def attribute(framework: str, owner: Any, name: str) -> Any:
    """Return the private attribute ``name`` of a framework's object.

    Raises:
        PrivateNameMissing: the object lacks it.
    """
    try:
        return getattr(owner, name)
    except AttributeError:
        raise_missing(framework, f"{type(owner).__name__}.{name}")


def raise_missing(framework: str, name: str) -> NoReturn:
    """Raise ``PrivateNameMissing`` with the installed version and the remedy."""
    version = getattr(importlib.import_module(framework), "__version__", "")
    newest = NEWEST_TESTED[framework]
    raise PrivateNameMissing(
        f"{framework} {version} has no {name}, which this function of the course needs. Install a version that the "
        "course is "
        f'tested with: python -m pip install "{framework}<={newest}"'
    ) from None


def load_names(module: str, addresses: Mapping[str, str], loaded: dict[str, Any]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module whose names are resolved when they are first used.

    Args:
        module: the module's name.
        addresses: name → the object in a framework.
        loaded: the module's ``globals()``, where a resolved name stays.
    """

    def load(name: str) -> Any:
        if name not in addresses:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        loaded[name] = value = resolve(addresses[name])
        return value

    return load
