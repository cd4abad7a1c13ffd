"""The process in which one framework's peaks are measured: ``python -m course_utils.limits.framework_worker torch cpu 1``.

It imports the framework, says that it is ready, waits to be told how long it may take and what the frameworks before it
have reached, and prints what it finds as JSON lines. A process of its own keeps frameworks out of each other's way and out
of the learner's kernel.
"""

from __future__ import annotations

import importlib
import json
import sys

from course_utils import frameworks, timing
from course_utils.core.processes import start_answering
from course_utils.frameworks import devices, runtime
from course_utils.limits.benchmark_kernels import kernels_of
from course_utils.limits.framework_measurement import FrameworkMeasurement


def main(framework: str, device: str, threads: int) -> None:
    """Speak with the parent over the standard streams."""
    answer = start_answering()
    importlib.import_module(framework)
    try:
        devices.require(device)
    except devices.DeviceMissing as error:
        answer({"missing": str(error)})
        return
    with runtime.threads(threads):
        backend = kernels_of(framework, device)
        clock = timing.stopwatch(device)
        answer({"machine": devices.describe(device), "versions": frameworks.versions()})
        order = json.loads(sys.stdin.readline())
        start = clock.now()
        ladders = FrameworkMeasurement(backend, device, clock, order["rivals"])
        ladders.run(
            order["seconds"] - (clock.now() - start), lambda share, name: answer({"share": share, "name": name})
        )
        answer({"rates": ladders.rates()})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
