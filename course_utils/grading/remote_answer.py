"""``RemoteAnswer``: an ``Answer`` whose function runs in a child. The check treats it like a local one.

A call by value sends the inputs, and receives the result and the inputs as the function left them. If the check watches
operations, the tensors stay here instead: the child asks for each operation, and this process runs and counts it.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

from course_utils import frameworks
from course_utils.grading import framework_codecs
from course_utils.grading.calls_by_value import CallsByValue
from course_utils.grading.calls_measured_in_child import call_before, measure
from course_utils.grading.calls_sent_ahead import CallsSentAhead
from course_utils.grading.child_handle import Child, ChildOutOfTime, ChildStopped
from course_utils.grading.codec_primitives import Uncountable, ValueInvalid
from course_utils.grading.fake_device_calls import FakeDeviceCalls
from course_utils.grading.race_remote_answer import race
from course_utils.grading.remote_function import RemoteFunction, remote_error
from course_utils.grading.shared_race_data import SharedRaceData
from course_utils.judging import measured_calls
from course_utils.judging.answer import Answer
from course_utils.judging.return_or_written_arguments import judged_function
from course_utils.judging.verdict import AnswerEnded
from course_utils.sandbox.confine_in_process import confine
from course_utils.sandbox.time_limits import TimeLimitReached
from course_utils.tasks import Task
from course_utils.timing.first_call import COMPILE_LIMIT_S

_LEAST_S = 0.2
_OPERATIONS_S = 20.0  # Each operation that this process runs for a child takes a round trip.
_COUNTED_HERE = (
    measured_calls.count_call,
    *measured_calls.COUNT_BEGINNING.values(),
    measured_calls.measure_memory,
    measured_calls.find_writes,
)


class RemoteAnswer(Answer):
    """An answer in a child. The calls of a second worker, which ``task.run`` makes in another thread, go to a second child.

    Args:
        task: the task that it answers.
        start: starts a child that has run the answer's cells; returns it with its description of the function.
        echo: the child whose round trips the race subtracts.
        race_data: what the races of all answers to the task share.

    Attributes:
        is_defined: whether the cells define the function.
        counted_in: "child" as soon as something was counted in the answer's own process.
        stop_message: why the child was ended; None if it was not.
    """

    is_here = False

    def __init__(
        self, task: Task, start: Callable[[], tuple[Child, Any]], echo: Callable[[], Child], race_data: SharedRaceData
    ) -> None:
        self._start, self.echo, self.race_data = start, echo, race_data
        child, description = start()
        self._children, self._thread = [child], 0
        self._by_value = [CallsByValue(child, task.framework)]
        self.is_defined = isinstance(description, dict)
        super().__init__(RemoteFunction(self._call, description, lambda: self.child.computing()), task)
        self.counted_in = "parent"
        self.stop_message: str | None = None
        self.race = race
        self._measured: CallsByValue | None = None
        self._is_as_written = self._has_compiled = self._is_announced = False
        self._stays_here: bool | None = None
        self._calls_ahead = CallsSentAhead([])
        self._fake_device_calls = FakeDeviceCalls([])
        self._can_count_here = not frameworks.by_name(task.framework).places_automatically
        self._compiles = self.is_defined and bool(description.get("compiles"))

    @property
    def child(self) -> Child:
        """Return the child of the first worker, and of an answer without workers."""
        return self._by_value[0].child

    def close(self) -> None:
        """End every child."""
        for child in self._children:
            child.close()

    def announce(self, calls: list[tuple]) -> None:
        if not frameworks.by_name(self.task.framework).places_automatically and self.task.run is None:
            self._calls_ahead = CallsSentAhead(calls)
            self._send_calls_ahead()

    def announce_fake_device_calls(self, calls: list[tuple]) -> None:
        if self.task.run is None:
            self._fake_device_calls = FakeDeviceCalls(calls)

    def repeats_fake_device_call(self, inputs: tuple) -> bool:
        self.child.allow(self._operations_s)
        try:
            return self._fake_device_calls.receive(self.child, inputs)
        except (ChildStopped, RecursionError):  # The call itself will raise the error.
            return False

    def copy_of(self, inputs: tuple) -> tuple:
        return self._calls_ahead.take(inputs) or super().copy_of(inputs)

    @contextmanager
    def as_written(self) -> Iterator[None]:
        with super().as_written():
            self._is_as_written = True
            try:
                yield
            finally:
                self._is_as_written = False

    def may_compile(self) -> bool:
        return self._compiles

    def call_first(self, inputs: tuple) -> None:
        self.run(inputs, seconds=COMPILE_LIMIT_S + self.task.timeout_s)
        self._has_compiled = True

    def run(
        self, inputs: tuple, caller: Callable[..., Any] | None = None, at_most_s: float = math.inf, seconds: float = 0.0
    ) -> Any:
        own, self.changed_settings = not seconds, {}
        seconds = seconds or min(at_most_s, max(self._remaining_s, _LEAST_S))
        try:
            if self.task.two_workers and len(self._by_value) == 1:
                self._by_value.append(self._new_child())
            for each in self._by_value:
                each.begin(seconds)
            self._thread = threading.get_ident()
            self._is_announced = self._calls_ahead.is_next(inputs)
            if self._is_announced:
                self._calls_ahead.finish()
            elif self._calls_ahead.are_sent:  # a result was wrong, and another call follows
                self._start_again()
            if caller in measured_calls.FACTS:
                return self._measure(caller, inputs)
            result = self._judged(*inputs) if caller is None else caller(self._judged, *inputs)
            self.changed_settings = {
                name: value for each in self._by_value for name, value in each.changed_settings.items()
            }
            if self._fake_device_calls.record is not None:  # The record belongs to a call that was not made.
                self._start_again()
            return result
        except ChildOutOfTime:
            self.stop_message = "its time was up"
            raise TimeLimitReached from None
        except (ChildStopped, ValueInvalid) as stopped:
            self.close()
            self.stop_message = f"The process of {self.task.id} ended: {stopped}. Does it call exit(), or take more memory than an exercise may?"
            raise AnswerEnded(self.stop_message) from None
        finally:
            if own and self._stays_here is None and at_most_s == math.inf:
                self._remaining_s -= max(each.child.seconds for each in self._by_value)
                self._waited_s += max(each.child.waited_s for each in self._by_value)
            self._stays_here = None

    def _new_child(self) -> CallsByValue:
        """Return the calls of a new child."""
        child, _ = self._start()
        self._children.append(child)
        return CallsByValue(child, self.task.framework)

    def _call(self, *inputs: Any) -> Any:
        """Return the function's result. The call is by value, unless this process watches operations."""
        is_second = threading.get_ident() != self._thread
        if not is_second and framework_codecs.watches_operations(self.task.framework, self._stays_here is True):
            return self._call_here(inputs)
        is_sent, self._is_announced = self._is_announced, False
        result = self._by_value[is_second].call(inputs, self._is_as_written, is_sent)
        self._send_calls_ahead()
        return framework_codecs.with_gradients(self.task.framework, result, inputs, self._backward)

    def _send_calls_ahead(self) -> None:
        """Send the next announced calls; the child computes one while this process compares another."""
        with suppress(ChildStopped):  # The call itself will raise the error.
            while (used := self._calls_ahead.next_to_send()) is not None:
                self._by_value[0].send_ahead(used, self._is_as_written)

    def _start_again(self) -> None:
        """Continue in another child, because the present one still computes calls whose results are not needed."""
        self.child.close()
        self._by_value[0] = self._new_child()
        self._calls_ahead, self._fake_device_calls = CallsSentAhead([]), FakeDeviceCalls([])
        self.child.allow(max(self._remaining_s, _LEAST_S))

    def _call_here(self, inputs: tuple) -> Any:
        """Return the result of a call whose tensors stay in this process."""
        self.child.allow(self._operations_s)
        is_confined, self._stays_here = self._stays_here, True
        record = self._fake_device_calls.take_record()
        try:
            with nullcontext() if is_confined else confine(self._operations_s):
                return framework_codecs.call_here(self.child, inputs, remote_error, record)
        except ValueInvalid:
            if record is not None:  # no later message of this child can be assigned to a call
                self.child.close()
            raise

    @property
    def _operations_s(self) -> float:
        return max(_OPERATIONS_S, self.task.timeout_s)

    def _backward(self, results: list, gradients: list, inputs: list) -> list:
        return self._by_value[0].backward(results, gradients, inputs, self._is_as_written)

    def _measure(self, caller: Callable[..., Any], inputs: tuple) -> tuple[Any, Any]:
        if self._can_count_here and self._is_as_written and caller in _COUNTED_HERE:
            self._stays_here = True
            try:
                with confine(self._operations_s):  # outside of the measurement, because it saves settings
                    return caller(self._judged, *inputs)
            except Uncountable:
                self._can_count_here = False
        return self._measure_in_child(caller, inputs)

    def _measure_in_child(self, caller: Callable[..., Any], inputs: tuple) -> tuple[Any, Any]:
        """Return the result and the facts of a call that is counted in the answer's own process.

        A call as written runs in a second child: a graph that the first child has traced would not be traced again. Compiled
        code runs in the child that has compiled it.
        """
        self.counted_in = "child"
        calls = self._by_value[0]
        if not self._has_compiled or self._is_as_written:
            if self._measured is None:
                self._measured = self._new_child()
                if frameworks.by_name(self.task.framework).places_automatically:
                    call_before(self._measured.child, self._measured.codec, self.task, self._is_as_written)
            calls = self._measured
        result, facts = measure(calls.child, calls.codec, caller, inputs, self._is_as_written)
        return judged_function(self.task, lambda *_: result)(*inputs), facts
