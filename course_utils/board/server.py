"""The board's web server: learners' notebooks post events, and the instructor's page follows them live."""

from __future__ import annotations

import asyncio
import html
import json
import secrets
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from course_utils.board.messages import MAX_BODY, InvalidMessage, check_name, parse_events
from course_utils.board.store import Store
from course_utils.core.errors import CourseError

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without letters and digits that look alike
_COOKIE = "unloop-board"
_REFRESH_S = 0.5
MOST_CONNECTIONS = 1000
"""The board refuses requests while it has more connections; a notebook then sends its events later."""
_SILENT_S = 5.0
"""The board closes a connection that sends no request for this many seconds, because idle connections would fill the board."""
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class PortInUse(CourseError):
    """Another program listens at the board's port."""


class Board:
    """One board: its code for learners, its key for the instructor, and its store.

    Args:
        host_port: host and port by which learners reach it.
        file: where to store the events; without a file, the events are lost when the board ends.
    """

    def __init__(self, host_port: str, file: Path | None = None) -> None:
        self.host_port = host_port
        self.code = "".join(secrets.choice(_LETTERS) for _ in range(6))
        self.key = secrets.token_urlsafe(16)
        self.store = Store(file)
        self.ended = asyncio.Event()
        self.app = Starlette(
            routes=[
                Route("/", self._page),
                Route("/stream", self._stream),
                Route("/api/join", self._join, methods=["POST"]),
                Route("/api/events", self._events, methods=["POST"]),
                Route("/api/leave", self._leave, methods=["POST"]),
            ],
            exception_handlers={InvalidMessage: _refuse},
        )

    async def _page(self, request: Request) -> Response:
        """Return the instructor's page; the key in its address moves into a cookie."""
        if _equals_secret(request.query_params.get("key"), self.key):
            answer = RedirectResponse("/", headers=_HEADERS)
            answer.set_cookie(_COOKIE, self.key, httponly=True, samesite="strict")
            return answer
        if not self._is_instructor(request):
            return PlainTextResponse("This is a class board. Its page opens with the address in the terminal.", 403)
        page = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
        return HTMLResponse(page.replace("{address}", f"{html.escape(self.host_port)}/{self.code}"), headers=_HEADERS)

    async def _stream(self, request: Request) -> Response:
        """Yield the state as a server-sent event each time that it changes."""
        if not self._is_instructor(request):
            return PlainTextResponse("Only the instructor's page sees the room.", 403)

        async def states() -> AsyncIterator[str]:
            shown = -1
            while not self.ended.is_set() and not await request.is_disconnected():
                if self.store.version != shown:
                    shown = self.store.version
                    yield f"data: {json.dumps(self.store.state())}\n\n"
                else:
                    yield ": waiting\n\n"
                await asyncio.sleep(_REFRESH_S)

        return StreamingResponse(states(), media_type="text/event-stream", headers=_HEADERS)

    async def _join(self, request: Request) -> Response:
        data = await _json(request)
        if not isinstance(data, dict) or not _equals_secret(data.get("code"), self.code):
            await asyncio.sleep(0.2)  # The delay slows down guessing of codes.
            return PlainTextResponse("The code is wrong: copy the address from the board again.", 403)
        name, token = check_name(data.get("name")), str(data.get("token", ""))
        if self.store.last_number(token) is None:
            token = self.store.add_learner(name)
        return JSONResponse({"token": token, "last": self.store.last_number(token)})

    async def _events(self, request: Request) -> Response:
        token = self._learner(request)
        if token is None:
            return PlainTextResponse("The board doesn't know you: join it again.", 403)
        events = parse_events(await _json(request))
        self.store.add_events(token, events)
        return JSONResponse({"last": self.store.last_number(token)})

    async def _leave(self, request: Request) -> Response:
        token = self._learner(request)
        if token is not None:
            self.store.remove_learner(token)
        return JSONResponse({})

    def _is_instructor(self, request: Request) -> bool:
        return _equals_secret(request.cookies.get(_COOKIE), self.key)

    def _learner(self, request: Request) -> str | None:
        """Return the token of the learner who sends the request; None if the board does not know it."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        return token if self.store.last_number(token) is not None else None


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket whose port no other program uses.

    Raises:
        PortInUse: if a program has the port.
        CourseError: if the machine has no such address, or the port number is invalid.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except (OSError, OverflowError) as error:
        listener.close()
        if getattr(error, "errno", None) in (98, 48, 10048, 13, 10013):
            raise PortInUse(
                f"Port {port} is in use, perhaps by another board; choose another one with --port."
            ) from error
        raise CourseError(
            f"The board can't listen at {host}:{port} ({error}); choose another --host or --port."
        ) from error
    return listener


def host_port_of(listener: socket.socket) -> str:
    """Return the host and port at which learners reach a socket; a socket on all addresses gets this machine's
    address."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # This sends nothing; it selects the local address.
                host = probe.getsockname()[0]
            except OSError:
                host = socket.gethostname()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def serve(board: Board, listener: socket.socket) -> None:
    """Answer requests until the process gets a signal to stop."""
    import uvicorn

    config = uvicorn.Config(
        board.app, log_level="warning", limit_concurrency=MOST_CONNECTIONS, timeout_keep_alive=5, lifespan="off"
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    first_seen: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
    while not serving.done():
        if server.should_exit:
            board.ended.set()  # An open stream would keep the server waiting.
        for connection in list(server.server_state.connections):
            has_asked = getattr(connection, "cycle", None) is not None
            if not has_asked and monotonic() - first_seen.setdefault(connection, monotonic()) > _SILENT_S:
                connection.transport.close()
        await asyncio.wait([serving], timeout=0.2)
    board.store.close()


async def _json(request: Request) -> Any:
    """Return the JSON of a request, whose size is checked while it arrives.

    Raises:
        InvalidMessage: if it is too large, or is not JSON.
    """
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise InvalidMessage(f"A request has at most {MAX_BODY:,} bytes.")
    try:
        data = json.loads(body)
        json.dumps(data, ensure_ascii=False).encode()  # raises if a string holds half of a surrogate pair
        return data
    except (ValueError, RecursionError):
        raise InvalidMessage("A request holds JSON.") from None


async def _refuse(request: Request, error: Exception) -> Response:
    # The connection closes, because the rest of a large body is not read.
    return PlainTextResponse(str(error), 400, headers={"Connection": "close"})


def _equals_secret(value: object, secret: str) -> bool:
    return isinstance(value, str) and secrets.compare_digest(value.encode(), secret.encode())
