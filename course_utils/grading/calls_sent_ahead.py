"""``CallsSentAhead``: calls whose inputs the check knows before it needs their results.

The child has a few of these calls at a time. Their inputs must be small, because all unread messages have to fit into the
connection's memory. They must also be plain values: during a call the child cannot ask the parent for anything, because it
would get the next call instead of an answer.
"""

from __future__ import annotations

from collections import deque
from typing import Any, final

from course_utils.frameworks import tensor_trees

_MOST = 3  # Both ends remember the objects of more calls than this.
_MOST_VALUES = 1024


@final
class CallsSentAhead:
    """The calls that come next.

    Args:
        calls: their inputs, in order.
    """

    def __init__(self, calls: list[tuple]) -> None:
        self._waiting = deque(calls)
        self._sent: deque[tuple[tuple, tuple]] = deque()

    @property
    def are_sent(self) -> bool:
        """Return whether the child has calls whose results were not received."""
        return bool(self._sent)

    def next_to_send(self) -> tuple | None:
        """Return a copy of the inputs to send now; None if no call may be sent."""
        if not self._waiting or len(self._sent) >= _MOST or not is_small(self._waiting[0]):
            return None
        inputs = self._waiting.popleft()
        self._sent.append((inputs, tensor_trees.copy_inputs(inputs)))
        return self._sent[-1][1]

    def take(self, inputs: tuple) -> tuple | None:
        """Return the copy of the inputs that was sent; None if none was sent."""
        if self._sent and self._sent[0][0] is inputs:
            return self._sent[0][1]
        if self._waiting and self._waiting[0] is inputs:
            self._waiting.popleft()
        return None

    def is_next(self, inputs: tuple) -> bool:
        """Return whether the child's next result is the one for ``inputs``."""
        return bool(self._sent) and self._sent[0][1] is inputs

    def finish(self) -> None:
        """Note that the next result is received."""
        self._sent.popleft()


def is_small(inputs: tuple) -> bool:
    """Return whether inputs are few values without gradients."""
    leaves = [leaf for _, leaf in tensor_trees.leaves(inputs)]
    return all(map(_is_plain, leaves)) and sum(map(_size, leaves)) <= _MOST_VALUES


def _is_plain(leaf: Any) -> bool:
    if tensor_trees.is_tensor(leaf):
        return not getattr(leaf, "requires_grad", False) and getattr(leaf, "grad", None) is None
    return leaf is None or type(leaf) in (bool, int, float, str)


def _size(leaf: Any) -> int:
    return tensor_trees.element_count(leaf) if tensor_trees.is_tensor(leaf) else 1
