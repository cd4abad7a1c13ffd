"""What an error of a learner's function means: the framework's decisive line, and a remedy."""

import pytest

from course_utils.judging import describe, error_hints

PLACE = "{{function_node __wrapped__ArgMax_device_/job:localhost/replica:0/task:0/device:CPU:0}}"

CONCAT = (
    'in user code:\n\n    File "a.py", line 2, in f  *\n        return x\n\n    ValueError: Shapes are [4] and [3]. '
    "for '{{node concat}} = ConcatV2[N=2](x)' with input shapes: [4,3], [3,5].\n"
)

GATHER = (
    "Graph execution error:\n\nDetected at node Gather defined at (most recent call last):\n"
    '  File "a.py", line 4, in h\n\nindices = 9 is not in [0, 4)\n\t [[{{node Gather}}]] [Op:__inference_h_1]'
)

SEVERAL = (
    "Graph execution error:\n\nDetected at node A\n2 root error(s) found.\n  (0) INVALID_ARGUMENT:  too large\n"
    "\t [[{{node A}}]]\n  (1) CANCELLED:  late\n0 successful operations.\n0 derived errors ignored. [Op:h]"
)


SCRIPT = (
    "The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript (most recent call last):\n"
    '  File "a.py", line 2, in f\n    return x.mm(x)\n           ~~~~ <--- HERE\nRuntimeError: self must be a matrix'
)


def without_its_line(described):
    """Return a described error without the line that raised it, because that line also contains the expected words."""
    return described.partition(" raised ")[2]


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
        (
            f"{PLACE} \n\n!!! Detected Infinity or NaN in output 0 !!!\n  dtype: float32",
            "!!! Detected Infinity or NaN in output 0 !!!",
        ),
        ('in user code:\n\n    File "a.py", line 2, in f  *\n        assert False\n\n    AssertionError: \n', ""),
        (SCRIPT, "self must be a matrix"),
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


EAGER = "tensorflow.python.framework.ops.EagerTensor"
SYMBOLIC = "symbolic `tf.Tensor` as a Python `bool` is not allowed."


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("Could not find device for node: {{node Einsum}} = Einsum[N=2, T=DT_INT16]", "TensorFlow has no Einsum for this"),
        (f"'{EAGER}' object has no attribute 'mul'", "TensorFlow's operations are functions, not methods of a tensor:"),
        ("EagerTensor object has no attribute 'T'. ", "TensorFlow's operations are functions, not methods of a tensor:"),
        (f"'{EAGER}' object does not support item assignment", "TensorFlow's tensors can't be changed: tf.where and"),
        ("only integer scalar arrays can be converted to a scalar index", "A list takes one integer as its index."),
        (f"{PLACE} In[1] ndims must be >= 2 [Op:MatMul] name: ", "tf.linalg.matvec multiplies a matrix by a vector."),
        ("Matrix size-incompatible: In[0]: [1,3], In[1]: [2,3]", "transpose_b=True reads the right one transposed."),
        ("Inner dimensions of output shape must match inner dimensions of updates shape.", "pass a vector of row numbers as"),
        (f"Using a {SYMBOLIC} You can attempt the following resolutions to the problem:", "is not allowed. While TensorFlow"),
        ("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()", "ambiguous. Python's"),
    ],
)  # fmt: skip
def test_tensorflows_errors_get_a_remedy(message, says):
    assert says in describe.describe_error(ValueError(message), len)


def test_a_checkpointed_function_made_in_a_loop_gets_a_remedy():
    error = ValueError("torch.utils.checkpoint: A different number of tensors was saved during the original forward")
    assert "sees the last value of the loop's variable" in describe.describe_error(error, len)


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
            lambda torch, x, w: x > 0 or x < 1,
            "&, |, torch.where, torch.maximum and torch.minimum work element by element.",
        ),
        (lambda torch, x, w: torch.vmap(lambda row: row if row.sum() > 0 else -row)(x), "torch.where chooses for each"),
        (lambda torch, x, w: torch.vmap(lambda row: row * row.sum().item())(x), "Python cannot read it"),
        (
            lambda torch, x, w: torch.vmap(lambda row: None)(x),
            "got type NoneType. The function that vmap maps returns nothing",
        ),
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
        (lambda torch, x: x - x.min(1), "min along a dimension returns values and indices: take .values or .indices."),
        (
            lambda torch, x: x.max(1).view(3, 1, 1),
            "max along a dimension returns values and indices: take .values or .indices.",
        ),
        (lambda torch, x: x.sort(1, stable=True), "by name, as in x.sort(dim=1, stable=True)."),
        (lambda torch, x: torch.argsort(x, 1, True, stable=True), "as in x.argsort(dim=1, stable=True)."),
        (lambda torch, x: x > 0 | x < 1, "put each comparison in parentheses"),
        (
            lambda torch, x: torch.stack([each for each in x[:0]]),
            "The list of tensors is empty. If the inputs are empty, return",
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
        (lambda torch, x: without_its_line[(4,)](x), "a kernel has @triton.jit in the line above its def"),
        (
            lambda torch, x: torch.cat([each for each in x[:0]]),
            "If the inputs are empty, return an empty result of the right shape.",
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


def test_a_batch_with_all_axes_reversed_gets_its_own_remedy():
    message = "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"
    assert "`.mT` swaps the last two" in error_hints.hint_for(message, lambda x: x @ x.T)
    assert ".mT" not in error_hints.hint_for(message, lambda x: x @ x.mT)


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
