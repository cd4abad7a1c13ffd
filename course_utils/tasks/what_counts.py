"""The text under "What counts" of a card and an exercise: the author's rules, each limit, and the race's target."""

from __future__ import annotations

import inspect

from course_utils.tasks.task import Task


def what_counts(task: Task) -> str:
    """Return a Markdown list: ``task.rules``, where to create new tensors if the slow loop creates them on the inputs' device,
    the task's limits, and the required speed if the task has a race."""
    lines = [task.rules.rstrip("\n")] if task.rules else []
    if task.rules and "device" not in task.rules and ".device" in inspect.getsource(task.slow):
        lines.append("- Create new tensors on the device of the inputs, as the loop does.")
    if task.limits:
        small, large = task.count_sizes
        lines.append(f"- The check counts what one call does, at sizes {small:,} and {large:,}:")
        lines += [f"  - {limit.rule(task.framework)}" for limit in task.limits]
    if task.target is not None:
        lines.append(
            f"- At size {task.race_size:,} your answer is at least {task.target:g}× as fast as the slow loop. If the "
            "measurement is too noisy to decide, you pass."
        )
    return "\n".join(lines)
