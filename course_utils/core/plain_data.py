"""Converts frozen dataclasses to data that JSON can hold, and back, by their annotations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


class UnknownFields(ValueError):
    """The data has fields, ``names``, that the class lacks; a later version of the course may have written them."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(f"unknown fields: {', '.join(names)}")
        self.names = names


def to_data(value: Any, *, omit_defaults: bool = False) -> Any:
    """Return the same value as dicts, lists, strings, numbers and None.

    Args:
        value: a frozen dataclass, or a container of frozen dataclasses.
        omit_defaults: whether fields with their default values are left out.

    >>> to_data({"sizes": (1, 2)})
    {'sizes': [1, 2]}
    """
    return _converter(omit_defaults).unstructure(value)


def from_data(kind: type[T], data: Any) -> T:
    """Return an instance of ``kind`` with the values of ``data``; missing fields get their defaults.

    Raises:
        UnknownFields: ``data`` has fields that ``kind`` lacks.
        ValueError: ``data`` lacks a required field or holds a value of the wrong type.
    """
    try:
        return _converter().structure(data, kind)
    except Exception as error:  # cattrs raises whatever a constructor raises
        from cattrs import transform_error

        if names := sorted(set(_unknown_fields(error))):
            raise UnknownFields(names) from error
        raise ValueError("; ".join(transform_error(error, path=kind.__name__))) from error


@cache
def _converter(omit_defaults: bool = False) -> Any:
    # Importing cattrs takes 0.1 s, too long for `import course_utils`.
    from cattrs.preconf.json import make_converter

    return make_converter(forbid_extra_keys=True, omit_if_default=omit_defaults)


def _unknown_fields(error: BaseException) -> Iterator[str]:
    """Yield the names of all unknown fields in an error of cattrs, whose parts are nested like the data."""
    yield from getattr(error, "extra_fields", ())
    for inner in getattr(error, "exceptions", ()):
        yield from _unknown_fields(inner)
