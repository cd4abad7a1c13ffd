"""``CallsByValue``: the calls of an answer in one child, to which inputs and results travel by value."""

from __future__ import annotations

from typing import Any

from course_utils.grading import framework_codecs
from course_utils.grading.child_handle import Child
from course_utils.grading.codec_primitives import ValueInvalid
from course_utils.grading.remote_function import converse


class CallsByValue:
    """Calls the answer in a child, and remembers the objects that both ends have exchanged.

    Attributes:
        child: the child.
        codec: the codec of this end.
        changed_settings: name → value of each global setting that the last call left changed.
    """

    def __init__(self, child: Child, framework: str) -> None:
        self.child, self.codec = child, framework_codecs.values(framework, "p")
        self.changed_settings: dict[str, Any] = {}
        self._is_first = True  # whether the next request begins a call of the check

    def begin(self, seconds: float) -> None:
        """Begin a check's next call, which may take ``seconds``."""
        self._is_first, self.changed_settings = True, {}
        self.child.allow(seconds)

    def send_ahead(self, inputs: tuple, as_written: bool) -> None:
        """Send the inputs of a later call."""
        self._is_first = True
        self.child.send_ahead(*self._request(inputs, as_written))

    def call(self, inputs: tuple, as_written: bool, is_sent: bool = False) -> Any:
        """Return the result of a call, which also changes the inputs; ``is_sent``: whether the child has them already."""
        request, sent = (None, []) if is_sent else self._request(inputs, as_written)
        self._is_first = False
        reply, blobs = converse(self.child, self.codec, request, sent)
        result, _ = self.codec.unpack(reply.get("value"), blobs)
        settings = reply.get("settings")
        self.changed_settings = (
            {str(name): value for name, value in settings.items()} if isinstance(settings, dict) else {}
        )
        return result

    def backward(self, results: list, gradients: list, inputs: list, as_written: bool) -> list:
        """Return the gradients of ``inputs``, which the child computes."""
        data, frame = self.codec.pack((results, gradients, inputs))
        request = {"do": "backward", "arguments": data, "as_written": as_written}
        reply, blobs = converse(self.child, self.codec, request, frame.blobs)
        given = self.codec.unpack(reply.get("value"), blobs)
        if not isinstance(given, list) or len(given) != len(inputs):
            raise ValueInvalid("gradients are missing")
        return given

    def _request(self, inputs: tuple, as_written: bool) -> tuple[Any, list]:
        """Return the request of a call, and its bytes."""
        if self._is_first:
            self.codec.begin_call()
        data, frame = self.codec.pack(inputs)
        request = {"do": "call", "first": self._is_first, "arguments": data, "as_written": as_written}
        self._is_first = False
        return request, frame.blobs
