"""``Task``: the specification of one exercise, which the card shows and by which the check judges.

The slow loop in it is both the specification and the oracle. A mistake of its author raises ``TaskInvalid`` as soon as
the task is created. Nothing here runs or judges an answer, and nothing here imports a framework.
"""

from __future__ import annotations

import inspect
import keyword
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, get_args

from course_utils.core.errors import USER_CODE_ERRORS, summarize_error
from course_utils.core.wording import pluralize
from course_utils.limits.cost import Cost
from course_utils.tasks.call_limit import CallLimit
from course_utils.tasks.loading_errors import TaskInvalid

Framework = Literal["torch", "tensorflow", "none"]
_FRAMEWORKS: tuple[str, ...] = get_args(Framework)

LEVELS = {1: "applies the lesson", 2: "transfers the lesson", 3: "a challenge"}

Generator = Any
"""A ``numpy.random.Generator``: every framework draws from the same kind, so that a seed means the same everywhere."""

SLOW_LOOP, ANSWER = "slow loop", "your answer"
RESERVED = (SLOW_LOOP, ANSWER)
"""Names that no version in ``Task.ways`` may have: the card uses them."""

Inputs = tuple[Any, ...]
"""Positional arguments: tensors, numbers, callables, modules, or lists, tuples, dicts of them."""


@dataclass(frozen=True)
class Case:
    """An input that the random sizes would miss.

    Attributes:
        name: reads after "For …": ``"an empty tensor"``.
        make: ``make(generator) -> inputs`` builds a new input for each check.
        differentiable: False if the slow loop has no gradient there (a tie, a kink), or the task's card leaves it open.
    """

    name: str
    make: Callable[[Generator], Inputs]
    differentiable: bool = True


@dataclass(frozen=True)
class Mistake:
    """A common mistake, recognized by its result.

    If the learner's result equals ``wrong(*inputs)``, and ``wrong`` differs from the slow loop there, the message ends
    with ``name``, a whole sentence: ``"This sum leaves out the current row."``
    """

    name: str
    wrong: Callable[..., Any]


@dataclass(frozen=True, repr=False)
class Task:
    """One exercise.

    Attributes:
        id: the name of the function that the learner writes.
        title: a few words for the card's head.
        points: what a right answer earns; 0 for practice within a lesson.
        level: 1 applies the lesson, 2 transfers it to a case that it does not print, 3 is a challenge: close to the limit.
        slow: the slow loop, with the learner's signature. The card shows its source: plain code with a docstring.
        inputs: ``inputs(size, generator) -> inputs``, new random tensors on the CPU; ``generator`` is NumPy's.
        framework: "torch", "tensorflow", or "none" for plain Python.
        edge_cases: what random inputs would miss: empty, one element, ties, extreme values …
        worst: inputs on which an answer that is right for most inputs fails: the longest chain of steps, ties everywhere,
            values that hardly differ in their dtype, everything masked; or a sentence that says why there are none.
        reference: a fast function with the same results, for a slow loop that takes longer than 0.3 s at sizes above
            ``sizes``. It replaces the slow loop there and in cases of more than 4,096 values, in plain Python of an integer above
            4,096, except in the race.
        dtypes: arguments that share a dtype, such as ``"x, y"`` → dtypes that the card also allows.
        contiguous: names of arguments without gaps in memory, as the card says.
        bounded: names of arguments whose values the card limits; ``judging/derived_inputs.py`` leaves them as they are.
        sizes: sizes of the random inputs whose results are compared, small ones first for short messages. A check
            adds others, and other strides: see ``judging/drawn_inputs.py``.
        count_sizes: two sizes at which one call's work is counted. Results are compared there, too.
        race_size: the size of the race; there, fast answers should take 50 µs or more, the slow loop less than 0.3 s.
        story: Markdown: what the function does and who needs it.
        rules: Markdown, a list: what counts. The card adds the limits and the race's target by itself.
        tolerance: relative error allowed in float32, in proportion for other dtypes; 0 requires equality. None derives
            it from the dtype and the slow loop's own rounding.
        of_each_value: whether ``tolerance`` is relative to each value instead of to the value plus the largest one.
        limits: what one call may do at most, ``at_most(20, "ops")``, in the order in which a verdict names them; without
            limits nothing is counted.
        gradients: whether the floating tensors among the inputs must receive the slow loop's gradients, in each case
            that is differentiable. Memory and operations are then counted on inputs that need gradients.
        writes: names of arguments that the function writes into. Their contents afterward are the result of the slow
            loop, of an answer and of a mistake; return values are ignored. For a module, its tensors count.
        detached: whether a result that keeps the graph of its gradient is wrong.
        returns: whether the return value counts as well as what the function ``writes``.
        may_alias: whether the result may share memory with an input (a view, or the input itself).
        target: the required speed-up over the slow loop at ``race_size``, at most a fifth of what the reference
            reaches; None if nothing is raced.
        cost: ``cost(size) -> Cost``, the least work of any answer at ``size``, from which the card computes the share
            of the machine's limit. A challenge needs one, unless it limits the bytes of a kernel.
        ways: name → function: the lesson's own versions, named as in its races; the card shows a right answer next to them.
        hints: sentences, from a nudge to nearly the answer.
        mistakes: common mistakes with names.
        sources: claims that the task deals with, such as ``"S0.6"``; each is also a source of the task's lesson.
        timeout_s: seconds that all calls of a check except the race may take together. Right answers take up to 3; a busy
            machine takes up to four times as many for the same work.
        same: ``same(given, expected, inputs) -> None | str`` compares results that a tolerance cannot judge: None for a right
            one, else the sentence for the learner. ``inputs`` are the answer's; the slow loop's were a copy of them.
        run: ``run(function, *inputs)`` calls an answer in a special way; the slow loop is called as it is.
        two_workers: whether ``run`` also calls the answer in a second thread, at the same time.
        starts_processes: whether an answer starts processes.
        raises: ``(Case, exception type)`` pairs: inputs that the answer must refuse with that error and a message.

    Raises:
        TaskInvalid: if a value cannot be right; the message names the task, the value and the remedy.
    """

    id: str
    title: str
    points: int
    level: int
    slow: Callable[..., Any]
    inputs: Callable[[int, Generator], Inputs]
    edge_cases: tuple[Case, ...] = ()
    worst: tuple[Case, ...] | str = ()
    reference: Callable[..., Any] | None = None
    framework: Framework = "torch"
    dtypes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    contiguous: tuple[str, ...] = ()
    bounded: tuple[str, ...] = ()
    sizes: tuple[int, ...] = (1, 2, 3, 5, 17)
    count_sizes: tuple[int, int] = (8, 64)
    race_size: int = 256
    story: str = ""
    rules: str = ""
    tolerance: float | None = None
    of_each_value: bool = False
    limits: tuple[CallLimit, ...] = ()
    gradients: bool = False
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
    timeout_s: float = 12.0
    same: Callable[[Any, Any, Inputs], str | None] | None = None
    run: Callable[..., Any] | None = None
    two_workers: bool = False
    starts_processes: bool = False
    raises: tuple[tuple[Case, type[Exception]], ...] = ()

    def __post_init__(self) -> None:
        for fault in chain(_faults(self), _faults_of_race(self), _faults_of_writes(self)):
            raise TaskInvalid(f"The task {self.id!r} {fault}")

    def __repr__(self) -> str:
        return f"Task {self.id}: {self.title} ({pluralize(self.points, 'point')})"

    @property
    def runs_kernels(self) -> bool:
        """Return whether answers run Triton kernels, which are counted instead of timed."""
        return any(limit.kind == "kernel bytes" for limit in self.limits)

    @property
    def worst_cases(self) -> tuple[Case, ...]:
        """Return the cases in ``worst``; none if ``worst`` is a sentence."""
        return () if isinstance(self.worst, str) else self.worst


def _faults(task: Task) -> Iterator[str]:
    """Yield the author's mistakes, each as the end of a sentence."""
    if not (isinstance(task.id, str) and task.id.isidentifier() and not keyword.iskeyword(task.id)):
        yield "cannot be the name of a function; write an id such as 'tiled_add'."
    if type(task.points) is not int or task.points < 0:
        yield f"has points={task.points!r}; write an integer, 0 or more."
    if type(task.level) is not int or task.level not in LEVELS:
        yield f"has level={task.level!r}; write 1 (applies the lesson), 2 (transfers it) or 3 (a challenge)."
    named = {*", ".join(task.dtypes).split(", "), *task.bounded} - {""}
    if named and not named <= {*inspect.signature(task.slow).parameters}:
        yield f"names {sorted(named)} in dtypes or bounded; write names of the slow loop's arguments, such as 'x, y'."
    if task.framework not in _FRAMEWORKS:
        yield f"has framework={task.framework!r}; write one of {', '.join(map(repr, _FRAMEWORKS))}."
    if not (isinstance(sizes := task.count_sizes, tuple) and len(sizes) == 2 and sizes[0] < sizes[1]):
        yield f"has count_sizes={task.count_sizes!r}; write two sizes, the smaller one first, such as (8, 64)."
    if not (isinstance(task.worst, str) or _all_are(Case, task.worst)):
        yield f"has worst={task.worst!r}; write a tuple of cases, or a sentence why there is none."
    if not (_all_are(str, task.hints) and all(map(str.strip, task.hints))):
        yield f"has hints={task.hints!r}; write a tuple of sentences, such as items('- A nudge.')."
    if not (_all_are(str, task.sources) and all(re.fullmatch(r"S[0-4]\.[1-9]", each) for each in task.sources)):
        yield f"has sources={task.sources!r}; write a tuple of claims, S<0-4>.<1-9>, such as ('S0.6',)."
    if not _all_are(CallLimit, task.limits):
        yield f"has limits={task.limits!r}; write a tuple of limits, such as (at_most(20, 'ops'),)."
    for kind, number in Counter(limit.kind for limit in task.limits).items():
        if number > 1:
            yield f"has {number} limits on {kind}; keep one."


def _faults_of_race(task: Task) -> Iterator[str]:
    if task.target is not None and not (isinstance(task.target, (int, float)) and task.target >= 1):
        yield f"has target={task.target!r}; write a speed-up of 1 or more, or None if nothing is raced."
    if task.target is None and (task.cost is not None or task.ways):
        yield "has a cost or ways, but target=None: without a race the card shows neither; give the task a target."
    if task.level == 3 and task.cost is None and not task.runs_kernels:
        yield "has level=3 and no cost; a challenge aims at a limit: write what any answer must do, as a Cost."
    if task.cost is not None:
        try:
            result = repr(cost) if not isinstance(cost := task.cost(task.race_size), Cost) else ""
        except USER_CODE_ERRORS as error:
            result = summarize_error(error)
        if result:
            yield f"has a cost that gives {result} at size {task.race_size}; write cost=lambda size: Cost(reads=4 * size)."
    for name, version in task.ways.items() if isinstance(task.ways, Mapping) else [(task.ways, None)]:
        if not (isinstance(name, str) and name.strip() and callable(version)):
            yield f"has ways={task.ways!r}; write names and functions, such as {{'where': by_where}}."
        if name in RESERVED:
            yield f"has a version in ways with the name {name!r}, which the card uses; name the version after what it does."


def _faults_of_writes(task: Task) -> Iterator[str]:
    if task.writes == ():
        if task.returns:
            yield "has returns=True and writes nothing; without writes only the return value counts: leave it out."
        return
    known = list(inspect.signature(task.slow).parameters)
    if not (isinstance(task.writes, tuple) and set(task.writes) <= set(known)):
        yield f"has writes={task.writes!r}; write a tuple of names among the slow loop's arguments: {', '.join(known)}."
    if task.gradients:
        yield "has writes and gradients=True; no gradient flows through an overwritten buffer: keep one of the two."


def _all_are(kind: type, values: object) -> bool:
    return isinstance(values, tuple) and all(isinstance(each, kind) for each in values)
