"""The child process that measures one framework's peaks:
``python -m course_utils.limits.framework_worker torch cpu 1``.

It imports the framework, answers that it is ready, receives the seconds that it may take and the rates that other
frameworks reached, and answers with progress and its own rates. Separate processes keep the frameworks apart and out of
the kernel.
"""

from __future__ import annotations

import importlib
import json
import sys

from course_utils import frameworks, timing
from course_utils.core.processes import start_answering
from course_utils.frameworks import across_frameworks, devices
from course_utils.limits.benchmark_kernels import kernels_of
from course_utils.limits.framework_measurement import FrameworkMeasurement


def main(framework: str, device: str, threads: int) -> None:
    """Measure ``framework`` on ``device``, in dialog with the parent."""
    answer = start_answering()
    importlib.import_module(framework)
    try:
        devices.require(device)
    except devices.DeviceMissing as error:
        answer({"missing": str(error)})
        return
    with across_frameworks.threads(threads):
        kernels = kernels_of(framework, device)
        clock = timing.stopwatch(device)
        answer({"machine": devices.describe(device), "versions": frameworks.versions()})
        request = json.loads(sys.stdin.readline())
        start = clock.now()
        measurement = FrameworkMeasurement(kernels, device, clock, request["known_rates"])
        left_s = request["seconds"] - (clock.now() - start)
        measurement.run(left_s, lambda share, name: answer({"share": share, "name": name}))
        answer({"rates": measurement.rates()})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
