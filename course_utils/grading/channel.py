"""``Channel``: frames between the grader and a child. Each size is checked, and nothing is unpickled.

A frame holds one JSON message and raw bytes:

length of the JSON text (8 bytes) | length of all bytes (8 bytes) | [message, [size, size, …]] | bytes | bytes | …
"""

from __future__ import annotations

import json
import select
import socket
import struct
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

Json = Any
Blob = bytes | bytearray | memoryview

_LENGTHS = struct.Struct(">QQ")
_MOST_TEXT, _MOST_BYTES = 32 << 20, 1 << 30
_SLICE_S = 0.25  # Seconds of a wait after which ``require_time`` may end it.
_READ_AHEAD = 1 << 14  # Most frames are shorter and are received at once.
_JOINED = 1 << 16  # A longer frame is sent part by part, without a copy.


class FrameError(Exception):
    """The other end is gone, or has sent something that is not a frame or was not requested."""


class Channel:
    """One end of a connected pair of sockets.

    Args:
        connection: the socket; the channel closes it.
        require_time: called while ``receive`` waits; it raises an error to end the wait.
    """

    def __init__(self, connection: socket.socket, require_time: Callable[[], None] | None = None) -> None:
        self._socket, self._unread = connection, memoryview(b"")
        self.require_time = require_time
        if require_time is not None:
            connection.settimeout(_SLICE_S)

    def send(self, message: Json, blobs: Sequence[Blob] = ()) -> None:
        """Send one frame.

        Raises:
            FrameError: the other end is gone.
        """
        text = json.dumps([message, [len(blob) for blob in blobs]]).encode()
        size = sum(map(len, blobs))
        parts = [_LENGTHS.pack(len(text), size) + text, *blobs]
        try:
            for part in parts if size > _JOINED else [b"".join(parts)]:
                view = memoryview(part)
                while view:
                    try:
                        view = view[self._socket.send(view) :]
                    except TimeoutError:
                        self._require_time()
        except OSError as error:
            raise FrameError("it has closed the connection") from error

    def receive(self) -> tuple[Json, list[memoryview]]:
        """Return the next message and its bytes.

        Raises:
            FrameError: the other end is gone, or what it sent is not a frame.
        """
        text_length, bytes_length = _LENGTHS.unpack(self._exactly(_LENGTHS.size))
        if text_length > _MOST_TEXT or bytes_length > _MOST_BYTES:
            raise FrameError(f"it sends {text_length + bytes_length:,} bytes at once")
        try:
            message, sizes = json.loads(bytes(self._exactly(text_length)))
            sizes = [int(size) for size in sizes]
        except (ValueError, TypeError, RecursionError) as error:
            raise FrameError("it sends something that is not a message") from error
        if min(sizes, default=0) < 0 or sum(sizes) != bytes_length:
            raise FrameError("it sends sizes that don't add up")
        body, blobs, start = self._exactly(bytes_length), [], 0
        for size in sizes:
            blobs.append(body[start : start + size])
            start += size
        return message, blobs

    def require_silence(self) -> None:
        """Check that the other end has sent nothing unrequested.

        Raises:
            FrameError: it has.
        """
        if self._unread:
            raise FrameError("it answers before it is asked")
        try:
            waiting, _, _ = select.select([self._socket], [], [], 0)
            if waiting:
                early = self._socket.recv(1, socket.MSG_PEEK)
                raise FrameError("it answers before it is asked" if early else "it has closed the connection")
        except (OSError, ValueError) as error:
            raise FrameError("it has closed the connection") from error

    def close(self) -> None:
        """Close the connection; may be called again."""
        self._socket.close()

    def _exactly(self, size: int) -> memoryview:
        if len(self._unread) < size:
            self._receive_more(size)
        data, self._unread = self._unread[:size], self._unread[size:]
        return data

    def _receive_more(self, size: int) -> None:
        """Receive until at least ``size`` bytes are unread."""
        buffer = memoryview(bytearray(max(size, _READ_AHEAD)))
        filled, asked = len(self._unread), perf_counter()
        buffer[:filled] = self._unread
        while filled < size:
            try:
                received = self._socket.recv_into(buffer[filled:])
            except TimeoutError:
                self._require_time()
                continue
            except OSError as error:
                raise FrameError("it has closed the connection") from error
            if not received:
                raise FrameError("it has closed the connection")
            filled += received
            # A child that sends byte by byte never lets a wait reach its limit.
            if perf_counter() - asked > _SLICE_S:
                asked = perf_counter()
                self._require_time()
        self._unread = buffer[:filled]

    def _require_time(self) -> None:
        if self.require_time is not None:
            self.require_time()
