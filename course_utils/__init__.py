"""The apparatus of the course: races, limits, checks. No lesson text lives here.

A lesson imports only the names below, so that everything else may move. Each name is loaded at its first use: importing
the package takes no time and loads no framework, widget or plot.
"""

import importlib
import sys
from typing import Any

from course_utils.core.compile_cache import configure_compile_cache
from course_utils.core.errors import format_course_warnings, strip_course_frames

__version__ = "0.1.0"

_PUBLIC = {
    "Cost": "course_utils.limits:Cost",
    "CourseError": "course_utils.core.errors:CourseError",
    "chart": "course_utils.ui.lesson_chart:chart",
    "check": "course_utils.learner.commands:check",
    "compare": "course_utils.timing:compare",
    "count": "course_utils.counting:count",
    "examine": "course_utils.doctor:examine",
    "explain": "course_utils.explaining:explain",
    "fact_check": "course_utils.ui.fact_check_view:fact_check",
    "first_call": "course_utils.timing.first_call:first_call",
    "graphs": "course_utils.counting.graphs:graphs",
    "hint": "course_utils.learner.commands:hint",
    "silence_stderr": "course_utils.sandbox.output:silence_stderr",
    "in_new_process": "course_utils.sandbox.new_process:in_new_process",
    "join": "course_utils.ui.join_board:join",
    "launch": "course_utils.sandbox.launch_command:launch",
    "instruction_sets": "course_utils.frameworks.instruction_sets:instruction_sets",
    "leave": "course_utils.board.client:leave",
    "load_triton": "course_utils.sandbox.load_triton:load_triton",
    "machine": "course_utils.ui.machine_card:machine",
    "machine_name": "course_utils.frameworks.devices:describe",
    "memory_trace": "course_utils.counting.memory_trace:memory_trace",
    "page_faults": "course_utils.timing.page_faults:page_faults",
    "predict": "course_utils.ui.predict:predict",
    "progress": "course_utils.learner.progress:progress",
    "race": "course_utils.races:race",
    "read_trace": "course_utils.explaining.read_trace:read_trace",
    "report": "course_utils.learner.capstone_report:report",
    "replay": "course_utils.counting.allocator_replay:replay",
    "reveal": "course_utils.ui.reveal:reveal",
    "run_kernel": "course_utils.races.triton_kernel_run:run_kernel",
    "show_broadcast": "course_utils.ui.broadcast_sketch:show_broadcast",
    "show_trace": "course_utils.ui.trace_view:show_trace",
    "significant": "course_utils.core.wording:significant",
    "speed_and_error": "course_utils.races.speed_and_error:speed_and_error",
    "task": "course_utils.learner.commands:task",
    "timeline": "course_utils.ui.timeline_sketch:timeline",
}
__all__ = list(_PUBLIC)

# Rooms below `ui` do not import their views, so IPython finds the view of a value by the name of its type.
_VIEWS = {
    ("course_utils.counting.allocator_replay", "Replay"): "course_utils.ui.pool_timeline:show",
    ("course_utils.explaining.explanation", "Explanation"): "course_utils.ui.explanation_view:show",
    ("course_utils.races.race", "Race"): "course_utils.ui.race_view:show",
    ("course_utils.races.speed_and_error", "SpeedAndError"): "course_utils.ui.speed_and_error_chart:show",
    ("course_utils.tasks.task", "Task"): "course_utils.ui.task_card:show_task",
    ("course_utils.judging.verdict", "Verdict"): "course_utils.ui.task_card:show_verdict",
    ("course_utils.learner.progress", "Progress"): "course_utils.ui.progress_card:show_progress",
    ("course_utils.learner.capstone_report", "Report"): "course_utils.ui.report_view:show_report",
    ("course_utils.ui.fact_check_view", "FactCheck"): "course_utils.ui.fact_check_view:show",
}


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it offers {', '.join(_PUBLIC)}")
    return _load(_PUBLIC[name])


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])


def _load(address: str) -> Any:
    module, _, attribute = address.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _show_with(address: str) -> Any:
    return lambda value: _load(address)(value)


def _explain_cell(line: str, cell: str) -> Any:
    try:
        return _load("course_utils.ui.explain_magic:explain_cell")(line, cell)
    except BaseException as error:
        strip_course_frames(error)
        raise


def _show_interrupt(shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: int | None = None) -> None:
    """Show which of the learner's lines an interrupt stopped."""
    strip_course_frames(error)
    shell.showtraceback((kind, error, error.__traceback__), tb_offset=tb_offset)


def _attach_views() -> None:
    """In a notebook, register the views of races, tasks and verdicts, one-sentence warnings, short tracebacks of
    interrupts, and ``%%explain``.
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return
    format_course_warnings()
    for (module, name), address in _VIEWS.items():
        shell.display_formatter.ipython_display_formatter.for_type_by_name(module, name, _show_with(address))
    shell.set_custom_exc((KeyboardInterrupt,), _show_interrupt)
    shell.register_magic_function(_explain_cell, "cell", "explain")


_attach_views()
configure_compile_cache()
