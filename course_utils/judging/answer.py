"""The learner's function while it is judged: each call guarded, each way of going wrong told in a sentence."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from course_utils.core.wording import format_bytes
from course_utils.frameworks import runtime, tensor_trees
from course_utils.judging import describe
from course_utils.judging.judged_output import judged_function
from course_utils.judging.verdict import TaskFailed
from course_utils.sandbox.confine import ANSWER_MEMORY_BYTES, confine
from course_utils.sandbox.output import OutputCapture
from course_utils.sandbox.time_limits import TimeLimitReached, WorkTimer, cancel_graphs_after
from course_utils.tasks import Task

_LEAST_S = 0.2
_ENDLESS = "does it loop without end, or over very many values?"


class Answer:
    """Calls the learner's function for a task, in this process.

    Attributes:
        function: what the learner wrote.
        task: what it is an answer to.
    """

    def __init__(self, function: Callable[..., Any], task: Task) -> None:
        self.function = function
        self.task = task
        self._called = judged_function(task, function)
        self._prints: OutputCapture | None = None
        self._remarks: OutputCapture | None = None
        self._patience_s = task.timeout_s

    def __call__(
        self, inputs: tuple, case: str, caller: Callable[..., Any] | None = None, suspicion: str = _ENDLESS
    ) -> tuple[Any, tuple]:
        """Call the function with a copy of ``inputs``; returns its result, as ``result_of`` has it, and that copy, as the function left it.

        Args:
            inputs: a case's arguments; they stay as they are.
            case: what the learner is told about them, as in "For float64 values".
            caller: ``caller(function, *inputs)`` is called instead, where the function is to be called in a special way.
            suspicion: what the learner is told to look for where it does not come back in time.

        Raises:
            TaskFailed: when it takes other arguments, raises, does not come back in time, or takes too much memory.
        """
        self._check_arguments(inputs)
        used = tensor_trees.copy_inputs(inputs)
        try:
            return self.run(used, caller), used
        except TimeLimitReached:
            raise TaskFailed(
                f"For {case}, {self.task.id} was stopped before it returned: a check gives it {self.task.timeout_s:g} s; "
                f"{suspicion}"
            ) from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a learner's function may raise anything, SystemExit too; it is all told
            raise TaskFailed(self._told(error, inputs, case)) from None

    @property
    def printed(self) -> str:
        """What the function printed in its first call, the beginning of it."""
        return self._prints.text if self._prints else ""

    @property
    def warnings_text(self) -> str:
        """The warnings of its first call, the frameworks' among them, and what it wrote to stderr."""
        return self._remarks.text if self._remarks else ""

    def run(self, inputs: tuple, caller: Callable[..., Any] | None = None) -> Any:
        """The guarded call; whatever the function raises passes."""
        prints, remarks = OutputCapture(), OutputCapture()
        self._prints, self._remarks = self._prints or prints, self._remarks or remarks
        effort = WorkTimer()
        try:
            seconds = max(self._patience_s, _LEAST_S)
            with confine(seconds, prints, remarks):
                if caller is None:
                    with cancel_graphs_after(seconds):
                        result = self._called(*inputs)
                else:
                    result = caller(self._called, *inputs)
        finally:
            self._patience_s -= effort.seconds
        if inspect.iscoroutine(result):
            result.close()  # or Python complains on the page that nobody awaited it
        return result

    def _check_arguments(self, inputs: tuple) -> None:
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError):  # a built-in without a signature: the call itself will tell
            return
        try:
            signature.bind(*inputs)
        except TypeError:
            wanted = inspect.signature(self.task.slow)
            raise TaskFailed(
                f"{self.task.id}{signature} cannot be called as {self.task.id}{wanted}; give it these arguments, in this order."
            ) from None

    def _told(self, error: BaseException, inputs: tuple, case: str) -> str:
        # With words it is torch's own, about a device that cannot do what was asked.
        if isinstance(error, NotImplementedError) and not str(error):
            return f"{self.task.id} is not written yet: put your code in the place of `raise NotImplementedError()`."
        shown = describe.describe_inputs(self.task.slow, inputs)
        if isinstance(error, MemoryError) or runtime.is_out_of_memory(error):
            return (
                f"For {case}, {self.task.id} asked for more memory than an exercise may take "
                f"({format_bytes(ANSWER_MEMORY_BYTES)}, or most of what is free); which of its tensors is so large?\n{shown}"
            )
        return f"For {case}, {describe.describe_error(error, self.function)}\n{shown}".rstrip()
