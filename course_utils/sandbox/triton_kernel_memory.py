"""``KernelMemory``: the memory that one launch of an interpreted kernel may touch, and what it loads and stores.

Triton's interpreter copies from and to raw addresses without checking them. Here each pointer argument gets virtual
addresses, a terabyte from the next argument's. Each access is translated back, so an access outside of the argument's
storage is found even if another tensor's memory happens to be there. An example with ``x`` of 10 float32 values, the
first argument:

    x_ptr            2⁴¹                 is x.data_ptr()
    x_ptr + 9        2⁴¹ + 36            is x.data_ptr() + 36
    x_ptr + 10       2⁴¹ + 40            belongs to x and is outside of its storage: ``KernelFailed``
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from course_utils.core.errors import CourseError
from course_utils.frameworks import triton_internals

_REGION_BITS = 41
_HALF_REGION = 1 << (_REGION_BITS - 1)
_BFLOAT16_NAN = 0x7FC0  # NumPy has no bfloat16, so the interpreter keeps the 16 bits of each value as an integer.


class KernelFailed(CourseError):
    """A kernel of a learner cannot run, or accesses memory outside of its arguments."""


class Traffic(Protocol):
    """What kernels did so far: launches, programs, loads and stores, and their bytes without the masked parts."""

    kernels: int
    programs: int
    accesses: int
    loaded: int
    stored: int


@dataclass(frozen=True)
class _Argument:
    """A pointer argument; ``start`` and ``end`` are its storage, as byte offsets from the pointer."""

    name: str
    itemsize: int
    virtual: int
    address: int
    start: int
    end: int


class KernelMemory:
    """Checks, translates and counts the accesses of one launch.

    Args:
        kernel: the kernel's name.
        names: the names of its pointer arguments, in order.
        traffics: the counts to add to.

    Attributes:
        program: the indices of the program that runs, in the grid's dimensions.
    """

    def __init__(self, kernel: str, names: Iterable[str], traffics: Iterable[Traffic]) -> None:
        self.program: tuple[int, ...] = ()
        self._kernel, self._names, self._traffics = kernel, iter(names), tuple(traffics)
        self._arguments: list[_Argument] = []

    def add(self, tensor: Any) -> int:
        """Return the virtual address of a tensor on the host, the next pointer argument."""
        tensor = getattr(tensor, "base", tensor)  # triton.reinterpret wraps a tensor
        address, storage = tensor.data_ptr(), tensor.untyped_storage()
        start = storage.data_ptr() - address
        region = (len(self._arguments) + 1) << _REGION_BITS
        virtual = region + address % 4096  # keeps the alignment
        name = next(self._names, "a pointer")
        argument = _Argument(name, tensor.element_size(), virtual, address, start, start + storage.nbytes())
        self._arguments.append(argument)
        return virtual

    def count_launch(self, programs: int) -> None:
        """Count one launch."""
        for traffic in self._traffics:
            traffic.kernels += 1
            traffic.programs += programs

    def translate(self, verb: str, addresses: np.ndarray, mask: np.ndarray, itemsize: int) -> np.ndarray:
        """Return the real addresses where ``mask`` is true and 0 elsewhere, after counting the bytes.

        Args:
            verb: "loads", "stores", or "updates", which counts as both.
            addresses: virtual addresses, of values of ``itemsize`` bytes.

        Raises:
            KernelFailed: an address is outside of every argument's storage; nothing was read or written.
        """
        mask = np.broadcast_to(np.asarray(mask, dtype=bool), addresses.shape)
        wanted = addresses[mask].astype(np.int64)
        real = np.zeros(addresses.shape, dtype=np.uint64)
        real[mask] = self._real(verb, wanted, itemsize).astype(np.uint64)
        size = itemsize * int(wanted.size)
        for traffic in self._traffics:
            traffic.accesses += size > 0  # A fully masked load or store costs nothing.
            traffic.loaded += size if verb != "stores" else 0
            traffic.stored += size if verb != "loads" else 0
        return real

    def _real(self, verb: str, wanted: np.ndarray, itemsize: int) -> np.ndarray:
        real = np.zeros_like(wanted)
        places = ((wanted + _HALF_REGION) >> _REGION_BITS) - 1
        for place in np.unique(places):
            chosen = places == place
            if not 0 <= place < len(self._arguments):
                raise KernelFailed(
                    f"In {self._where}, {self._kernel} {verb} at an address that belongs to none of its arguments: a "
                    "pointer is an argument plus offsets, as in x_ptr + offsets."
                )
            argument = self._arguments[place]
            offsets = wanted[chosen] - argument.virtual
            outside = (offsets < argument.start) | (offsets + itemsize > argument.end)
            if outside.any():
                raise KernelFailed(self._message(verb, argument, int(offsets[outside][0])))
            real[chosen] = offsets + argument.address
        return real

    @property
    def _where(self) -> str:
        program = self.program
        while len(program) > 1 and program[-1] == 0:
            program = program[:-1]
        return f"program {program[0] if len(program) == 1 else program}"

    def _message(self, verb: str, argument: _Argument, offset: int) -> str:
        index, first = offset // argument.itemsize, argument.start // argument.itemsize
        last = argument.end // argument.itemsize - 1
        has = "has no values" if last < first else f"has the indices {first} to {last:,}"
        return (
            f"In {self._where}, {self._kernel} {verb} {argument.name}[{index:,}], but {argument.name} {has}. Nothing "
            "outside was touched. Check the offsets, and mask what is beyond the end: mask=offsets < n."
        )


def nan_like(pointers: Any) -> Any:
    """Return a NaN per pointer, for the masked positions of a load without ``other``, whose values Triton doesn't define.

    None, which stands for 0, if the pointers don't point to floats.
    """
    element = pointers.get_element_ty()
    dtype = triton_internals.numpy_dtype(element)
    if not np.issubdtype(dtype, np.floating) and not element.is_bf16():
        return None
    nan = _BFLOAT16_NAN if element.is_bf16() else np.nan
    return type(pointers)(np.full(pointers.data.shape, nan, dtype), element)


def add_empty_slices(tensors: Iterable[Any]) -> None:
    """Add up empty slices of a launch's arguments, so that code that follows operations sees whether a tensor on the host
    meets one on a device.
    """
    empty = [getattr(tensor, "base", tensor).detach().reshape(-1)[:0] for tensor in tensors]
    with suppress(RuntimeError):  # what tensors of two real devices raise
        functools.reduce(operator.add, empty)
