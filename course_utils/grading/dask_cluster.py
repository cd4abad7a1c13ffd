"""``grade_on_cluster``: grading by the workers of a Dask scheduler. Only the functions of this file import Dask.

One exercise of one submission is one Dask task with its own key; its result is JSON. A worker never has more than one
task, because the scheduler counts a worker's death against every task that waits on it.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from course_utils.core.errors import CourseError, summarize_error
from course_utils.core.plain_data import from_data, to_data
from course_utils.grading.dask_task import grade_task
from course_utils.grading.grade_submission import CageMissing
from course_utils.grading.intake import SubmittedNotebook
from course_utils.grading.mark import TaskMark
from course_utils.grading.workers import GRADER, Job, refused_mark

if TYPE_CHECKING:
    from distributed import Client, Future

_CONNECT_S = 15
_WORKERS_S = 60
"""Seconds to wait for a worker, at the start and after the last one has gone."""
_LOOK_S = 2.0
"""Seconds between two checks for workers that have come or gone, while none answers."""

_Unit = tuple[SubmittedNotebook, str]
_KILLED = "This task could not be judged, which costs no points. The workers that graded it ended."


class SchedulerRefused(CourseError):
    """The Dask scheduler cannot be used; the message gives the reason and the remedy."""


def check_address(address: str) -> None:
    """Accept an address that other people on the network cannot use: loopback, or TLS.

    Raises:
        SchedulerRefused: for any other address, because everyone who reaches an open scheduler can run code there.
    """
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme == "tls" and parts.hostname:
        return
    if parts.scheme == "tcp" and _is_loopback(parts.hostname or ""):
        return
    raise SchedulerRefused(
        f"The scheduler's address {address!r} is open to the network, and everyone who reaches it could run code on it; "
        "start it with --host 127.0.0.1, or with certificates at tls://…."
    )


def grade_on_cluster(
    jobs: Sequence[Job], address: str, caged: bool, grader: str = GRADER
) -> Iterator[tuple[SubmittedNotebook, TaskMark]]:
    """Yield the marks of all jobs as they become known.

    Args:
        jobs: what to grade.
        address: the scheduler's, as in ``tcp://127.0.0.1:8786``; certificates come from Dask's configuration.
        caged: whether the workers cage learners' code.
        grader: the name of the module that grades.

    Raises:
        SchedulerRefused: the scheduler or a worker is open to the network, does not answer, or ends.
        CageMissing: a worker's machine offers no cage.
    """
    check_address(address)
    try:
        from distributed import Client
        from distributed.client import FutureCancelledError
    except ModuleNotFoundError:
        raise SchedulerRefused(
            'The option --scheduler needs Dask, which is not installed; `pip install "unloop[cluster]"` installs it.'
        ) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=_CONNECT_S)
    except Exception as error:  # noqa: BLE001 - no certificate is a TypeError, no answer an OSError
        raise SchedulerRefused(f"No scheduler can be used at {address!r} ({summarize_error(error)}).") from None
    try:
        _check_members(client)
        yield from _Run(client, caged, grader).marks([(work, task) for work, tasks in jobs for task in tasks])
    except (OSError, FutureCancelledError) as error:
        raise SchedulerRefused(
            f"The scheduler at {address!r} ended ({summarize_error(error)}); the marks so far are stored, so start it "
            "and run the command again."
        ) from None
    finally:
        client.close()


class _Run:
    """One run on a cluster."""

    def __init__(self, client: Client, caged: bool, grader: str) -> None:
        self._client, self._caged, self._grader = client, caged, grader
        self._running: dict[Future, _Unit] = {}

    def marks(self, units: Sequence[_Unit]) -> Iterator[tuple[SubmittedNotebook, TaskMark]]:
        """Yield the mark of each unit. A unit whose workers end is tried once more at the end, alone."""
        suspects: list[_Unit] = []
        waiting = deque(units)
        while waiting or self._running:
            while waiting and len(self._running) < len(_check_members(self._client)):
                self._submit(waiting.popleft(), "")
            for unit, mark in self._finished_units():
                if mark is None:
                    suspects.append(unit)
                else:
                    yield unit[0], mark
        for unit in suspects:
            self._submit(unit, "-alone")
            while self._running:
                for _, mark in self._finished_units():
                    yield unit[0], mark or refused_mark(unit[0].lesson, unit[1], _KILLED)

    def _submit(self, unit: _Unit, suffix: str) -> None:
        work, task_id = unit
        key = f"unloop-{work.sender.student}-{work.digest}-{task_id}{suffix}"
        submission = json.dumps(to_data(work.submission))
        future = self._client.submit(grade_task, submission, task_id, self._caged, self._grader, key=key)
        self._running[future] = unit

    def _finished_units(self) -> Iterator[tuple[_Unit, TaskMark | None]]:
        """Wait until a unit finishes, and yield the finished units with their marks; None if a unit's workers ended."""
        from distributed import KilledWorker, wait
        from distributed import TimeoutError as DaskTimeoutError

        try:
            done = wait(list(self._running), timeout=_LOOK_S, return_when="FIRST_COMPLETED").done
        except DaskTimeoutError:  # another class than Python's own in 3.10
            _check_members(self._client)
            return
        for future in done:
            unit = self._running.pop(future)
            try:
                yield unit, from_data(TaskMark, json.loads(future.result()))
            except KilledWorker:
                yield unit, None
            except (CageMissing, OSError):
                raise
            except Exception as error:  # noqa: BLE001 - such as a course that is not installed on the worker
                problem = f"This task could not be judged, which costs no points. {summarize_error(error)}"
                yield unit, refused_mark(unit[0].lesson, unit[1], problem)


def _check_members(client: Client) -> dict[str, Any]:
    """Return address → number of threads of each worker; there is at least one worker.

    Raises:
        SchedulerRefused: the scheduler or a worker is open to the network, a worker has several threads, or none comes.
    """
    deadline = time.monotonic() + _WORKERS_S
    while not (workers := client.nthreads()):
        if time.monotonic() > deadline:
            raise SchedulerRefused(
                "The scheduler has no worker; start some with --nthreads 1 and run the command again, which continues."
            )
        time.sleep(0.2)
    for address in (client.scheduler_info()["address"], *workers):
        check_address(address)
    for address, threads in workers.items():
        if threads != 1:
            raise SchedulerRefused(
                f"The worker at {address!r} has {threads} threads, which would disturb each other's timing; start it with "
                "--nthreads 1."
            )
    return workers


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
