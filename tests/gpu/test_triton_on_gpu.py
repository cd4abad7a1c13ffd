"""On the GPU, Triton kernels give the interpreter's results and are timed."""

from __future__ import annotations

import pytest

from course_utils import compare, count
from course_utils.frameworks import triton_internals

needs_triton = pytest.mark.skipif(not triton_internals.is_usable(), reason="Triton is not installed, or is too old")


@needs_triton
def test_kernel_runs_on_the_gpu_between_two_runs_in_the_interpreter(cuda: str) -> None:
    import sample_kernels
    import torch

    x = torch.rand(1000)
    for device in ("cpu", cuda, "cpu", cuda):
        for program, block in ((sample_kernels.double_program, 128), (sample_kernels.methods_program, 1024)):
            result, counts = count(sample_kernels.launch, program, x.to(device), block)
            torch.testing.assert_close(result.cpu(), sample_kernels.launch(program, x, block))
            assert counts.kernels == (device == "cpu")


@needs_triton
def test_kernel_is_timed_on_the_gpu(cuda: str) -> None:
    import sample_kernels
    import torch

    x = torch.rand(2**20, device=cuda)
    own = lambda x: sample_kernels.launch(sample_kernels.double_program, x, 1024)
    measured = compare({"one operation": lambda x: 2 * x, "own kernel": own}, (x,), device=cuda, budget_s=2.0)
    assert not measured.errors
    assert 0 < measured.median_s("own kernel") < 0.1
