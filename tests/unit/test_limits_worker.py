"""What counts as a peak, with a clock and kernels that are made up, so that every figure is exact."""

from itertools import chain, repeat

import pytest

from course_utils.limits import worker
from course_utils.limits.kernels import Kernel, kernels_of
from course_utils.limits.worker import Figure, agree, best_rate, run

NO_TIME = 1e-9  # is over after the first pass


class FakeClock:
    """A clock that a kernel moves: calling ``spend(seconds)`` takes that long."""

    def __init__(self):
        self.time = 0.0
        self.calls = 0

    def now(self):
        return self.time

    def spend(self, seconds):
        self.time += seconds
        self.calls += 1

    def block(self, function, args, calls):
        start = self.time
        for _ in repeat(None, calls):
            function(*args)
        return self.time - start


@pytest.fixture
def clock():
    return FakeClock()


def kernel(clock, seconds_of_each_call, amount=1.0):
    times = iter(seconds_of_each_call)
    return Kernel(lambda: clock.spend(next(times)), amount)


def test_the_best_block_counts(clock):
    disturbed = kernel(clock, [1.0, 0.004, 0.003, 0.001, 0.002, 0.003, 0.004], amount=5.0)
    assert best_rate(clock, disturbed) == pytest.approx(5.0 / 0.001)


def test_a_long_call_is_looked_at_twice_in_a_pass(clock):
    assert best_rate(clock, kernel(clock, [1.0, 0.05, 0.04])) == pytest.approx(1 / 0.04)


def test_a_short_kernel_is_repeated_until_the_block_is_long_enough(clock):
    assert best_rate(clock, kernel(clock, repeat(1e-6))) == pytest.approx(1e6)
    assert clock.time > worker.BLOCKS * worker.BLOCK_S / 2


def test_a_kernel_far_behind_its_rival_gets_one_look(clock):
    best_rate(clock, kernel(clock, repeat(0.001)), rival=2000.0)
    assert clock.calls == 2


@pytest.mark.parametrize(
    ("rates", "expected"),
    [([], False), ([100.0], False), ([100.0, 90.0], True), ([100.0, 89.9], False), ([50.0, 99.0, 20.0, 100.0], True)]
    + [([120.0, 100.0, 95.0, *[50.0] * 5], True), ([120.0, 100.0, 95.0], False), ([150.0, 120.0, *[90.0] * 6], False)],
)
def test_a_peak_is_one_that_was_reached_twice(rates, expected):
    assert agree(rates) is expected


def test_a_steady_figure_takes_two_passes_and_the_fastest_kernel_wins(clock):
    figure = Figure("launch", lambda: [kernel(clock, repeat(0.004)), kernel(clock, repeat(0.001))])
    run([figure], clock, seconds=NO_TIME, say=lambda share, name: None)
    assert figure.rates == pytest.approx([1000.0, 1000.0])
    assert figure.kept == (1,)


def test_an_unsteady_figure_is_tried_again_until_its_best_is_reached_twice(clock):
    paces = iter([0.001, 0.002, 0.002, 0.001])
    figure = Figure("launch", lambda: [kernel(clock, repeat(next(paces)))])
    run([figure], clock, seconds=NO_TIME, say=lambda share, name: None)
    assert figure.rates == pytest.approx([1000.0, 500.0, 500.0, 1000.0])


def test_time_that_is_left_goes_into_more_passes_since_two_may_have_met_the_same_neighbour(clock):
    paces = chain([0.004, 0.004], repeat(0.001))
    figure = Figure("launch", lambda: [kernel(clock, repeat(next(paces)))])
    run([figure], clock, seconds=0.1, say=lambda share, name: None)
    assert max(figure.rates) == pytest.approx(1000.0)
    assert agree(figure.rates)
    assert clock.time < 0.12


def test_a_peak_that_two_frameworks_reached_needs_no_second_pass_in_either(clock):
    figure = Figure("bandwidth 65536", lambda: [kernel(clock, repeat(0.001))], rival=1050.0)
    run([figure], clock, seconds=NO_TIME, say=lambda share, name: None)
    assert figure.rates == pytest.approx([1000.0])


def test_a_figure_that_never_settles_gets_a_little_more_time_and_no_more(clock):
    pace = iter(0.8**index for index in range(1000))
    figure = Figure("launch", lambda: [kernel(clock, repeat(0.02 * next(pace)))])
    run([figure], clock, seconds=NO_TIME, say=lambda share, name: None)
    assert not agree(figure.rates)
    assert worker.GRACE_S <= clock.time < worker.GRACE_S + 0.05


def test_the_time_may_end_in_the_midst_of_a_pass(clock):
    figures = [Figure(name, lambda: [kernel(clock, repeat(1 / 128))]) for name in ("first", "second", "third")]
    run(figures, clock, seconds=0.3, say=lambda share, name: None)
    assert [len(figure.rates) for figure in figures] == [3, 3, 2]


def test_a_framework_that_is_out_of_the_running_is_not_measured_to_the_end(clock):
    figure = Figure("matmul float16", lambda: [kernel(clock, repeat(0.001))], rival=1e6)
    run([figure], clock, seconds=60.0, say=lambda share, name: None)
    assert len(figure.rates) == 1


def test_progress_grows_and_names_what_is_measured(clock):
    told = []
    todo = [Figure(name, lambda: [kernel(clock, repeat(0.01))]) for name in ("launch", "bandwidth 65536")]
    run(todo, clock, seconds=0.2, say=lambda share, name: told.append((share, worker.title(name))))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert 0.5 < shares[-1] <= 1.0
    assert [name for _, name in told[:3]] == ["launch cost", "memory bandwidth at 64 KB", "launch cost"]


@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_kernels_count_what_they_touch(framework):
    pytest.importorskip(framework)
    size = 2**20
    kernels = kernels_of(framework, "cpu", size)
    for each in kernels.bandwidth(size):
        each.run()
        assert 0.9 * size <= each.amount <= size
    for each in kernels.launch():
        each.run()
        assert each.amount == 1
    product = kernels.matmul("float32", 64)
    assert product.run().shape == (64, 64)
    assert product.amount == 2 * 64**3
