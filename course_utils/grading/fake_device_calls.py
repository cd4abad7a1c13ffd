"""``FakeDeviceCalls``: calls on a fake device, whose small inputs the child gets in advance, with their values.

The child runs a few of these calls while this process follows the tensors of earlier ones. A call with the operations of an
earlier one need not be followed again: the device of a tensor depends on operations and dimensions, and not on numbers. The
order of writes to one position, and of equal values, matters only if the numbers repeat, so such a call is always followed.
"""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import suppress
from typing import Any, final

from course_utils.frameworks import devices, tensor_trees
from course_utils.grading import framework_codecs
from course_utils.grading.calls_sent_ahead import is_small
from course_utils.grading.channel import Json
from course_utils.grading.child_handle import Child, ChildStopped

_MOST = 3
_ENDS = ("done", "raised")
# squeeze drops the dimensions of one element, and a tensor without dimensions may be on the host. The other operations are
# those that the check runs in the reverse order.
_DEPENDS_ON_NUMBERS = re.compile(r'"aten\.(squeeze|scatter|index_copy|_?index_put|sort|topk|kthvalue|(nan)?median)')


@final
class FakeDeviceCalls:
    """The calls that come next.

    Args:
        calls: their inputs, in order.

    Attributes:
        record: the first part of the next call's record; None if the child has not run this call ahead.
    """

    def __init__(self, calls: list[tuple]) -> None:
        self._waiting, self._sent = deque(calls), deque[tuple]()
        self._known: set[tuple] = set()
        self.record: tuple[Json, list] | None = None

    def _send(self, child: Child) -> None:
        """Send the next small calls; the parent follows a larger call operation by operation when it is made."""
        with suppress(ChildStopped):  # the call itself will notice
            while self._waiting and len(self._sent) < _MOST and _may_travel(self._waiting[0]):
                self._sent.append(self._waiting.popleft())
                # A function that gets "cpu" as an argument would move its tensors back to the host.
                named = tensor_trees.name_device(self._sent[-1], devices.FAKE)
                data, frame = framework_codecs.for_fake_device().pack(named)
                child.send_ahead({"do": "operate", "arguments": data, "with_values": True}, frame.blobs)

    def receive(self, child: Child, inputs: tuple) -> bool:
        """Receive the record of the next call if the child has run it; returns whether an earlier record is the same."""
        self._send(child)
        if not self._sent:
            if self._waiting:
                self._waiting.popleft()
            return False
        self._sent.popleft()
        message, _ = self.record = child.receive()
        self._send(child)
        events = message.get("events")
        if isinstance(events, list) and events and all(map(_is_plain, events)) and events[-1][0] in _ENDS:
            operations = json.dumps(_without_numbers(events))
            known = operations, *(len(each.shape) for each in tensor_trees.tensors(inputs))
            if known in self._known:
                self.record = None
                return True
            if not _DEPENDS_ON_NUMBERS.search(operations):
                self._known.add(known)
        return False

    def take_record(self) -> tuple[Json, list] | None:
        """Return the record and forget it, because it belongs to one call."""
        record, self.record = self.record, None
        return record


def _may_travel(inputs: tuple) -> bool:
    """Return whether the child can make tensors like these."""
    return is_small(inputs) and not any(
        size > 1 and stride == 0
        for tensor in tensor_trees.tensors(inputs)
        for size, stride in zip(tensor.shape, tensor.stride())
    )


def _without_numbers(data: Json) -> Json:
    """Return what was recorded, with 0 for each number that does not stand for a tensor."""
    if isinstance(data, list):
        return data if data[:1] == ["h"] else [_without_numbers(each) for each in data]
    return data if data is None or isinstance(data, (bool, str)) else 0


def _is_plain(event: Any) -> bool:
    """Return whether an event waits for no reply."""
    return isinstance(event, list) and bool(event) and event[0] in ("begin", "end", "run", *_ENDS)
