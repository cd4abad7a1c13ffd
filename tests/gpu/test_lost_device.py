"""A GPU without memory ends a race and stays usable; a GPU that vanishes ends a race in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys

from course_utils.races import race

# After a device-side assertion, every later CUDA call of the process fails, as for a GPU that has fallen off the bus.
VANISH = """
import json, sys
import torch
from course_utils.frameworks import devices
from course_utils.races import race

def vanish(x):
    return x[torch.full((1,), len(x) + 1, device=x.device)] if len(x) > 4 else x + 1

def ones(n, device):
    return (torch.ones(n, device=device),)

contenders = {"stays": lambda x: x + 1, "vanishes": vanish}
result = race("vanish", contenders, ones, [4, 64, 256]).run(device=sys.argv[1], budget_s=1.0)
points = [(point.size, point.status, point.note) for point in result.points]
print(json.dumps({"points": points, "devices": devices.available()}))
"""


def test_out_of_memory_ends_a_race_and_the_next_one_runs(cuda: str) -> None:
    import torch

    everything = torch.cuda.mem_get_info(cuda)[1]  # so many floats need four times the GPU's memory

    def too_much(x: torch.Tensor) -> int:
        return torch.ones(1000 if len(x) < 2000 else everything, device=x.device).numel()

    def ones(n: int, device: str) -> tuple[torch.Tensor]:
        return (torch.ones(n, device=device),)

    result = race("full", {"fits": lambda x: 1000, "too much": too_much}, ones, [1000, 2000]).run(
        device=cuda, budget_s=2.0
    )
    statuses = {point.size: point.status for point in result.points if point.contender == "too much"}
    assert statuses == {1000: "measured", 2000: "memory"}
    (point,) = race("after", {"clone": lambda x: x.clone()}, ones, [1000]).run(device=cuda, budget_s=0.5).points
    assert point.status == "measured"


def test_vanished_gpu_ends_a_race_in_one_sentence(cuda: str) -> None:
    process = subprocess.run([sys.executable, "-c", VANISH, cuda], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr[-2000:]
    outcome = json.loads(process.stdout.splitlines()[-1])
    assert {status for size, status, _ in outcome["points"] if size == 4} == {"measured"}
    notes = {note for size, status, note in outcome["points"] if size > 4 and status in ("failed", "skipped")}
    (note,) = notes
    assert f"because {cuda} stopped working" in note and "\n" not in note
    assert cuda not in outcome["devices"]
