"""``explain``: where the time of one call goes, line by line."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from course_utils import frameworks, limits, timing
from course_utils.core.errors import CourseError, strip_course_frames
from course_utils.counting.user_code import UserCode
from course_utils.explaining.assemble_explanation import assemble_explanation
from course_utils.explaining.explanation import Explanation
from course_utils.explaining.profiler import Profiler
from course_utils.explaining.reachable_state import ReachableState
from course_utils.explaining.remeasure_limits import remeasure_limits
from course_utils.frameworks import across_frameworks, devices, tensor_trees
from course_utils.frameworks.framework_interface import Framework
from course_utils.limits import Peaks
from course_utils.sandbox.wait_message import show_status
from course_utils.timing.comparison_lock import exclusive_clock, no_garbage_collection


class ExplainError(CourseError):
    """``explain`` got something that it cannot call repeatedly."""


def explain(
    fn: Callable[..., Any],
    /,
    *args: Any,
    device: str | None = None,
    threads: int = 1,
    within: Any = (),
    **kwargs: Any,
) -> Explanation:
    """Return where the time of one call goes, line by line; as the last line of a cell, the result displays itself.

    The function runs several times. After each run, arguments, tensors, modules, optimizers and random number generators are
    restored; a list or table that is no argument gets back what was removed, and keeps what was added. A call of less than
    0.1 s is timed right after another one; both then run without a restore in between if the call changes no tensor and no
    argument, or if it trains. Output of the function is shown once. A call of more than a second
    runs three times, and a few more times if it compiles, or runs modules or compiled code.

    What runs inside an operation is not seen, nor is an operation of TensorFlow's graphs that takes a few microseconds. If the
    measurements of a line decide nothing, its reason is ``unknown`` and its advice names the tool to use next.

    Args:
        fn: a function, a method or a module.
        args, kwargs: its arguments.
        device: the device of the tensors, such as ``"cuda:0"``; None leaves them where they are.
        threads: the number of threads that an operation may use on the CPU.
        within: installed packages whose lines are shown, too: a package, its name, or a tuple of these. The function's own
            package is always shown, a framework never.

    Returns:
        The explanation. Its floors need the limits of this machine, which are measured first if they are not known.

    Raises:
        ExplainError: ``fn`` cannot be called, an argument can be iterated only once, ``threads`` is below 1, ``within`` names
            no package, or a profiler is running.
        devices.DeviceMissing: the device does not exist.
        Exception: an error of the code, unchanged.
    """
    _validate(fn, args, kwargs, threads)
    device = devices.require(device) if device else tensor_trees.device_of((args, kwargs))
    if device != tensor_trees.device_of((args, kwargs)):
        args, kwargs = tensor_trees.to_device((args, kwargs), device)
    own = UserCode(fn, _paths_within(within))
    try:
        with across_frameworks.threads(threads) as in_force:
            peaks = limits.load_peaks(device, in_force) or _limits_first(device, in_force)
            with exclusive_clock(None), no_garbage_collection(), across_frameworks.device_scope(device):
                profiler = Profiler(
                    functools.partial(fn, *args, **kwargs),
                    own,
                    ReachableState(own, fn, (args, kwargs)),
                    timing.stopwatch(device),
                    across_frameworks.synchronizers(device),
                )
                profile = profiler.profile()
                known_peaks, peaks = peaks, remeasure_limits(profile, peaks, timing.stopwatch(device))
    except BaseException as error:
        strip_course_frames(error)
        raise
    framework = _framework_of(fn, (args, kwargs))
    return assemble_explanation(
        fn, framework, profile, peaks, device, in_force, threads, has_raised_limits=peaks is not known_peaks
    )


def _validate(fn: Any, args: tuple, kwargs: dict, threads: Any) -> None:
    if not callable(fn):
        raise ExplainError(
            f"`explain` got {frameworks.of(fn).type_phrase(fn)}, which cannot be called. Pass the function, then its arguments: "
            "explain(step, x)."
        )
    for value in (*args, *kwargs.values()):
        if hasattr(value, "__next__"):
            raise ExplainError(
                f"An argument is a {type(value).__name__}, which can be iterated only once, and `explain` calls the function "
                "several times: pass a list."
            )
    if not isinstance(threads, int) or threads < 1:
        raise ExplainError(f"`threads` must be a positive integer; got {threads!r}.")
    profilers = [framework.profiler_name for framework in frameworks.loaded() if framework.is_profiling()]
    if _is_python_profiled():
        profilers.append("Python's profiler")
    if profilers:
        raise ExplainError(
            f"{profilers[0]} is running, which would distort what `explain` measures: end its `with` block, or stop it, and call "
            "`explain` again."
        )


def _is_python_profiled() -> bool:
    """Return whether cProfile or another profiler of Python code is active in this thread."""
    monitoring = getattr(sys, "monitoring", None)  # Since Python 3.12, profilers register here.
    return sys.getprofile() is not None or (
        monitoring is not None and monitoring.get_tool(monitoring.PROFILER_ID) is not None
    )


def _paths_within(within: Any) -> list[str]:
    """Return the files and folders of packages that are given as modules or by name."""
    paths = []
    for each in within if isinstance(within, (tuple, list)) else (within,):
        try:
            module = importlib.import_module(each) if isinstance(each, str) else each
        except ImportError as error:
            raise ExplainError(f"`within` names {each!r}, which cannot be imported: {error}.") from None
        file = getattr(module, "__file__", None)
        if not isinstance(module, ModuleType) or file is None:
            raise ExplainError(f"`within` must be a package or its name; got {each!r}.")
        name = module.__name__
        framework = next((known for known in frameworks.ALL if name.partition(".")[0] in known.packages), None)
        if framework is not None:
            profiler = framework.profiler_name
            raise ExplainError(f"`explain` doesn't show lines of {name}, a framework; profile it with `{profiler}`.")
        paths.append(str(Path(file).parent) if hasattr(module, "__path__") else file)
    return paths


def _framework_of(fn: Any, tree: Any) -> Framework:
    """Return the framework that made most of the tensors in ``tree``, or ``fn``; else the first that the module of ``fn``
    names.
    """
    loaded = frameworks.loaded()
    makers = Counter(frameworks.of(tensor).name for tensor in tensor_trees.tensors(tree))
    names = [*(name for name, _ in makers.most_common()), frameworks.of(fn).name]
    code = inspect.unwrap(fn)
    modules = (each for each in getattr(code, "__globals__", {}).values() if isinstance(each, ModuleType))
    names += [each.__name__.partition(".")[0] for each in modules]
    known = {framework.name: framework for framework in loaded}
    return next((known[name] for name in names if name in known), next(iter(loaded), frameworks.NO_FRAMEWORK))


def _limits_first(device: str, threads: int) -> Peaks | None:
    """Measure this machine's limits, and show a message meanwhile."""
    with show_status("`explain` first measures the limits of this machine, which takes about ten seconds."):
        return limits.ensure_peaks(device, threads)
