"""A table that stands in for one on disk: rows are read by slices, and no more of them at one time than fit in memory."""

from __future__ import annotations

import torch

from course_utils.core.errors import CourseError


class TooManyRows(CourseError):
    """More rows were asked for at one time than fit."""


class StoredTable:
    """Reads like a tensor: ``table[start:stop]``, ``table.shape``, ``len(table)``, ``table.dtype``.

    Args:
        rows: (rows, columns), what is stored.
        most: how many rows one slice may read.
    """

    def __init__(self, rows: torch.Tensor, most: int) -> None:
        self._rows, self._most = rows, most

    shape = property(lambda self: self._rows.shape)
    dtype = property(lambda self: self._rows.dtype)
    device = property(lambda self: self._rows.device)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, wanted: slice) -> torch.Tensor:
        """Some rows, read into a tensor of their own.

        Raises:
            TooManyRows: for anything but a slice of at most so many rows.
        """
        if not isinstance(wanted, slice):
            raise TooManyRows(
                "The table lies in a file: read some of its rows by a slice, as in x[start : start + chunk]."
            )
        read = self._rows[wanted]
        if len(read) > self._most:
            raise TooManyRows(
                f"x[{wanted.start}:{wanted.stop}] reads {len(read)} rows at one time, and chunk is {self._most}: "
                "go on in steps of chunk rows."
            )
        return read.clone()

    def __iter__(self):
        raise TooManyRows("The table lies in a file: read its rows by slices, as in x[start : start + chunk].")

    def __repr__(self) -> str:
        return f"<a table of {self.shape[0]} rows and {self.shape[1]} columns in a file, {self.dtype}>"
