"""What an exercise is: one frozen value that a card shows, a check judges by, and a grader trusts.

The slow loop in it is both the specification and the oracle. Nothing here runs, judges or shows anything, and nothing
here imports a framework.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from course_utils.ground.wording import counted

Generator = Any
"""A ``numpy.random.Generator``: the one kind of generator for every framework, so that a seed means the same everywhere."""

Inputs = tuple[Any, ...]
"""Positional arguments of the learner's function: tensors, numbers, callables, modules, or lists, tuples, dicts of them."""


@dataclass(frozen=True)
class Case:
    """An input that the usual sizes would miss: ``name`` reads after "For …" (``"an empty tensor"``).

    ``make(generator) -> inputs`` builds it afresh at each check.
    """

    name: str
    make: Callable[[Generator], Inputs]


@dataclass(frozen=True)
class Mistake:
    """A mistake that people make in this task, told by what it returns.

    When the learner's result equals ``wrong(*inputs)`` and ``wrong`` differs from the slow loop there, the message ends
    with ``name``, which is a whole sentence (``"This is the sum up to, but without, the current row."``).
    """

    name: str
    wrong: Callable[..., Any]


@dataclass(frozen=True, repr=False)
class Task:
    """One exercise.

    Attributes:
        id: the name of the function that the learner writes.
        title: a few words for the card's head.
        points: what a right answer earns.
        slow: the slow loop, with the learner's signature; its source is shown, so it is plain code with a docstring.
        inputs: ``inputs(size, generator) -> inputs``, fresh and random; tensors on the CPU. ``generator`` is NumPy's.
        framework: whose tensors the task handles, "none" for plain Python.
        edge_cases: what ``sizes`` would miss: empty, one element, non-contiguous, float64, extreme values …
        sizes: sizes of the random inputs that must come out right, small ones first, so that a message shows little.
        count_sizes: two sizes at which operations are counted; one limit holds at both.
        race_size: where the answer races the slow loop: the fast answer should need 50 µs or more, the slow loop less
            than 0.3 s.
        story: Markdown, what the function is to do and why somebody wants it.
        counts: Markdown, what counts, in words.
        tolerance: relative error allowed for float32 (other dtypes in proportion to their precision); None lets it
            follow from the dtype and from the rounding that the slow loop itself shows. 0 wants equality.
        max_ops: tensor operations that one call may run; for TensorFlow also those in a graph and in its loops.
        max_launches: tensor operations, or whole graphs, that one call may start from Python.
        max_bytes: bytes that one call may allocate: a number, or a function of the inputs that gives one.
        max_syncs: times that one call may wait for a value to come to Python (``.item()``, ``.tolist()``,
            ``.numpy()``, ``if tensor:``); held where the task is counted at all, None allows any number. Whole tensors
            may come to Python only where the result is no tensor.
        max_transfers: times that one call may ask for a tensor on a device (``.to(device)``, ``.cuda()``), those counted
            that are there already.
        max_traces: times that ``tf.function`` or a compiler may trace over four calls with fresh inputs of one shape.
        gradients: whether the floating tensors among the inputs must receive the slow loop's gradients.
        may_alias: whether the result may share memory with an input (a view, or the input itself).
        target: the least speed-up over the slow loop at ``race_size``; at most a fifth of what the reference reaches.
            None where nothing is raced.
        hints: sentences from a nudge to nearly the answer.
        mistakes: usual mistakes with names.
        sources: claims that the task deals with, such as ``"S0.6"``.
        lesson: the lesson's file name without suffix, ``"03_element_loops"``.
        timeout_s: seconds that all calls of a check, the race aside, may take together before they are stopped.
        same: ``same(given, expected, inputs) -> None | str``: for results that one comparison by tolerance cannot
            judge. None when right, else the sentence that the learner reads. ``inputs`` are those that the answer was
            called with, so that a pretended device can tell what was done to it; ``expected`` is the slow loop's result
            on inputs of its own (deep copies).
        raises: ``(Case, exception type)`` pairs: inputs that must be refused with that error and a message of its own.
    """

    id: str
    title: str
    points: int
    slow: Callable[..., Any]
    inputs: Callable[[int, Generator], Inputs]
    edge_cases: tuple[Case, ...] = ()
    framework: Literal["torch", "tensorflow", "none"] = "torch"
    sizes: tuple[int, ...] = (1, 2, 3, 5, 17)
    count_sizes: tuple[int, int] = (8, 64)
    race_size: int = 256
    story: str = ""
    counts: str = ""
    tolerance: float | None = None
    max_ops: int | None = None
    max_launches: int | None = None
    max_bytes: int | Callable[..., int] | None = None
    max_syncs: int | None = 0
    max_transfers: int | None = None
    max_traces: int | None = None
    gradients: bool = False
    may_alias: bool = False
    target: float | None = None
    hints: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    sources: tuple[str, ...] = ()
    lesson: str = ""
    timeout_s: float = 4.0
    same: Callable[[Any, Any, Inputs], str | None] | None = None
    raises: tuple[tuple[Case, type[Exception]], ...] = ()

    @property
    def counted(self) -> bool:
        """Whether anything is counted in this task."""
        limits = (self.max_ops, self.max_launches, self.max_bytes, self.max_transfers, self.max_traces)
        return any(limit is not None for limit in limits)

    def __repr__(self) -> str:
        return f"Task {self.id}: {self.title} ({counted(self.points, 'point')})"
