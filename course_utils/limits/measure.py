"""``measure_peaks``: measures each framework in a child process, one after the other, and saves the best rates."""

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
from course_utils.timing.comparison_lock import exclusive_clock

BUDGET_S = 8.5  # for everything, including the import of the frameworks
START_SHARE = 0.3  # the imports' share of the progress bar
MEASURING_SHARE = 0.6  # each framework's share of the remaining time; later frameworks only look for better rates
MIN_MEASURING_S = 0.5  # what a framework gets even if the imports took too long
CANCEL_POLL_S = 0.1

Progress = Callable[[float, str], None]


class LimitsStopped(CourseError):
    """The measurement was cancelled."""


class LimitsFailed(CourseError):
    """No installed framework can measure the device."""


class LimitsWithoutDevice(LimitsFailed):
    """No installed framework has the device, so a second try fails as well."""


def measure_peaks(
    device: str = "cpu",
    threads: int = 1,
    on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
    frameworks: Collection[str] | None = None,
) -> Peaks:
    """Return the best rates of this machine, measured in less than ten seconds and saved on disk.

    Each installed framework and NumPy have a process of their own; the processes start together and measure in turn. A
    figure with which no second measurement agrees is marked as uncertain, which is frequent on a busy machine.

    Args:
        device: ``"cpu"``, ``"cuda:0"``, …
        threads: how many threads an operation may use on the CPU.
        on_progress: called with the share that is done, from 0 to 1, and what is measured now.
        cancel: an event; when it is set, the measurement ends immediately.
        frameworks: the frameworks to measure if they are installed, in addition to NumPy; None for all.

    Raises:
        LimitsStopped: it was cancelled; nothing is saved.
        LimitsWithoutDevice: each installed framework lacks the device.
        LimitsFailed: no installed framework can measure the device, or ``threads`` is below 1.
    """

    def report(share: float, message: str) -> None:
        if cancel is not None and cancel.is_set():
            raise LimitsStopped("The measurement was stopped early, so nothing was saved; measure again.")
        if on_progress is not None:
            on_progress(share, message)

    if not isinstance(threads, int) or threads < 1:
        raise LimitsFailed(f"threads must be an integer of 1 or more; got {threads!r}.")
    device = "cuda:0" if device == "cuda" else device
    participants = [name for name in installed_versions() if frameworks is None or name in frameworks]
    if device == "cpu":
        participants.append("numpy")
    names = sorted(participants, key=MEASURING_ORDER.index)
    now = timing.stopwatch("cpu").now
    end = now() + BUDGET_S
    with ExitStack() as stack:
        stack.enter_context(exclusive_clock(cancel))
        report(0.0, "starting " + ", ".join(names))
        workers: list[_Worker] = []
        stack.enter_context(_kill_on_cancel(cancel, workers))
        for name in names:
            workers.append(_Worker(name, device, threads))
            stack.callback(workers[-1].child.close)
        ready = []
        for index, worker in enumerate(workers, start=1):
            ready += [worker] if worker.start() else []
            report(START_SHARE * index / len(workers), f"{worker.name} has started")
        for index, worker in enumerate(ready):
            left_s = end - now()
            seconds = max(MIN_MEASURING_S, left_s if worker is ready[-1] else MEASURING_SHARE * left_s)
            for share, name in worker.measure(seconds, merge_peaks.best_rates(each.measured for each in ready[:index])):
                report(START_SHARE + (1 - START_SHARE) * (index + share) / len(ready), f"{name}, with {worker.name}")
    report(1.0, "done")
    for worker in workers:
        if worker.error:
            message = f"{worker.name} could not be measured for this machine's limits: {worker.error}"
            warnings.warn(message, saved_peaks.LimitsWarning, stacklevel=2)
    measured = [worker.measured for worker in ready if worker.measured.rates]
    if not any(name.startswith(f"{COPY} ") for each in measured for name in each.rates):
        lacks_device = bool(workers) and all(worker.missing for worker in workers)
        raise (LimitsWithoutDevice if lacks_device else LimitsFailed)(_describe_failures(device, workers))
    peaks = merge_peaks.merge_peaks(measured, device, threads)
    saved_peaks.save_peaks(peaks)
    return peaks


def ensure_peaks(
    device: str = "cpu",
    threads: int = 1,
    on_progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> Peaks | None:
    """Return the saved peaks, or else the peaks that are measured now, see ``measure_peaks``.

    It is None if the measurement was cancelled or failed. A failure is reported once, as a warning, and the measurement
    is not tried again in this process, so that races don't wait for it each time.
    """
    saved = saved_peaks.load_peaks(device, threads)
    if saved is not None or device in _unmeasurable:
        return saved
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
def _kill_on_cancel(cancel: threading.Event | None, workers: list[_Worker]) -> Iterator[None]:
    """Kill the processes when ``cancel`` is set, even while they send no answers."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(CANCEL_POLL_S):
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
    """One framework's child process."""

    def __init__(self, name: str, device: str, threads: int) -> None:
        self.name = name
        self.missing = self.error = ""
        self.measured = FrameworkRates(name)
        self.child = ChildProcess(
            ["-m", "course_utils.limits.framework_worker", name, device, str(threads)],
            environment=_environment(device, threads),
            accepts_input=True,
        )

    def start(self) -> bool:
        """Return whether the framework can use the device; returns once it is imported."""
        answer = next(self._answers(), None)
        if answer is None or "missing" in answer:
            self.missing = answer["missing"] if answer else ""
            return False
        self.measured.machine, self.measured.versions = answer["machine"], answer["versions"]
        return True

    def measure(self, seconds: float, known_rates: Mapping[str, float]) -> Iterator[tuple[float, str]]:
        """Measure for about ``seconds``; yields the share that is done and the name of what is measured now."""
        self.child.send({"seconds": seconds, "known_rates": known_rates})
        for answer in self._answers():
            if "rates" in answer:
                self.measured.rates = answer["rates"]
                return  # Don't wait for the process, which takes longer to end.
            yield answer["share"], answer["name"]

    def _answers(self) -> Iterator[Json]:
        try:
            yield from self.child.answers()
        except ChildProcessFailed as failed:
            self.error = str(failed)


def _environment(device: str, threads: int) -> dict[str, str]:
    count = str(threads)
    variables = {
        "OMP_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        "OPENBLAS_NUM_THREADS": count,
        "TF_NUM_INTRAOP_THREADS": count,
        "TF_NUM_INTEROP_THREADS": count,
    }
    if device == "cpu":
        variables["CUDA_VISIBLE_DEVICES"] = ""  # initializing a GPU takes seconds
    return variables


def _describe_failures(device: str, workers: Iterable[_Worker]) -> str:
    reasons = dict.fromkeys(worker.missing or f"{worker.name} failed: {worker.error}" for worker in workers)
    return " ".join(reasons) or f"No installed framework can use {device!r}; install torch or tensorflow."
