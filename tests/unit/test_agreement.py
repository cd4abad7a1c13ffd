"""Two results agree, or the difference is named."""

import numpy as np
import pytest

from course_utils.frameworks.agreement import close

torch = pytest.importorskip("torch")


def summed(order):
    generator = torch.Generator().manual_seed(1)
    x = torch.rand(100_000, generator=generator)
    return x.flip(0).sum() if order == "backwards" else x.sum()


@pytest.mark.parametrize(
    ("expected", "actual"),
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
def test_equal_results_agree(expected, actual):
    assert close(expected, actual) is None


@pytest.mark.parametrize(
    ("expected", "actual", "phrase"),
    [
        (torch.ones(2), torch.ones(3), "shape (3,) instead of (2,)"),
        (torch.ones(2), torch.ones(2, dtype=torch.float64), "dtype float64 instead of float32"),
        (torch.ones(2), np.ones(2, dtype=np.float32), "type ndarray instead of Tensor"),
        (torch.ones(2), [1.0, 1.0], "type list instead of Tensor"),
        (torch.ones(2), None, "type NoneType instead of Tensor"),
        (torch.ones(2), torch.tensor([1.0, 1.01]), "values that differ by up to 0.01"),
        (torch.zeros(2), torch.tensor([0.0, 284.0]), "values that differ by up to 280"),
        (torch.tensor([1.0]), torch.tensor([float("nan")]), "NaN at other positions"),
        (torch.tensor([1, 2]), torch.tensor([1, 3]), "other values"),
        (torch.linspace(0, 1, 1000), torch.linspace(0, 1, 1000).half().float(), "values that differ"),
        ((torch.ones(1),), (torch.ones(1), torch.ones(1)), "2 parts instead of 1"),
        ((torch.ones(1),), torch.ones(1), "type Tensor instead of tuple"),
        ({"a": 1}, [1], "type list instead of dict"),
        ({"a": 1}, {"b": 1}, "other keys"),
    ],
)
def test_difference_is_named(expected, actual, phrase):
    assert phrase in close(expected, actual)


@pytest.mark.parametrize(
    ("dtype", "shorter"), [("float64", "float32"), ("float32", "bfloat16"), ("float32", "float16")]
)
def test_tolerance_rejects_values_of_a_shorter_dtype(dtype, shorter):
    x = torch.rand(1000, dtype=getattr(torch, dtype), generator=torch.Generator().manual_seed(1))
    assert "values that differ" in close(x, x.to(getattr(torch, shorter)).to(x.dtype))


def test_float16_tolerance_accepts_values_rounded_to_bfloat16():
    x = torch.rand(1000, generator=torch.Generator().manual_seed(1)).half()
    assert close(x, x.bfloat16().half()) is None
