"""Simulates a table on disk: it is read in slices of a limited number of rows."""

from __future__ import annotations

import torch

from course_utils.core.errors import CourseError


class TooManyRows(CourseError):
    """A read requested more rows than fit in memory."""


class StoredTable:
    """Supports ``table[start:stop]``, ``table.shape``, ``len(table)``, ``table.dtype`` and ``table.device``, like a tensor.

    Args:
        rows: (rows, columns), the contents.
        most: the largest number of rows that one slice may read.
    """

    _rows: torch.Tensor
    _most: int

    def __init__(self, rows: torch.Tensor, most: int) -> None:
        vars(self).update(_rows=rows, _most=most)

    shape = property(lambda self: self._rows.shape)
    dtype = property(lambda self: self._rows.dtype)
    device = property(lambda self: self._rows.device)

    def __setattr__(self, name: str, value: object) -> None:
        raise TooManyRows("The table can only be read, with slices as in x[start : start + chunk].")

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, wanted: slice) -> torch.Tensor:
        """Return a copy of the requested rows.

        Raises:
            TooManyRows: for anything but a slice, and for a slice of more than ``most`` rows.
        """
        if not isinstance(wanted, slice):
            raise TooManyRows("The table is in a file: read a part of it with a slice, as in x[start : start + chunk].")
        read = self._rows[wanted]
        if len(read) > self._most:
            raise TooManyRows(
                f"The slice reads {len(read)} rows, but chunk is {self._most}: read at most chunk rows at a time."
            )
        return read.clone()

    def __iter__(self):
        raise TooManyRows(
            "The table is in a file and can't be iterated: read it with slices, as in x[start : start + chunk]."
        )

    def __repr__(self) -> str:
        return f"<a table of {self.shape[0]} rows and {self.shape[1]} columns in a file, {self.dtype}>"
