"""The floating-point operations of the products in a program that XLA has optimized. XLA has merged equal products.

    %product = f32[8,5]{1,0} dot(%x, %y), lhs_contracting_dims={1}, rhs_contracting_dims={0}

For ``%x = f32[8,1000]{1,0} …``, these are 2 · 8 · 5 · 1000 operations.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import NamedTuple

from course_utils.frameworks.xla_program import INSTRUCTION, OPERAND

_COMPUTATION = re.compile(r"^(ENTRY )?%([^ ]+) \(.*\{$")
_SHAPE = re.compile(r"\b[a-z]+\d*\w*\[([\d,]*)\]")
_CONTRACTED = re.compile(r"\blhs_contracting_dims=\{([\d,]*)\}")
_KERNEL_AXES = re.compile(r"\bdim_labels=\w+_(\w+)->")
_CALLED = re.compile(r"\b(calls|to_apply|body|condition|true_computation|false_computation)=%([\w.-]+)")
_BRANCHES = re.compile(r"\bbranch_computations=\{([^}]*)\}")
_TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"')
_LIBRARY_PRODUCT = re.compile(r'custom_call_target="[^"]*(matmul|gemm|dot|conv|dnn)', re.IGNORECASE)


class _Body(NamedTuple):
    """One computation of the program: the flops of its own products, and how often it runs each other computation."""

    flops: list[float]
    called: list[tuple[str, float]]


def most_product_flops(program: str) -> float:
    """Return the most flops that the program's products may take; infinity if its text does not show them."""
    bodies, entry = _bodies(program)

    def total(name: str) -> float:
        inner = ((total(called), times) for called, times in bodies[name].called)
        return sum(bodies[name].flops) + sum(flops * times for flops, times in inner if flops)

    return total(entry) if entry else math.inf


def _bodies(program: str) -> tuple[dict[str, _Body], str]:
    bodies: dict[str, _Body] = defaultdict(lambda: _Body([], []))
    entry, body, shapes = "", _Body([], []), dict[str, list[int]]()
    for line in program.splitlines():
        if start := _COMPUTATION.match(line):
            body, shapes, entry = bodies[start[2]], {}, start[2] if start[1] else entry
        elif match := INSTRUCTION.match(line):
            name, shape, operation, rest = match.groups()
            shapes[name] = _dimensions(shape)
            body.flops.append(_flops(operation, shapes[name], rest, shapes))
            trips = _TRIPS.search(rest)
            times = 1.0 if operation != "while" else float(trips[1]) if trips else math.inf
            body.called.extend((called, times) for _, called in _CALLED.findall(rest))
            if branches := _BRANCHES.search(rest):
                body.called.extend((branch, 1.0) for branch in OPERAND.findall(branches[1]))
    return bodies, entry


def _flops(operation: str, result: list[int], rest: str, shapes: dict[str, list[int]]) -> float:
    if operation == "custom-call":
        return math.inf if _LIBRARY_PRODUCT.search(rest) else 0.0
    if operation not in ("dot", "convolution"):
        return 0.0
    operands = OPERAND.findall(rest.partition(")")[0])
    axes = _CONTRACTED.search(rest) if operation == "dot" else _KERNEL_AXES.search(rest)
    if axes is None or len(operands) < 2 or not {*operands[:2]} <= shapes.keys():
        return math.inf
    if operation == "dot":
        pairs = math.prod(shapes[operands[0]][int(axis)] for axis in axes[1].split(",") if axis)
    else:  # Each result is a sum over the kernel's values, without its axis of outputs.
        sizes = shapes[operands[1]]
        pairs = math.prod(size for axis, size in zip(axes[1], sizes) if axis != "o")
    return 2.0 * math.prod(result) * pairs


def _dimensions(shape: str) -> list[int]:
    match = _SHAPE.search(shape)
    return [int(each) for each in match[1].split(",") if each] if match else []
