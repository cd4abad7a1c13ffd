"""What an exercise is: one frozen value that a card shows, a check judges by, and a grader trusts.

The slow loop in it is both the specification and the oracle. What an author can write wrong is told when the task is
made. Nothing here runs, judges or shows anything, and nothing here imports a framework.
"""

from __future__ import annotations

import inspect
import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from course_utils.core.errors import USER_CODE_ERRORS, summarize_error
from course_utils.core.wording import pluralize
from course_utils.limits.cost import Cost
from course_utils.tasks.budget import Budget
from course_utils.tasks.errors import TaskInvalid

Framework = Literal["torch", "tensorflow", "none"]
_FRAMEWORKS: tuple[str, ...] = get_args(Framework)

LEVELS = {1: "applies the lesson", 2: "transfers the lesson", 3: "a challenge"}

Generator = Any
"""A ``numpy.random.Generator``: the one kind of generator for every framework, so that a seed means the same everywhere."""

SLOW_LOOP, ANSWER = "slow loop", "your answer"
RESERVED = (SLOW_LOOP, ANSWER)
"""Names that no way of a lesson may have: the card places it beside these two."""

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
        points: what a right answer earns, 0 for practice within a lesson.
        level: 1 applies what the lesson showed, 2 transfers it to a case that the lesson does not print, 3 is a
            challenge without an end: as near to the limit as you can.
        slow: the slow loop, with the learner's signature; its source is shown, so it is plain code with a docstring.
        inputs: ``inputs(size, generator) -> inputs``, fresh and random; tensors on the CPU. ``generator`` is NumPy's.
        framework: whose tensors the task handles, "none" for plain Python.
        edge_cases: what ``sizes`` would miss: empty, one element, non-contiguous, float64, extreme values …
        sizes: sizes of the random inputs that must come out right, small ones first, so that a message shows little.
        count_sizes: two sizes at which operations are counted; one limit holds at both.
        race_size: where the answer races the slow loop: the fast answer should need 50 µs or more, the slow loop less
            than 0.3 s.
        story: Markdown, what the function is to do and why somebody wants it.
        rules: Markdown, what counts, in words; the card's "What counts".
        tolerance: relative error allowed for float32 (other dtypes in proportion to their precision); None lets it
            follow from the dtype and from the rounding that the slow loop itself shows. 0 wants equality.
        limits: what one call may do at most, ``at_most(20, "ops")``, in the order in which a verdict names them; nothing
            is counted where there are none. A task in which Python may wait for no value says ``at_most(0, "syncs")``.
        gradients: whether the floating tensors among the inputs must receive the slow loop's gradients; a ``Case`` where they
            are to be compared on that one, in place of a random input.
        writes: names of arguments that the function is to write into. What stands in them afterwards is the result, of the
            slow loop, an answer and a mistake alike; what these return is not looked at. Of a module its tensors count.
        detached: whether a result is wrong that keeps the graph by which its gradient could be computed.
        returns: whether, beside what it ``writes``, what the function returns counts as well.
        may_alias: whether the result may share memory with an input (a view, or the input itself).
        target: the least speed-up over the slow loop at ``race_size``; at most a fifth of what the reference reaches.
            None where nothing is raced.
        cost: ``cost(size) -> Cost``, the least that any answer must do at ``size``: the card says what share of the
            machine's limit a right answer reaches at ``race_size``. A challenge has one: it is what its learner aims at.
        ways: name → function with the learner's signature: the lesson's own ways, named as in its races; the card
            places a right answer beside them and the slow loop.
        hints: sentences from a nudge to nearly the answer.
        mistakes: usual mistakes with names.
        sources: claims that the task deals with, such as ``"S0.6"``, all of them among those of its lesson.
        timeout_s: seconds that all calls of a check, the race aside, may take together before they are stopped.
        same: ``same(given, expected, inputs) -> None | str``: for results that one comparison by tolerance cannot
            judge. None when right, else the sentence that the learner reads. ``inputs`` are those that the answer was
            called with, so that a pretended device can tell what was done to it; ``expected`` is the slow loop's result
            on inputs of its own (deep copies).
        raises: ``(Case, exception type)`` pairs: inputs that must be refused with that error and a message of its own.

    Raises:
        TaskInvalid: when a value cannot be; the message names the task, the value and the remedy.
    """

    id: str
    title: str
    points: int
    level: int
    slow: Callable[..., Any]
    inputs: Callable[[int, Generator], Inputs]
    edge_cases: tuple[Case, ...] = ()
    framework: Framework = "torch"
    sizes: tuple[int, ...] = (1, 2, 3, 5, 17)
    count_sizes: tuple[int, int] = (8, 64)
    race_size: int = 256
    story: str = ""
    rules: str = ""
    tolerance: float | None = None
    limits: tuple[Budget, ...] = ()
    gradients: bool | Case = False
    writes: tuple[str, ...] = ()
    detached: bool = False
    returns: bool = False
    may_alias: bool = False
    target: float | None = None
    cost: Callable[[int], Cost] | None = None
    ways: Mapping[str, Callable[..., Any]] = field(default_factory=dict, hash=False)
    hints: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    sources: tuple[str, ...] = ()
    timeout_s: float = 4.0
    same: Callable[[Any, Any, Inputs], str | None] | None = None
    raises: tuple[tuple[Case, type[Exception]], ...] = ()

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise TaskInvalid(f"The task {self.id!r} {fault}")

    def __repr__(self) -> str:
        return f"Task {self.id}: {self.title} ({pluralize(self.points, 'point')})"


def _faults(task: Task) -> Iterator[str]:
    """What an author can have written wrong, each as the end of a sentence that begins with the task's name."""
    if not (isinstance(task.id, str) and task.id.isidentifier() and not keyword.iskeyword(task.id)):
        yield "cannot be the name of a function; write an id such as 'tiled_add'."
    if type(task.points) is not int or task.points < 0:
        yield f"has points={task.points!r}; write a whole number, 0 or more."
    if type(task.level) is not int or task.level not in LEVELS:
        yield f"has level={task.level!r}; write 1 (applies the lesson), 2 (transfers it) or 3 (has no end)."
    if task.framework not in _FRAMEWORKS:
        yield f"has framework={task.framework!r}; write one of {', '.join(map(repr, _FRAMEWORKS))}."
    if task.target is not None and not (isinstance(task.target, (int, float)) and task.target >= 1):
        yield f"has target={task.target!r}; write a speed-up of 1 or more, or None where nothing is raced."
    yield from _faults_of_placing(task)
    yield from _faults_of_writing(task)
    if not _are_growing(task.count_sizes):
        yield f"has count_sizes={task.count_sizes!r}; write two sizes, the smaller one first, such as (8, 64)."
    if not (isinstance(task.hints, tuple) and all(isinstance(hint, str) and hint.strip() for hint in task.hints)):
        yield f"has hints={task.hints!r}; write a tuple of sentences, such as items('- A nudge.')."
    if not (isinstance(task.sources, tuple) and all(re.fullmatch(r"S[0-4]\.[1-9]", each) for each in task.sources)):
        yield f"has sources={task.sources!r}; write a tuple of claims, S<0-4>.<1-9>, such as ('S0.6',)."
    if not (isinstance(task.limits, tuple) and all(isinstance(limit, Budget) for limit in task.limits)):
        yield f"has limits={task.limits!r}; write a tuple of limits, such as (at_most(20, 'ops'),)."
    for kind, number in Counter(limit.kind for limit in task.limits).items():
        if number > 1:
            yield f"has {number} limits on {kind}; keep one."


def _faults_of_placing(task: Task) -> Iterator[str]:
    """What can be wrong with what an answer is placed by."""
    if task.target is None and (task.cost is not None or task.ways):
        yield "has a cost or ways, but target=None: where nothing is raced, nothing is placed; give it a target."
    if task.level == 3 and task.cost is None:
        yield "has level=3 and no cost; a challenge aims at a limit, so say what any answer must do, as a Cost."
    if task.cost is not None:
        try:
            made = repr(cost) if not isinstance(cost := task.cost(task.race_size), Cost) else ""
        except USER_CODE_ERRORS as error:
            made = summarize_error(error)
        if made:
            yield f"has a cost that gives {made} at size {task.race_size}; write cost=lambda size: Cost(reads=4 * size)."
    for name, way in task.ways.items() if isinstance(task.ways, Mapping) else [(task.ways, None)]:
        if not (isinstance(name, str) and name.strip() and callable(way)):
            yield f"has ways={task.ways!r}; write names and functions, such as {{'where': by_where}}."
        if name in RESERVED:
            yield f"has a way called {name!r}; that is what a card calls another one: name it after what it does."


def _faults_of_writing(task: Task) -> Iterator[str]:
    """What can be wrong with the names of the arguments that are written."""
    if task.writes == ():
        if task.returns:
            yield "has returns=True and writes nothing; what a function returns is then all that counts: leave it out."
        return
    known = list(inspect.signature(task.slow).parameters)
    if not (isinstance(task.writes, tuple) and set(task.writes) <= set(known)):
        yield f"has writes={task.writes!r}; write a tuple of names among the slow loop's arguments: {', '.join(known)}."
    if task.gradients:
        yield "has writes and gradients=True; no gradient flows through a buffer that is written: keep one of the two."


def _are_growing(sizes: object) -> bool:
    return (
        isinstance(sizes, tuple)
        and len(sizes) == 2
        and all(type(size) is int for size in sizes)
        and sizes[0] < sizes[1]
    )
