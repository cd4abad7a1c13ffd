"""The kernels of a program that XLA has optimized, read from its text: what each moves, and which functions it computes.

An instruction outside of the fused computations is a kernel:

    %fused_computation (param_0: f32[8,1000]) -> f32[8,1000] {
      %param_0 = f32[8,1000]{1,0} parameter(0)
      ROOT %exp.1 = f32[8,1000]{1,0} exponential(%param_0)
    }
    ENTRY %main (x: f32[8,1000]) -> f32[8,1000] {
      %x = f32[8,1000]{1,0} parameter(0)
      ROOT %wrapped_exponential = f32[8,1000]{1,0} fusion(%x), kind=kLoop, calls=%fused_computation
    }

``wrapped_exponential`` reads 32,000 bytes, writes as many, and computes ``exp``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

FUNCTIONS = {
    "exponential": "exp", "log": "log", "logistic": "sigmoid", "power": "pow", "tanh": "tanh", "sine": "sin", "cosine": "cos",
    "erf": "erf", "exponential-minus-one": "expm1", "log-plus-one": "log1p", "atan2": "atan2", "tan": "tan",
}  # fmt: skip
"""XLA's name of an elementary function → the usual one."""

_COMPUTATION = re.compile(r"^(?:ENTRY )?%([^ ]+) \(.*\{$")
INSTRUCTION = re.compile(r"^\s+(?:ROOT )?%([^ ]+) = (\([^=]*\)|\S+) ([\w-]+)\((.*)$")
_ARRAY = re.compile(r"\b([a-z]+)(\d*)\w*\[([\d,]*)\]")
OPERAND, _CALLS = re.compile(r"%([\w.-]+)"), re.compile(r"\bcalls=%([\w.-]+)")
_APPLIED = re.compile(r"\bto_apply=%([\w.-]+)")
_NUMBERED = re.compile(r"([._]\d+)+$")
# They run no kernel of their own.
_NO_KERNEL = (
    "parameter", "constant", "bitcast", "tuple", "get-tuple-element", "while", "conditional", "call", "after-all", "iota",
)  # fmt: skip
_PARTIAL_READS = ("gather", "dynamic-slice", "slice")
_APART = ("gather", "scatter", "dynamic-slice", "dynamic-update-slice", "transpose")


class Kernel(NamedTuple):
    """One kernel of a compiled program.

    Attributes:
        name: as ``label_of`` returns it.
        reads, writes: the bytes of one run.
        functions: the elementary functions that it computes.
        is_apart: whether it reads or writes values that are not contiguous, such as gathered ones.
    """

    name: str
    reads: int
    writes: int
    functions: tuple[str, ...]
    is_apart: bool


class _Instruction(NamedTuple):
    name: str
    size: int
    operation: str
    operands: tuple[str, ...]
    calls: str


def label_of(name: str) -> str:
    """Return the name that is shown for a kernel.

    >>> label_of("add_tanh_fusion.2"), label_of("wrapped_add.1"), label_of("matmul_1")
    ('fused add_tanh', 'wrapped_add', 'matmul')
    """
    plain = _NUMBERED.sub("", name)
    words = plain.removesuffix("_fusion").split("_")
    is_fused = plain.endswith("fusion") or any(word in FUNCTIONS for word in words)
    return ("fused " + "_".join(words)) if is_fused else plain


def kernels_in(program: str) -> list[Kernel]:
    """Return the kernels of an optimized program, in the form in which XLA prints it."""
    computations = _computations(program)
    fused = {each.calls for body in computations.values() for each in body}.union(_APPLIED.findall(program))
    return [
        _kernel(each, {other.name: other.size for other in body}, computations.get(each.calls, []))
        for name, body in computations.items()
        if name not in fused
        for each in body
        if each.operation not in _NO_KERNEL
    ]


def _kernel(kernel: _Instruction, sizes: Mapping[str, int], inner: list[_Instruction]) -> Kernel:
    operations = [each.operation for each in inner] or [kernel.operation]
    parameters = [each for each in inner if each.operation == "parameter"]
    reads = 0
    for name, operand in zip([each.name for each in parameters] or kernel.operands, kernel.operands):
        users = [each for each in inner or [kernel] if name in each.operands]
        is_partial = users and all(each.operation in _PARTIAL_READS and each.operands[0] == name for each in users)
        reads += sum(each.size for each in users) if is_partial else sizes.get(operand, 0)
    functions = dict.fromkeys(FUNCTIONS[each] for each in operations if each in FUNCTIONS)
    return Kernel(
        label_of(kernel.name), reads, kernel.size, tuple(functions), any(each in _APART for each in operations)
    )


def _computations(program: str) -> dict[str, list[_Instruction]]:
    """Return the instructions of each computation; the parameters are in the order of their numbers."""
    computations: dict[str, list[_Instruction]] = {}
    current: list[_Instruction] = []
    for line in program.splitlines():
        if start := _COMPUTATION.match(line):
            current = computations.setdefault(start[1], [])
        elif match := INSTRUCTION.match(line):
            name, shape, operation, rest = match.groups()
            calls = _CALLS.search(rest)
            operands = tuple(OPERAND.findall(rest.partition(")")[0]))
            if operation == "parameter":
                operands = (rest.partition(")")[0],)
            current.append(_Instruction(name, sum(_sizes(shape)), operation, operands, calls[1] if calls else ""))
    return {name: sorted(body, key=_number_of_parameter) for name, body in computations.items()}


def _number_of_parameter(instruction: _Instruction) -> int:
    return int(instruction.operands[0]) if instruction.operation == "parameter" else -1


def _sizes(shape: str) -> Iterator[int]:
    """Yield the bytes of each array in a shape such as ``"f32[8,1000]{1,0}"`` or a tuple of these."""
    for kind, bits, dimensions in _ARRAY.findall(shape):
        size = 1 if kind == "pred" else int(bits or 0) // 8
        yield size * math.prod(int(each) for each in dimensions.split(",") if each)
