"""A convolution needs the products of its kernel with the image, not those with the padding."""

import pytest
import torch
from torch.nn import functional

from course_utils.counting.convolution_flops import Axis


@pytest.mark.parametrize("size", [2, 5, 9])
@pytest.mark.parametrize(
    ("kernel", "stride", "padding", "dilation"), [(3, 1, 1, 1), (3, 2, 4, 4), (5, 3, 2, 1), (1, 2, 0, 1)]
)
def test_products_are_the_sum_of_a_convolution_of_ones(size, kernel, stride, padding, dilation):
    ones = functional.conv1d(torch.ones(1, 1, size), torch.ones(1, 1, kernel), None, stride, padding, dilation)
    axis = Axis(ones.shape[-1], kernel, size, stride, padding, dilation)
    assert axis.products() == ones.sum()
