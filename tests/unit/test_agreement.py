"""When two results count as the same."""

import numpy as np
import pytest

from course_utils.frameworks.agreement import close

torch = pytest.importorskip("torch")


def summed(order):
    generator = torch.Generator().manual_seed(1)
    x = torch.rand(100_000, generator=generator)
    return x.flip(0).sum() if order == "backwards" else x.sum()


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (torch.arange(4.0), torch.arange(4.0)),
        (torch.tensor([float("nan"), float("inf")]), torch.tensor([float("nan"), float("inf")])),
        (summed("forwards"), summed("backwards")),
        (torch.zeros(0, 3), torch.zeros(0, 3)),
        ((torch.ones(2), [torch.ones(3)]), (torch.ones(2), [torch.ones(3)])),
        ({"a": torch.ones(2)}, {"a": torch.ones(2)}),
        (torch.ones(2, dtype=torch.bfloat16), torch.ones(2, dtype=torch.bfloat16)),
        (torch.ones(2, requires_grad=True), torch.ones(2)),
        (3, 3),
        (np.arange(3), np.arange(3)),
    ],
)
def test_equal_results_agree(expected, given):
    assert close(expected, given) is None


@pytest.mark.parametrize(
    ("expected", "given", "because"),
    [
        (torch.ones(2), torch.ones(3), "shape (3,) instead of (2,)"),
        (torch.ones(2), torch.ones(2, dtype=torch.float64), "dtype float64 instead of float32"),
        (torch.ones(2), np.ones(2, dtype=np.float32), "a ndarray instead of a Tensor"),
        (torch.ones(2), [1.0, 1.0], "a list instead of a Tensor"),
        (torch.ones(2), None, "a NoneType instead of a Tensor"),
        (torch.ones(2), torch.tensor([1.0, 1.01]), "values that differ by up to 0.01"),
        (torch.tensor([1.0]), torch.tensor([float("nan")]), "NaN in other places"),
        (torch.tensor([1, 2]), torch.tensor([1, 3]), "other values"),
        (torch.rand(1000), torch.rand(1000).half().float(), "values that differ"),
        ((torch.ones(1),), (torch.ones(1), torch.ones(1)), "a tuple instead of 1 parts"),
        ({"a": 1}, {"b": 1}, "other keys"),
    ],
)
def test_differences_are_named(expected, given, because):
    assert because in close(expected, given)
