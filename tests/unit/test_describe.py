"""Short descriptions of wrong values and inputs: the digits that a difference needs, and lines that fit the page."""

import numpy as np
import pytest

from course_utils.core.line_breaks import LONGEST_LINE, break_lines
from course_utils.judging import describe
from course_utils.judging.difference import WrongValues


def beside(expected, given, dtype=np.float32):
    expected, given = np.array(expected, dtype), np.array(given, dtype)
    return describe.expected_and_given(WrongValues(expected, given, expected != given)).splitlines()


def test_right_values_next_to_wrong_ones_have_four_digits():
    assert beside([1.0583053, 0.3, 0.34357983], [1.0583053, -1.786, 0.34357983]) == [
        "  expected  1.058  0.3000  0.3436",
        "  given     1.058  -1.786  0.3436",
        "                   ^^^^^^",
    ]


def test_both_sides_get_enough_digits_to_differ():
    assert beside([1.0583054, 123456.0], [1.058305, 123457.0]) == [
        "  expected  1.0583054  123456",
        "  given     1.0583050  123457",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([(7, 5), (3,)], "[(7, 5), (3,)]"),
        ([], "[]"),
        ((1.5, "a"), "(1.5, 'a')"),
        (
            [(i, 10 * i) for i in range(40)],
            "[(0, 0), (1, 10), (2, 20), (3, 30), (4, 40), (5, 50), (6, 60), …]  (40 items)",
        ),
        ([np.zeros(2), np.zeros(2)], "2 parts: a ndarray, a ndarray"),
    ],
)
def test_lists_of_plain_values_read_as_python_writes_them(value, text):
    assert describe.describe(value) == text


def test_long_sentence_breaks_between_words_and_never_inside_code():
    text = describe.wrap_message(
        f"{'word ' * 15}and then `raise NotImplementedError()` is wanted.\n  values stay   as they are"
    )
    assert "`raise NotImplementedError()`" in text
    assert text.endswith("\n  values stay   as they are")
    assert max(map(len, text.splitlines())) <= 84


def test_a_row_that_is_too_long_for_one_line_is_broken_between_values():
    import torch

    thirds = describe.describe_inputs(lambda x: None, (torch.arange(1, 12, dtype=torch.float64) / 3,))
    assert "0.3333333333333333, 0.6666666666666666" in thirds and "  (float64)" in thirds
    assert all(len(line) <= LONGEST_LINE for line in thirds.splitlines())


def test_a_matrix_that_is_too_long_for_one_line_has_a_line_for_each_row():
    import torch

    few, many = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.arange(12.0).reshape(3, 4) / 7
    assert describe.describe_inputs(lambda few, many: None, (few, many)).splitlines() == [
        "  few       [[1, 2], [3, 4]]  (float32, shape (2, 2))",
        "  many      [[0, 0.14285715, 0.2857143, 0.42857143],",
        "             [0.5714286, 0.71428573, 0.85714287, 1],",
        "             [1.1428572, 1.2857143, 1.4285715, 1.5714285]]  (float32, shape (3, 4))",
    ]


def test_a_shape_stays_whole_and_the_page_breaks_no_line_of_an_input_again():
    import torch

    matrix = -torch.arange(1, 13).reshape(2, 6) / 7000
    shown = describe.describe_inputs(lambda matrix: None, (matrix,))
    assert shown.endswith("\n             (float32, shape (2, 6))")
    assert break_lines(shown) == shown
    losses = [torch.tensor(value, dtype=torch.float64) for value in (2.1311579713330167, 0.8727284794487723, 1.0)]
    assert "(float64, shape ()), …" in describe.describe_inputs(lambda losses: None, (losses,))
