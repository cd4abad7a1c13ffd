"""``Answer``: the learner's function while it is judged. Each call is confined, and each failure becomes a sentence."""

from __future__ import annotations

import inspect
import math
import random
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from typing import Any

import numpy as np

from course_utils import frameworks, tasks
from course_utils.core.wording import format_bytes
from course_utils.frameworks import across_frameworks, tensor_trees
from course_utils.judging import describe, measured_calls
from course_utils.judging.return_or_written_arguments import judged_function
from course_utils.judging.verdict import AnswerEnded, TaskFailed, WrongCall
from course_utils.sandbox.confine_in_process import ANSWER_MEMORY_BYTES, confine
from course_utils.sandbox.output import OutputCapture
from course_utils.sandbox.time_limits import TimeLimitReached, WorkTimer, cancel_graphs_after
from course_utils.tasks.task import Generator, Task
from course_utils.timing import Ratio
from course_utils.timing.first_call import COMPILE_LIMIT_S

_LEAST_S = 0.2  # Each call gets at least this many seconds, however few are left.
_BUSY = 0.5  # A message on the time names other programs if the calls waited for longer than this share of their work.
_ENDLESS = "does it loop without end, or over very many values?"
_MANY_PROGRAMS = "the interpreter runs one program after the other: does each of them work on a large block?"


class Answer:
    """Calls the learner's function for a task, in this process.

    Attributes:
        function: the learner's function.
        task: the task that it answers.
        is_here: whether the function runs in this process, where it can reach the check's own tools.
        race: ``race(task, target, answer, seconds)`` measures the ratio of the slow loop's time to the answer's, if the
            answer cannot be timed in this process; None otherwise.
        changed_settings: the settings that the last call changed: ``{"torch.is_grad_enabled()": False}``.
        seeds: gives each call a seed of its own for the global random generators.
    """

    is_here = True
    race: Callable[..., Ratio] | None = None

    def __init__(self, function: Callable[..., Any], task: Task) -> None:
        self.function = function
        self.task = task
        self.changed_settings: Mapping[str, Any] = {}
        self.seeds: Generator = np.random.default_rng(0)
        self._judged = judged_function(task, partial(task.run, function) if task.run else function)
        self._stdout: OutputCapture | None = None
        self._stderr: OutputCapture | None = None
        self._remaining_s, self._waited_s = task.timeout_s, 0.0
        self._accepted: set[int] = set()  # numbers of arguments that the function can be called with

    def __call__(
        self,
        inputs: tuple,
        case: str,
        caller: Callable[..., Any] | None = None,
        suspicion: str = "",
        at_most_s: float = math.inf,
    ) -> tuple[Any, tuple]:
        """Return the result on a copy of ``inputs``, as ``judged_function`` returns it, and the copy as the function
        left it.

        Args:
            inputs: a case's arguments, which do not change.
            case: how a message names them, as in "For float64 values".
            caller: ``caller(function, *inputs)`` is called instead, for a call in a special way.
            suspicion: what the learner should look for if the function does not return in time; "" for the usual cause.
            at_most_s: seconds after which this call is stopped, if that is earlier; the other calls then keep their time.

        Raises:
            TaskFailed: the function takes other arguments, raises, does not return in time, or takes too much memory.
        """
        self._check_arguments(inputs)
        used, before_s = self.copy_of(inputs), self._remaining_s
        try:
            return self.run(used, caller, at_most_s), used
        except TimeLimitReached:
            raise TaskFailed(self._too_long(case, before_s, suspicion)) from None
        except (KeyboardInterrupt, AnswerEnded):
            raise
        except BaseException as error:  # noqa: BLE001 - a learner's function may raise anything, SystemExit included
            raise self._failure(error, inputs, case, caller) from None

    def announce(self, calls: list[tuple]) -> None:
        """Announce the inputs of the next calls, in order, so that an answer in another process can begin."""

    def announce_fake_device_calls(self, calls: list[tuple]) -> None:
        """Announce calls whose tensors will be on a fake device; see ``announce``."""

    def repeats_fake_device_call(self, inputs: tuple) -> bool:
        """Return whether the next announced call repeats the operations of an earlier one, so that it need not be
        followed.
        """
        return False

    def copy_of(self, inputs: tuple) -> tuple:
        """Return the copy of ``inputs`` that a call gets."""
        return tensor_trees.copy_inputs(inputs)

    def as_written(self) -> AbstractContextManager[object]:
        """Return a context in which compiled functions run uncompiled: compiling takes seconds, and the race checks the
        compiled results.
        """
        stack = ExitStack()
        for framework in frameworks.loaded():
            stack.enter_context(framework.compiler.run_uncompiled())
        return stack

    def may_compile(self) -> bool:
        """Return whether a call may compile for seconds."""
        return any(framework.compiler.is_loaded() for framework in frameworks.loaded())

    def call_first(self, inputs: tuple) -> None:
        """Call the function to compile it for inputs like these; the time does not count for its other calls."""
        with confine(COMPILE_LIMIT_S + self.task.timeout_s):
            self.function(*inputs)

    @property
    def printed(self) -> str:
        """Return the beginning of what the function printed in its first call."""
        return self._stdout.text if self._stdout else ""

    @property
    def warnings_text(self) -> str:
        """Return the warnings of the first call, the frameworks' included, and what it wrote to stderr."""
        return self._stderr.text if self._stderr else ""

    def run(self, inputs: tuple, caller: Callable[..., Any] | None = None, at_most_s: float = math.inf) -> Any:
        """Return the confined call's result; whatever the function raises passes through."""
        stdout, stderr = OutputCapture(), OutputCapture()
        self._stdout, self._stderr = self._stdout or stdout, self._stderr or stderr
        timer, modules = WorkTimer(), len(sys.modules)
        # Each call of each check draws other random numbers, so that a result that depends on them is wrong in some call.
        seed = int(self.seeds.integers(2**31))
        random.seed(seed)
        across_frameworks.reseed(seed)
        try:
            seconds = min(at_most_s, max(self._remaining_s, _LEAST_S))
            # ``judge`` restores NumPy's generator once, after all calls.
            with confine(seconds, stdout, stderr, with_numpy=False) as changed:
                if caller is None:
                    with cancel_graphs_after(seconds):
                        result = self._judged(*inputs)
                else:
                    result = caller(self._judged, *inputs)
            self.changed_settings = changed
        finally:
            if at_most_s == math.inf:
                # The first call that needs a package also imports it, which takes seconds.
                if len(sys.modules) == modules:
                    self._remaining_s -= timer.seconds
                self._waited_s += timer.waited_s
        if inspect.iscoroutine(result):
            result.close()  # Otherwise, Python warns on the page that the coroutine was never awaited.
        return result

    def _check_arguments(self, inputs: tuple) -> None:
        if len(inputs) in self._accepted:
            return
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError):  # a built-in without a signature; the call itself will raise
            return
        try:
            signature.bind(*inputs)
        except TypeError:
            expected = inspect.signature(self.task.slow)
            raise TaskFailed(
                f"{self.task.id}{signature} cannot be called as {self.task.id}{expected}; write these arguments, in this order."
            ) from None
        self._accepted.add(len(inputs))

    def _too_long(self, case: str, before_s: float, suspicion: str) -> str:
        """Return the message about a call that was stopped; ``before_s``: the seconds that were left before it."""
        allowed_s = self.task.timeout_s
        worked_s = max(allowed_s, allowed_s - self._remaining_s)
        busy = (
            f" By the clock, the calls took {worked_s + self._waited_s:.0f} s: if other programs keep the machine busy, close "
            "them and run the check again before you change your code."
            if self._waited_s > _BUSY * worked_s
            else ""
        )
        allowed = f"was stopped: all calls of a check together may take {allowed_s:g} s"
        if 2 * before_s >= allowed_s:
            suspicion = suspicion or (_MANY_PROGRAMS if self.task.runs_kernels else _ENDLESS)
            return f"For {case}, {self.task.id} {allowed}; {suspicion}{busy}"
        return (
            f"{self.task.id} {allowed}, and the calls before {case} took {allowed_s - before_s:.1f} s of them; does each call "
            f"loop over its values?{busy}"
        )

    def _failure(self, error: BaseException, inputs: tuple, case: str, caller: Callable[..., Any] | None) -> TaskFailed:
        # The stub's error has no message; torch's error about an operation that a device lacks has one.
        if isinstance(error, NotImplementedError) and not str(error):
            return TaskFailed(_unwritten(self.task.id, traceback.extract_tb(error.__traceback__)[-1].name))
        shown = describe.describe_inputs(self.task.slow, inputs)
        if isinstance(error, MemoryError) or across_frameworks.is_out_of_memory(error):
            return TaskFailed(
                f"For {case}, {self.task.id} needs more memory than an exercise may take "
                f"({format_bytes(ANSWER_MEMORY_BYTES)}, or most of the free memory); which of its tensors is so large?\n{shown}"
            )
        # A call that traces graphs may also fail because of the compiler.
        kind = WrongCall if caller in (None, measured_calls.count_call) else TaskFailed
        return kind(f"For {case}, {describe.describe_error(error, self.function)}\n{shown}".rstrip())


def _unwritten(task_id: str, raised_by: str) -> str:
    """Return the message about a stub that was called: the answer itself, or another function that the answer needs."""
    if raised_by not in tasks.names() or raised_by == task_id:
        return f"{task_id} is not written yet: replace `raise NotImplementedError()` with your code."
    return (
        f"{task_id} calls {raised_by}, which still raises NotImplementedError: write {raised_by} first, or run "
        f'`{raised_by} = task("{raised_by}").reference`, the course\'s version.'
    )
