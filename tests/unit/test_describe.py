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


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        ("", ""),
        ("one\ntwo", "one"),
        (f"{PLACE} Reduction axis 1 is empty in shape [3,0] [Op:ArgMax] name: ", "Reduction axis 1 is empty in shape [3,0]"),
        (
            CONCAT,
            "Shapes are [4] and [3].",
        ),
        (f"{PLACE} \n\n!!! Detected Infinity or NaN in output 0 !!!\n  dtype: float32", "!!! Detected Infinity or NaN in output 0 !!!"),
        ('in user code:\n\n    File "a.py", line 2, in f  *\n        assert False\n\n    AssertionError: \n', ""),
        (
            GATHER,
            "indices = 9 is not in [0, 4)",
        ),
        (
            SEVERAL,
            "too large",
        ),
    ],
)  # fmt: skip
def test_only_the_decisive_line_of_a_long_message_is_shown(message, meaning):
    assert error_hints.main_line(ValueError(message) if message else ValueError()) == meaning


def test_mixed_dtypes_get_a_message():
    text = error_hints.hint_for(
        "cannot compute Mul as input #1 was expected to be a double tensor but is a float tensor"
    )
    assert text.startswith("TensorFlow does not combine float64 with float32:")
    assert error_hints.hint_for("Shapes are [4] and [3].") == ""


def test_operation_that_tensorflow_lacks_for_a_dtype_gets_a_message():
    text = error_hints.hint_for("Could not find device for node: {{node Einsum}} = Einsum[N=2, T=DT_INT16]")
    assert text.startswith("TensorFlow has no Einsum for this dtype:")


def test_method_that_a_tensorflow_tensor_lacks_gets_a_message():
    text = error_hints.hint_for("'tensorflow.python.framework.ops.EagerTensor' object has no attribute 'mul'")
    assert text.startswith("TensorFlow's operations are functions, not methods of a tensor:")


X, WEIGHTS = (2, 4), (3, 4, 5)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (
            lambda torch, x, w: torch.bmm(x, w),
            "Argument 1 of the batched product must have three dimensions",
        ),
        (lambda torch, x, w: torch.bmm(x[None], w), "it expects the shape (1, 4, …) and gets (3, 4, …)."),
        (
            lambda torch, x, w: torch.vmap(torch.matmul)(x, w),
            "these have 2, 3 items there. Pass None for an argument",
        ),
        (lambda torch, x, w: torch.vmap(torch.matmul, in_dims=(0,))(x, w), "in_dims needs one entry for each argument"),
        (lambda torch, x, w: torch.vmap(torch.mul)(x, 3), "has the type int: pass None for it in in_dims"),
        (
            lambda torch, x, w: max(x, x + 1),
            "torch.maximum, torch.minimum and torch.where work element by element.",
        ),
        (lambda torch, x, w: torch.vmap(lambda row: row if row.sum() > 0 else -row)(x), "torch.where chooses for each"),
        (lambda torch, x, w: torch.vmap(lambda row: row * row.sum().item())(x), "Python cannot read it"),
        (lambda torch, x, w: torch.vmap(lambda row: row[row > 0])(x), "every item's result must have the same shape"),
        (
            lambda torch, x, w: torch.einsum("bf,hfo->hbo", x, w.mT),
            "f stands for a dimension of 4 in one argument and of 5",
        ),
        (
            lambda torch, x, w: torch.einsum("nij,hjk->nik", x, w),
            "there are 3 letters for 2 dimensions. Three dots stand for any",
        ),
        (lambda torch, x, w: torch.einsum("...bij->...bj", x), "there are 3 letters for 2 dimensions."),
    ],
)
def test_torchs_errors_on_batches_are_reworded(wrong, says):
    torch = pytest.importorskip("torch")
    with pytest.raises((RuntimeError, ValueError)) as raised:
        wrong(torch, torch.ones(X), torch.ones(WEIGHTS))
    assert says in without_its_line(describe.describe_error(raised.value, wrong))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda torch, x: x - x.amin((1, 2)), "keepdim=True leaves a 1 in its position"),
        (lambda torch, x: x.min((1, 2)), "min takes one dimension; amin and amax take several, as in x.amin((1, 2))."),
        (lambda torch, x: x.min(dim=(1, 2)), "as in x.amin((1, 2))."),
        (lambda torch, x: torch.max(x, (1, 2)), "as in x.amax((1, 2))."),
        (lambda torch, x: x.max((1, 2), keepdim=True), "as in x.amax((1, 2))."),
        (lambda torch, x: x - x.min(1), "min along a dimension returns values and indices: take .values."),
        (lambda torch, x: x.max(1).view(3, 1, 1), "max along a dimension returns values and indices: take .values."),
        (
            lambda torch, x: torch.stack([each for each in x[:0]]),
            "The list of tensors is empty. For empty inputs, return",
        ),
        (
            lambda torch, x: x[0].char() @ x[0, 0],
            "This operation needs tensors of one dtype: convert one with .to(x.dtype)",
        ),
        (
            lambda torch, x: torch.vmap(lambda value: 2 * value)(x[0, 0, :0]),
            "vmap selects one if it maps over single values.",
        ),
        (lambda torch, x: x[:0].view(0, -1), "or use flatten"),
        (lambda torch, x: x.mT.view(-1), "reshape copies such a tensor"),
        (lambda torch, x: beside[(4,)](x), "a kernel has @triton.jit in the line above its def"),
        (
            lambda torch, x: torch.cat([each for each in x[:0]]),
            "For empty inputs, return an empty result of the right shape.",
        ),
        (lambda torch, x: torch.conv1d(x.double(), x[:, :4]), "This operation needs tensors of one dtype"),
        (lambda torch, x: x[0].double() @ x[0].mT, "with the input's dtype: dtype=x.dtype"),
    ],
)
def test_torchs_errors_on_axes_and_dtypes_get_a_remedy(wrong, says):
    torch = pytest.importorskip("torch")
    with pytest.raises((RuntimeError, TypeError, ValueError, AttributeError, IndexError)) as raised:
        wrong(torch, torch.ones(WEIGHTS))
    assert says in without_its_line(describe.describe_error(raised.value, wrong))


def test_counts_without_minlength_get_their_own_remedy():
    torch = pytest.importorskip("torch")
    labels, sums = torch.tensor([4, 1, 4]), torch.ones(6)

    def counted(labels):
        counts = torch.bincount(labels)
        return sums / counts

    def padded(labels):
        return sums[:3] / torch.bincount(labels, minlength=6)

    for function, says in ((counted, "pass the number of groups as `minlength`"), (padded, "keepdim=True")):
        with pytest.raises(RuntimeError) as raised:
            function(labels)
        assert says in describe.describe_error(raised.value, function)


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
