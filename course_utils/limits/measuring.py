"""``measure``: lead the processes that measure each framework, one after the other, and keep the best of them."""

from __future__ import annotations

import datetime
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack

from course_utils import timing
from course_utils.frameworks import devices
from course_utils.ground.errors import CourseError
from course_utils.ground.processes import Child, ChildFailed, Json
from course_utils.limits import store
from course_utils.limits.peaks import Peaks
from course_utils.limits.worker import agree, title
from course_utils.timing.alone import alone

BUDGET_S = 9.0  # for everything, start-up included
STARTING = 0.3  # the share of the progress bar that start-up gets
LEAST_S = 1.0  # a process whose framework was slow to start still gets this long

Progress = Callable[[float, str], None]


class LimitsUnsteady(CourseError):
    """The machine is too busy with other things for its best to be found."""


class LimitsStopped(CourseError):
    """Whoever asked for the limits does not want them any more."""


class LimitsFailed(CourseError):
    """No framework could measure anything on the device."""


def measure(
    device: str = "cpu",
    threads: int = 1,
    on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
    frameworks: Collection[str] | None = None,
) -> Peaks:
    """Measure what this machine can do at best, in less than ten seconds, and keep it on disk.

    NumPy and each installed framework run in a process of their own; they start together and measure in turn.

    Args:
        device: ``"cpu"``, ``"cuda:0"``, …
        threads: threads that an operation may use on the CPU.
        on_progress: called with the share that is done, from 0 to 1, and what is being measured.
        cancel: an event; once set, the measurement ends at the next step.
        frameworks: those that take part beside NumPy, where they are installed; None for all.

    Raises:
        LimitsStopped: when it was cancelled; nothing is kept then.
        LimitsUnsteady: when the best of some figure could not be reached twice within 10 %; nothing is kept then.
        LimitsFailed: when nothing that is installed can measure on the device, or for fewer than 1 thread.
    """

    def say(share: float, message: str) -> None:
        if cancel is not None and cancel.is_set():
            raise LimitsStopped("The measurement was stopped before its end, so nothing was kept; measure again.")
        if on_progress is not None:
            on_progress(share, message)

    if not isinstance(threads, int) or threads < 1:
        raise LimitsFailed(f"threads={threads!r} cannot compute anything; give 1 or more.")
    device = "cuda:0" if device == "cuda" else device
    wanted = [name for name in devices.installed() if frameworks is None or name in frameworks]
    names = ["numpy", *wanted] if device == "cpu" else wanted
    now = timing.stopwatch("cpu").now
    end = now() + BUDGET_S
    with ExitStack() as stack:
        stack.enter_context(alone(cancel))
        say(0.0, "starting " + ", ".join(names))
        workers, ready = [], []
        for name in names:
            workers.append(_Worker(name, device, threads))
            stack.callback(workers[-1].child.end)
        for index, worker in enumerate(workers, start=1):
            ready += [worker] if worker.start() else []
            say(STARTING * index / len(workers), f"{worker.name} has started")
        for index, worker in enumerate(ready):
            seconds = max(LEAST_S, (end - now()) / (len(ready) - index))
            for share, name in worker.measure(seconds, _best_so_far(ready[:index])):
                say(STARTING + (1 - STARTING) * (index + share) / len(ready), f"{title(name)}, with {worker.name}")
    measured = [worker for worker in ready if worker.rates]
    if not measured:
        raise LimitsFailed(_why_not(device, workers))
    for worker in workers:
        if worker.error:
            message = f"{worker.name} was left out of the limits of this machine: {worker.error}"
            warnings.warn(message, store.LimitsWarning, stacklevel=2)
    peaks = _peaks(measured, device, threads)
    store.keep(peaks)
    say(1.0, "done")
    return peaks


class _Worker:
    """One framework's process."""

    def __init__(self, name: str, device: str, threads: int) -> None:
        self.name = name
        self.missing = self.error = ""
        self.rates: dict[str, list[float]] = {}
        self.machine = ""
        self.versions: dict[str, str] = {}
        self.child = Child(
            ["-m", "course_utils.limits.worker", name, device, str(threads)],
            environment=_environment(device, threads),
            listening=True,
        )

    def start(self) -> bool:
        """Wait until the framework is imported; False where it cannot be used on the device."""
        answer = next(self._answers(), None)
        if answer is None or "missing" in answer:
            self.missing = answer["missing"] if answer else ""
            return False
        self.machine, self.versions = answer["machine"], answer["versions"]
        return True

    def measure(self, seconds: float, rivals: Mapping[str, float]) -> Iterator[tuple[float, str]]:
        """Let it measure for about ``seconds``; yields the share that is done and the name of what is being measured."""
        self.child.tell({"seconds": seconds, "rivals": rivals})
        for answer in self._answers():
            if "rates" in answer:
                self.rates = answer["rates"]
                return  # a framework takes its time to go
            yield answer["share"], answer["name"]

    def _answers(self) -> Iterator[Json]:
        try:
            yield from self.child.answers()
        except ChildFailed as failed:
            self.error = str(failed)


def _environment(device: str, threads: int) -> dict[str, str]:
    count = str(threads)
    found = {
        "OMP_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        "OPENBLAS_NUM_THREADS": count,
        "TF_NUM_INTRAOP_THREADS": count,
        "TF_NUM_INTEROP_THREADS": count,
    }
    if device == "cpu":
        found["CUDA_VISIBLE_DEVICES"] = ""  # nobody waits for a GPU that is not asked for
    return found


def _best_so_far(workers: list[_Worker]) -> dict[str, float]:
    """The best rate of each figure in which one framework may stand for all; the launch cost is each one's own."""
    found: dict[str, float] = {}
    for worker in workers:
        for name, rates in worker.rates.items():
            found[name] = max(found.get(name, 0.0), *rates)
    found.pop("launch", None)
    return found


def _peaks(workers: list[_Worker], device: str, threads: int) -> Peaks:
    best = {name: _peak(workers, name) for name in _best_so_far(workers)}
    # An array operation of NumPy is no tensor operation: its cost counts only where there is no framework.
    starters = [worker for worker in workers if worker.name != "numpy"] or workers
    return Peaks(
        device=device,
        threads=threads,
        ladder=tuple(sorted((int(size), best[f"bandwidth {size}"]) for size in _each(best, "bandwidth"))),
        matmul={dtype: best[f"matmul {dtype}"] for dtype in _each(best, "matmul")},
        launch_s=1 / _peak(starters, "launch"),
        frameworks=tuple(worker.name for worker in workers),
        date=datetime.datetime.now().isoformat(" ", timespec="minutes"),
        versions={name: number for worker in workers for name, number in worker.versions.items()},
        machine=workers[0].machine,
        launches_s={worker.name: 1 / max(worker.rates["launch"]) for worker in workers},
    )


def _each(names: Iterable[str], kind: str) -> list[str]:
    return [name.partition(" ")[2] for name in names if name.startswith(kind)]


def _peak(workers: list[_Worker], name: str) -> float:
    """The best rate, once it was reached twice, in one framework or in two."""
    rates = sorted((rate for worker in workers for rate in worker.rates.get(name, ())), reverse=True)
    if agree(rates):
        return rates[0]
    best, second = rates[:2]
    raise LimitsUnsteady(
        f"The {title(name)} could not be measured: the two best of {len(rates)} passes differ by "
        f"{100 * (1 - second / best):.0f} %, more than 10 %; close what else is running and measure again."
    )


def _why_not(device: str, workers: Iterable[_Worker]) -> str:
    said = dict.fromkeys(worker.missing or f"{worker.name} failed: {worker.error}" for worker in workers)
    return " ".join(said) or f"Nothing that is installed can use {device!r}; install torch or tensorflow for it."
