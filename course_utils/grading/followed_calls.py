"""``FollowedCalls``: calls on a fake device, whose small inputs the child gets ahead, with their values.

The child runs a few of these calls while this process follows the tensors of earlier ones. A call that does the same as an
earlier one need not be followed again: where tensors are depends on operations and layouts, and not on values.
"""

from __future__ import annotations

import json
from collections import deque
from contextlib import suppress
from typing import Any, final

from course_utils.frameworks import tensor_trees
from course_utils.grading import codecs
from course_utils.grading.announced_calls import is_small
from course_utils.grading.child import Child, ChildStopped
from course_utils.grading.frames import Json

_MOST = 3
_ENDS = ("done", "raised")


@final
class FollowedCalls:
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
        """Send the next calls; a larger one is followed operation by operation when its turn comes."""
        with suppress(ChildStopped):  # the call itself will notice
            while self._waiting and len(self._sent) < _MOST and _may_travel(self._waiting[0]):
                self._sent.append(self._waiting.popleft())
                data, frame = codecs.followed().pack(self._sent[-1])
                child.send_reply({"do": "operate", "arguments": data, "with_values": True}, frame.blobs)

    def receive(self, child: Child, inputs: tuple) -> bool:
        """Receive the record of the next call if the child has run it; returns whether an earlier record is the same."""
        self._send(child)
        if not self._sent:
            self._waiting.popleft() if self._waiting else None
            return False
        self._sent.popleft()
        message, blobs = self.record = child.receive()
        self._send(child)
        events = message.get("events")
        if isinstance(events, list) and events and all(map(_is_plain, events)) and events[-1][0] in _ENDS:
            known = json.dumps(events), b"".join(blobs), *map(_layout, tensor_trees.tensors(inputs))
            if known in self._known:
                self.record = None
                return True
            self._known.add(known)
        return False

    def take_record(self) -> tuple[Json, list] | None:
        """The record, which belongs to one call."""
        record, self.record = self.record, None
        return record


def _may_travel(inputs: tuple) -> bool:
    """Whether the child can make tensors like these."""
    return is_small(inputs) and not any(
        size > 1 and stride == 0
        for tensor in tensor_trees.tensors(inputs)
        for size, stride in zip(tensor.shape, tensor.stride())
    )


def _layout(tensor: Any) -> tuple:
    return tuple(tensor.shape), tensor.stride(), tensor.storage_offset()


def _is_plain(event: Any) -> bool:
    """Whether an event waits for no reply."""
    return isinstance(event, list) and bool(event) and event[0] in ("begin", "end", "run", *_ENDS)
