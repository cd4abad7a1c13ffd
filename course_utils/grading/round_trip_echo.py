"""The echo: a child without a learner's code that reads inputs and returns a result that it was given before, one
per task.

Its round trip is what reading, writing and sending cost; the parent subtracts it from an answer's round trip. If a task
writes into arguments, the echo sends these arguments back as if it had written into them.
"""

from __future__ import annotations

from typing import Any

from course_utils.grading import framework_codecs
from course_utils.grading.channel import Channel


def serve(channel: Channel, framework: str) -> None:
    """Answer until the parent closes the channel."""
    results: dict[str, Any] = {}
    while True:
        message, blobs = channel.receive()
        codec = framework_codecs.values(framework, "c")
        values = codec.unpack(message["arguments"], blobs)
        if message["do"] == "keep":
            results[message["task"]] = values
            channel.send({"value": None})
            continue
        framework_codecs.send_again(codec, tuple(values[position] for position in message["writes"]))
        data, frame = codec.pack((results.get(message["task"]), values if message["writes"] else None))
        channel.send({"value": data}, frame.blobs)
