"""The credentials of a socket's peer (``SCM_CREDENTIALS``): the system names the process that sent a message.

The id is the one that the receiver sees. A process in its own PID namespace, as inside of bubblewrap, sees another id of
itself.
"""

from __future__ import annotations

import socket
import struct

_CREDENTIALS = struct.Struct("3i")
_MOST = 1000


def ask_for_sender(connection: socket.socket) -> None:
    """Have the system attach the sender's process id to each message."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)


def sender(connection: socket.socket, seconds: float) -> int | None:
    """Return the process that sent the next message, which stays unread; None if no message comes."""
    connection.settimeout(seconds)
    try:
        return _receive(connection, socket.MSG_PEEK)
    except OSError:
        return None
    finally:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)


def senders(connection: socket.socket) -> list[int]:
    """Return the processes that sent the messages that wait, one per message; the messages are read."""
    processes: list[int] = []
    try:
        while len(processes) < _MOST and (process := _receive(connection, socket.MSG_DONTWAIT)) is not None:
            processes.append(process)
    except OSError:  # no message waits
        pass
    return processes


def _receive(connection: socket.socket, flags: int) -> int | None:
    _, notes, _, _ = connection.recvmsg(1, socket.CMSG_SPACE(_CREDENTIALS.size), flags)
    ids = [_CREDENTIALS.unpack(data)[0] for _, kind, data in notes if kind == socket.SCM_CREDENTIALS]
    return ids[0] if ids else None
