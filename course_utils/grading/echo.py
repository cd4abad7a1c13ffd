"""The echo: a child without a learner's code that reads inputs and returns a result that it was given before.

Its round trip is what reading, writing and sending cost; the parent subtracts it from an answer's round trip.
"""

from __future__ import annotations

from course_utils.grading import codecs
from course_utils.grading.frames import Channel


def serve(channel: Channel, framework: str) -> None:
    """Answer until the parent closes the channel."""
    result = None
    while True:
        message, blobs = channel.receive()
        codec = codecs.values(framework, "c")
        values = codec.unpack(message["arguments"], blobs)
        if message["do"] == "keep":
            result = values
            channel.send({"value": None})
            continue
        data, frame = codec.pack((result, values if message["writes"] else None))
        channel.send({"value": data}, frame.blobs)
