"""The process in which one framework's peaks are measured: ``python -m course_utils.limits.worker torch cpu 1``.

It imports the framework, says that it is ready, waits to be told how long it may take and what the frameworks before it
have reached, and prints what it finds as JSON lines. A process of its own keeps frameworks out of each other's way and out
of the learner's kernel.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from course_utils import timing
from course_utils.frameworks import devices
from course_utils.ground.processes import answering
from course_utils.ground.wording import GIB, KIB, MIB, size_in_bytes
from course_utils.limits.kernels import Backend, Kernel, kernels_of
from course_utils.limits.peaks import DTYPES

AGREEMENT = 0.10  # two passes that differ by more have not found a peak
PASSES = 2
MANY = 8
GRACE_S = 0.4  # that unsteady figures get when the time is over
BLOCKS = 5
BLOCK_S = 0.4e-3  # short enough that most blocks run between two interruptions by the system
BLOCKS_S = 0.03  # for all blocks of a kernel in one pass: where a call takes long, later passes are better spent
NEAR_BEST = 0.7  # what stays below this share of the best at first sight is not looked at more closely
MATMUL_S = 0.012  # the product of the largest matrices takes about this long


@dataclass
class Figure:
    """One peak in the making: what is tried for it, and the best rate of each pass, per second.

    ``rival`` is the rate that another framework has reached: one that is far from it need not be found exactly.
    """

    name: str
    kernels: Callable[[], list[Kernel]]
    rival: float = 0.0
    rates: list[float] = field(default_factory=list)
    kept: tuple[int, ...] | None = None

    def settled(self) -> bool:
        """Whether the best rate was reached twice, be it by two frameworks, or another framework's is out of reach."""
        return agree(self.rates) or agree([*self.rates, self.rival]) or self.beaten()

    def beaten(self) -> bool:
        """Whether another framework has reached what this one will not."""
        return bool(self.rates) and max(self.rates) < NEAR_BEST * self.rival

    def try_again(self, clock: timing.Stopwatch) -> None:
        """One more pass over the kernels; from the second on, over those that came near the best."""
        kernels = self.kernels()
        rates: dict[int, float] = {}
        for index in range(len(kernels)) if self.kept is None else self.kept:
            rates[index] = best_rate(clock, kernels[index], max(self.rival, *rates.values(), 0.0))
        best = max(rates.values())
        self.kept = self.kept or tuple(index for index, rate in rates.items() if rate > NEAR_BEST * best)
        self.rates.append(best)


def agree(rates: list[float]) -> bool:
    """Whether the two best of ``rates`` differ by no more than ``AGREEMENT``; of ``MANY`` the very best may stand alone.

    Where data just fit a cache, their speed depends on where in memory they happen to lie: one pass is lucky then.
    """
    ordered = sorted(rates, reverse=True)
    if len(rates) >= MANY:
        return _near(*ordered[:2]) or _near(*ordered[1:3])
    return len(rates) >= PASSES and _near(*ordered[:2])


def _near(better: float, worse: float) -> bool:
    return better - worse <= AGREEMENT * better


def best_rate(clock: timing.Stopwatch, kernel: Kernel, rival: float = 0.0) -> float:
    """The fastest of a few short blocks: what disturbs a block only ever makes it slower.

    A kernel that is far behind ``rival`` in its first block gets no other.
    """
    clock.block(kernel.run, (), 1)
    calls = 1
    while (first_s := clock.block(kernel.run, (), calls)) < BLOCK_S / 2:
        calls *= 2
    work = kernel.amount * calls
    if work < NEAR_BEST * rival * first_s:
        return work / first_s
    blocks = max(1, min(BLOCKS, int(BLOCKS_S / first_s)))
    return work / min(first_s, *(clock.block(kernel.run, (), calls) for _ in range(blocks)))


def title(name: str) -> str:
    """The name of a figure in words: ``"bandwidth 65536"`` becomes ``"memory bandwidth at 64 KB"``."""
    kind, _, which = name.partition(" ")
    if kind == "bandwidth":
        return f"memory bandwidth at {size_in_bytes(int(which))}"
    return f"matmul peak in {which}" if kind == "matmul" else "launch cost"


def figures(backend: Backend, device: str, clock: timing.Stopwatch, rivals: Mapping[str, float]) -> list[Figure]:
    """Everything that is measured, the launch cost first; ``rivals`` are what other frameworks have reached, by name."""
    kernels: dict[str, Callable[[], list[Kernel]]] = {"launch": backend.launch}
    for size in rungs(device):
        kernels[f"bandwidth {size}"] = partial(backend.bandwidth, size)
    for dtype in DTYPES:
        products = matmuls(backend, dtype, clock)
        if products:
            kernels[f"matmul {dtype}"] = products.copy
    return [Figure(name, make, rivals.get(name, 0.0)) for name, make in kernels.items()]


def rungs(device: str) -> list[int]:
    """Working sets in bytes, each twice the one before: from a first cache to well past the last one."""
    lowest, highest = (16 * KIB, 256 * MIB) if device == "cpu" else (64 * KIB, GIB)
    return [lowest << step for step in range((highest // lowest).bit_length())]


def matmuls(backend: Backend, dtype: str, clock: timing.Stopwatch) -> list[Kernel]:
    """Products of growing matrices, up to the size that takes ``MATMUL_S``; none where the dtype is not supported."""
    kernels: list[Kernel] = []
    n = 64
    last_s = 0.0
    while 8 * last_s < MATMUL_S:
        try:
            kernel = backend.matmul(dtype, n)
            kernel.run()
        except Exception:  # noqa: BLE001 - each framework has its own error for what it cannot multiply or hold
            break
        kernels.append(kernel)
        last_s = clock.block(kernel.run, (), 1)
        n *= 2
    return kernels[-3:]


def run(todo: list[Figure], clock: timing.Stopwatch, seconds: float, say: Callable[[float, str], None]) -> None:
    """Pass over the figures until the time is over, then for ``GRACE_S`` over those whose best was reached only once.

    Two passes that agree may both have met the same busy neighbour: so the time is used up even when they do.
    """
    start = clock.now()

    def over(grace_s: float = 0.0) -> bool:
        return clock.now() - start >= seconds + grace_s

    for number in count():
        left = [figure for figure in todo if not figure.settled() or not (over() or figure.beaten())]
        if not left or (over(GRACE_S) and number >= PASSES):
            return
        for figure in left:
            if not (over() and figure.settled()):
                say(min(1.0, (clock.now() - start) / seconds), figure.name)
                figure.try_again(clock)


def main(framework: str, device: str, threads: int) -> None:
    """Speak with the parent over the standard streams."""
    answer = answering()
    importlib.import_module(framework)
    try:
        devices.require(device)
    except devices.DeviceMissing as error:
        answer({"missing": str(error)})
        return
    with devices.threads(threads):
        backend = kernels_of(framework, device, max(rungs(device)))
        clock = timing.stopwatch(device)
        answer({"machine": devices.describe(device), "versions": devices.versions()})
        order = json.loads(sys.stdin.readline())
        start = clock.now()
        todo = figures(backend, device, clock, order["rivals"])
        seconds = order["seconds"] - (clock.now() - start)
        run(todo, clock, seconds, lambda share, name: answer({"share": share, "name": name}))
        answer({"rates": {figure.name: figure.rates for figure in todo}})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
