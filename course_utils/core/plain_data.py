"""Converts frozen dataclasses to data that JSON can hold, and back, by their annotations."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def to_data(value: Any) -> Any:
    """The same value as dicts, lists, strings, numbers and None.

    >>> to_data({"sizes": (1, 2)})
    {'sizes': [1, 2]}
    """
    return _converter().unstructure(value)


def from_data(kind: type[T], data: Any) -> T:
    """An instance of ``kind`` with the values of ``data``; missing fields get their defaults.

    Raises:
        ValueError: ``data`` has an unknown field, lacks a required one, or holds a value of the wrong type.
    """
    try:
        return _converter().structure(data, kind)
    except Exception as error:  # cattrs raises whatever a constructor raises
        from cattrs import transform_error

        raise ValueError("; ".join(transform_error(error, path=kind.__name__))) from error


@cache
def _converter() -> Any:
    # Importing cattrs takes 0.1 s, too long for `import course_utils`.
    from cattrs.preconf.json import make_converter

    return make_converter(forbid_extra_keys=True)
