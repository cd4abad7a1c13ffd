"""``MatmulProbe``: measures the peak of matrix products, with matrices as large as the time allows."""

from __future__ import annotations

from course_utils.limits.benchmark_kernels import BenchmarkKernels, Kernel
from course_utils.limits.sampling import NEAR_BEST, Trial, best_rate
from course_utils.timing import Stopwatch

MAX_CPU_S, MAX_ACCELERATOR_S = 0.4, 0.012
"""Expected seconds of the largest product. A CPU core with 45 GFLOP/s or more reaches side 2,048. An accelerator multiplies
such matrices in far less time, and larger ones would take too much of its memory."""
FIRST_SIDE = 64
JUDGED_SIDE = 512  # from this side on, less than half of the known rate shows that another framework is faster


class MatmulProbe:
    """Measures floating-point operations per second of a square product in one dtype.

    Attributes:
        name: what is measured, for the progress message.
        rates: the figure's name → the best rate of each pass; empty if the dtype is not supported.
    """

    def __init__(self, kernels: BenchmarkKernels, device: str, dtype: str, known_rate: float) -> None:
        self.name = f"matmul peak in {dtype}"
        self.rates: dict[str, list[float]] = {}
        self._figure, self._dtype, self._known_rate = f"matmul {dtype}", dtype, known_rate
        self._kernels, self._max_s = kernels, MAX_CPU_S if device == "cpu" else MAX_ACCELERATOR_S
        self._products: list[Kernel] | None = None

    def is_outperformed(self) -> bool:
        """Return whether the dtype is not supported, or another framework has a higher rate."""
        if self._products is None:
            return False
        return max(self.rates.get(self._figure, [0.0])) <= self._known_rate

    def sample(self, clock: Stopwatch, hurried: bool = False) -> None:
        """Run one more pass; the first one finds the sides that come near the peak, and times each product once."""
        if self._products is None:
            rated = self._grow(clock)
            rate = max((rate for rate, _ in rated), default=0.0)
            self._products = [product for each, product in rated if each >= NEAR_BEST * rate]
        else:
            rate = max(best_rate(clock, Trial(product), hurried=hurried) for product in self._products)
        if rate:
            self.rates.setdefault(self._figure, []).append(rate)

    def _grow(self, clock: Stopwatch) -> list[tuple[float, Kernel]]:
        """Return products of matrices whose side doubles, each with its rate."""
        rated: list[tuple[float, Kernel]] = []
        side, seconds = FIRST_SIDE, 0.0
        while 8 * seconds <= self._max_s:
            try:
                product = self._kernels.matmul(self._dtype, side)
                if not rated:
                    product.run()  # the first product also initializes the library
                seconds = clock.block(product.run, (), 1)
            except Exception:  # noqa: BLE001 - each framework has its own error for what it cannot multiply or hold
                break
            rated.append((product.amount / seconds, product))
            if side >= JUDGED_SIDE and rated[-1][0] < self._known_rate / 2:
                break
            side *= 2
        return rated
