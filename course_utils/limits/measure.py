"""``measure_peaks``: lead the processes that measure each framework, one after the other, and keep the best of them."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from course_utils import timing
from course_utils.core.errors import CourseError
from course_utils.core.processes import ChildProcess, ChildProcessFailed, Json
from course_utils.frameworks import installed_versions
from course_utils.limits import merge_peaks, saved_peaks
from course_utils.limits.benchmark_kernels import MEASURING_ORDER
from course_utils.limits.cost import COPY
from course_utils.limits.merge_peaks import FrameworkRates
from course_utils.limits.peaks import Peaks
from course_utils.timing.clock_lock import exclusive_clock

BUDGET_S = 8.5  # for everything, start-up included
STARTING = 0.3  # the share of the progress bar that start-up gets
FIRST = 0.6  # of the time that is left: who comes later must only beat what is known
LEAST_S = 0.5  # a process whose framework was slow to start still gets this long
CANCEL_S = 0.1

Progress = Callable[[float, str], None]


class LimitsStopped(CourseError):
    """Whoever asked for the limits does not want them any more."""


class LimitsFailed(CourseError):
    """No framework could measure anything on the device."""


def measure_peaks(
    device: str = "cpu",
    threads: int = 1,
    on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
    frameworks: Collection[str] | None = None,
) -> Peaks:
    """Measure what this machine can do at best, in less than ten seconds, and keep it on disk.

    Each installed framework and NumPy run in a process of their own; they start together and measure in turn. A figure that
    was not reached twice is among the peaks' uncertain ones, on a busy machine many are: none of them stops the others.

    Args:
        device: ``"cpu"``, ``"cuda:0"``, …
        threads: threads that an operation may use on the CPU.
        on_progress: called with the share that is done, from 0 to 1, and what is being measured.
        cancel: an event; once set, the measurement ends at once.
        frameworks: those that take part beside NumPy, where they are installed; None for all.

    Raises:
        LimitsStopped: when it was cancelled; nothing is kept then.
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
    wanted = [name for name in installed_versions() if frameworks is None or name in frameworks]
    if device == "cpu":
        wanted.append("numpy")
    names = sorted(wanted, key=MEASURING_ORDER.index)
    now = timing.stopwatch("cpu").now
    end = now() + BUDGET_S
    with ExitStack() as stack:
        stack.enter_context(exclusive_clock(cancel))
        say(0.0, "starting " + ", ".join(names))
        workers: list[_Worker] = []
        stack.enter_context(_ended_by(cancel, workers))
        for name in names:
            workers.append(_Worker(name, device, threads))
            stack.callback(workers[-1].child.close)
        ready = []
        for index, worker in enumerate(workers, start=1):
            ready += [worker] if worker.start() else []
            say(STARTING * index / len(workers), f"{worker.name} has started")
        for index, worker in enumerate(ready):
            left_s = end - now()
            seconds = max(LEAST_S, left_s if worker is ready[-1] else FIRST * left_s)
            for share, name in worker.measure(seconds, merge_peaks.best_rates(each.found for each in ready[:index])):
                say(STARTING + (1 - STARTING) * (index + share) / len(ready), f"{name}, with {worker.name}")
    say(1.0, "done")
    for worker in workers:
        if worker.error:
            message = f"{worker.name} was left out of the limits of this machine: {worker.error}"
            warnings.warn(message, saved_peaks.LimitsWarning, stacklevel=2)
    found = [worker.found for worker in ready if worker.found.rates]
    if not any(name.startswith(f"{COPY} ") for each in found for name in each.rates):
        raise LimitsFailed(_why_not(device, workers))
    peaks = merge_peaks.merge_peaks(found, device, threads)
    saved_peaks.save_peaks(peaks)
    return peaks


def ensure_peaks(
    device: str = "cpu",
    threads: int = 1,
    on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> Peaks | None:
    """The peaks that are kept, or else those that are measured now, see ``measure_peaks``.

    None where it was cancelled, or where they cannot be measured: that is told once, as a warning, and not tried again in
    this process, so that a race does not wait for it each time.
    """
    kept = saved_peaks.load_peaks(device, threads)
    if kept is not None or device in _unmeasurable:
        return kept
    try:
        return measure_peaks(device, threads, on_progress, cancel)
    except LimitsStopped:
        return None
    except LimitsFailed as failure:
        _unmeasurable.add(device)
        warnings.warn(str(failure), saved_peaks.LimitsWarning, stacklevel=2)
        return None


_unmeasurable: set[str] = set()


@contextmanager
def _ended_by(cancel: threading.Event | None, workers: list[_Worker]) -> Iterator[None]:
    """End the processes as soon as ``cancel`` is set, also while nobody hears of anything from them."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(CANCEL_S):
            if cancel is not None and cancel.is_set():
                for worker in list(workers):
                    worker.child.kill()

    watcher = threading.Thread(target=watch, name="limits cancel", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


class _Worker:
    """One framework's process."""

    def __init__(self, name: str, device: str, threads: int) -> None:
        self.name = name
        self.missing = self.error = ""
        self.found = FrameworkRates(name)
        self.child = ChildProcess(
            ["-m", "course_utils.limits.framework_worker", name, device, str(threads)],
            environment=_environment(device, threads),
            accepts_input=True,
        )

    def start(self) -> bool:
        """Wait until the framework is imported; False where it cannot be used on the device."""
        answer = next(self._answers(), None)
        if answer is None or "missing" in answer:
            self.missing = answer["missing"] if answer else ""
            return False
        self.found.machine, self.found.versions = answer["machine"], answer["versions"]
        return True

    def measure(self, seconds: float, rivals: Mapping[str, float]) -> Iterator[tuple[float, str]]:
        """Let it measure for about ``seconds``; yields the share that is done and the name of what is being measured."""
        self.child.send({"seconds": seconds, "rivals": rivals})
        for answer in self._answers():
            if "rates" in answer:
                self.found.rates = answer["rates"]
                return  # a framework takes its time to go
            yield answer["share"], answer["name"]

    def _answers(self) -> Iterator[Json]:
        try:
            yield from self.child.answers()
        except ChildProcessFailed as failed:
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


def _why_not(device: str, workers: Iterable[_Worker]) -> str:
    said = dict.fromkeys(worker.missing or f"{worker.name} failed: {worker.error}" for worker in workers)
    return " ".join(said) or f"Nothing that is installed can use {device!r}; install torch or tensorflow for it."
