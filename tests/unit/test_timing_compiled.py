"""``compare`` on code that was compiled elsewhere: with other threads, another gradient mode, another shape."""

import pytest

torch = pytest.importorskip("torch")

from course_utils import compare, race
from course_utils.frameworks import across_frameworks


def double_and_add(x):
    return 2 * x + 1


@pytest.fixture
def compiled_function():
    """Return a compiled function; the backend leaves out code generation, but torch's compiler traces and guards as
    always.
    """
    torch.compiler.reset()
    yield torch.compile(double_and_add, backend="eager")
    torch.compiler.reset()


def compile_with_two_threads(function, x):
    with across_frameworks.threads(2):
        function(x)


def compile_without_gradients(function, x):
    with torch.no_grad():
        function(x)


def compile_for_another_shape(function, x):
    function(x[: len(x) // 2])


@pytest.mark.slow
@pytest.mark.parametrize(
    "compile_elsewhere", [compile_with_two_threads, compile_without_gradients, compile_for_another_shape]
)
def test_a_recompilation_is_left_out_of_the_times_and_reported(compiled_function, compile_elsewhere):
    x = torch.rand(1000)
    compile_elsewhere(compiled_function, x)
    result = compare({"eager": double_and_add, "compiled": compiled_function}, (x,), budget_s=0.6)
    assert result.rounds("compiled") >= 9
    assert result.median_s("compiled") < result.first_call_s("compiled") / 10
    assert result.ratio("compiled").low is not None
    assert result.compiling_s > 0
    assert result.notes["compiled"].startswith("'compiled' compiled code in 1 call (")


@pytest.mark.slow
def test_code_compiled_for_this_call_gets_no_note(compiled_function):
    x = torch.rand(1000)
    with across_frameworks.threads(1):
        compiled_function(x)
    result = compare({"eager": double_and_add, "compiled": compiled_function}, (x,), budget_s=0.6)
    assert result.compiling_s == 0
    assert not result.notes


@pytest.mark.slow
def test_a_race_times_code_that_was_compiled_with_other_threads(compiled_function):
    compile_with_two_threads(compiled_function, torch.rand(100))
    result = race(
        "compiled-elsewhere",
        {"eager": double_and_add, "compiled": compiled_function},
        inputs=lambda n, device: (torch.rand(n, device=device),),
        sizes=[10, 100, 1000],
    ).run(budget_s=1.0)
    points = [result.point("compiled", n) for n in (10, 100, 1000)]
    assert [point.status for point in points] == ["measured"] * 3
    assert all(point.ratio.low is not None for point in points)
