"""What is worth telling of an error that a learner's function raised: the learner's own line, and what the framework meant to say.

TensorFlow wraps its messages in the names of nodes and functions that nobody wrote; these go, the sentence stays. Where the
sentence speaks of things that the learner never named, another one says what it means.
"""

from __future__ import annotations

import inspect
import linecache
import re
import traceback
from collections.abc import Callable

_NOISE = re.compile(
    r"\{\{function_node [^}]*\}\}\s*"  # where TensorFlow placed the operation
    r"| for '\{\{node .*"  # the node, with all of its attributes
    r"|\s*\[Op:[^\]]*\].*"  # and its name: "[Op:Mul] name:"
    r"|, but expected one of:$"  # the ways to call it, which fill many lines
)
_IN_USER_CODE = "in user code:"
_IN_A_GRAPH = "Graph execution error:"
_REWRITTEN = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in \S+  \*')  # the star: by AutoGraph
_ERROR_LINE = re.compile(r"\w*(?:Error|Exception|Iteration|Interrupt|Exit):(.*)")
_FIRST_OF_SEVERAL = re.compile(r"\(0\) [A-Z_]+: (.+)")
_TWO_DTYPES = (
    re.compile(r"has type (\w+) that does not match type (\w+)"),
    re.compile(r"expected to be an? (\w+) tensor but is an? (\w+) tensor"),
)
# What torch says → what it means and what helps, where its own words name things that the learner did not write.
_EXPLAINED = (
    (
        re.compile(r"Boolean value of Tensor with more than one value is ambiguous"),
        (
            "Python's max, min and if ask for one True or False, and this tensor holds one for each number. torch.maximum, "
            "torch.minimum and torch.where ask for each number by itself."
        ),
    ),
    (
        re.compile(r"batch(\d) must be a 3D tensor"),
        (
            "Argument {0} of the batched product has not three axes, and bmm broadcasts nothing: it wants (pieces, rows, "
            "columns) on both sides. x.expand(pieces, -1, -1) shows one matrix as many; @ does that by itself."
        ),
    ),
    (
        re.compile(r"first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]"),
        (
            "A batched product takes (pieces, rows, columns) times (pieces, columns, out): on the right it wants the shape "
            "({0}, {1}, …) and gets ({2}, {3}, …). Which axis stands in another place, or is missing?"
        ),
    ),
    (
        re.compile(r"same size in the mapped dimension, got sizes \[([\d, ]+)\]"),
        (
            "vmap cuts every argument along axis 0 unless told, and these give {0} pieces. An argument that all pieces share is "
            "told by None, as in vmap(f, in_dims=(None, 0))."
        ),
    ),
    (
        re.compile(r"in_dims is not compatible with the structure of `inputs`"),
        (
            "in_dims has one entry for each argument of the function: the axis along which its pieces lie, or None where all "
            "pieces share it."
        ),
    ),
    (
        re.compile(r"Got in_dim=\S+ for an input but the input is of type <class '(?:\w+\.)*(\w+)'>"),
        (
            "vmap cuts tensors into pieces, and one argument is none but of type {0}: give that one None in in_dims, or let "
            "the function know it from outside."
        ),
    ),
    (
        re.compile(r"in some data-dependent control flow|calling \.item\(\) on a Tensor"),
        (
            "Within vmap a value is not one number but one for each piece, so Python cannot ask for it: torch.where chooses for "
            "each piece."
        ),
    ),
    (
        re.compile(r"batching operators that can support dynamic shape"),
        (
            "Within vmap every piece must come out with the same shape, and a mask picks from each another number of values: "
            "torch.where keeps the shape."
        ),
    ),
    (
        re.compile(
            r"subscripts in the equation \((\d+)\) (?:does not match|is more than) the number of dimensions \((\d+)\)"
        ),
        (
            "Each axis has one letter, and here {0} stand for {1} axes. Three dots stand for all axes in front, however many, as in "
            '"...ik,...kj->...ij".'
        ),
    ),
    (
        re.compile(r"einsum\(\): subscript (\w) has size (\d+) for operand \d+ which does not broadcast .* size (\d+)"),
        (
            "The letter {0} stands for an axis of {2} in one argument and of {1} in another: does each letter stand in the place "
            "of its axis?"
        ),
    ),
    (
        re.compile(r"size of tensor a \(\d+\) must match the size of tensor b \(\d+\)"),
        (
            "Shapes are held against each other from the right, and two sizes fit where they are equal or one of them is 1. "
            "Where a reduction took an axis away, keepdim=True leaves a 1 in its place, so that broadcasting fits."
        ),
    ),
    (
        re.compile(
            r"\b(min|max)\(\)(?:: argument 'dim' .*must be int, not tuple| received .* got \((?:Tensor, )?(?:dim=)?tuple)"
        ),
        "{0} takes one axis; amin and amax take several, as in x.a{0}((1, 2)).",
    ),
    (
        re.compile(r"torch\.return_types\.(min|max|sort|topk|median|mode|kthvalue|cummin|cummax)\b"),
        "{0} along an axis returns values and indices: take .values.",
    ),
    (
        re.compile(r"scalar type (?:Double|Float|Half|BFloat16) but found|to have the same dtype, but got"),
        (
            "Tensors of two dtypes meet here, and this operation joins no two. One that you make yourself takes the input's: "
            "dtype=x.dtype, or x.new_full(…) and its like, which take the device as well."
        ),
    ),
    (
        re.compile(r"stack expects a non-empty TensorList|expected a non-empty list of Tensors"),
        "There may be none to join: return then what the slow loop returns.",
    ),
)
_NUMPY_NAMES = {"double": "float64", "float": "float32", "half": "float16"}


def main_line(error: BaseException) -> str:
    """The one line of an error's message that says what is wrong; "" where it has none."""
    lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    if not lines:
        return ""
    if lines[0] == _IN_USER_CODE:
        told = [match[1] for match in map(_ERROR_LINE.match, lines) if match]
        line = told[-1] if told else lines[-1]
    elif lines[0] == _IN_A_GRAPH:
        told = [match[1] for match in map(_FIRST_OF_SEVERAL.match, lines) if match]
        line = (told or [line for line in lines if not line.startswith("[[")])[-1]
    else:
        line = lines[0]
    return _NOISE.sub("", line).strip()


def own_line(error: BaseException, function: Callable) -> str:
    """Such as "line 3, `return x.sum(7)`,": the innermost line in the file that ``function`` is written in, else ""."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return ""
    rewritten = [int(match["line"]) for match in _REWRITTEN.finditer(str(error)) if match["file"] == code.co_filename]
    plain = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == code.co_filename]
    if not rewritten and not plain:
        return ""
    number = (rewritten or plain)[-1]
    source = linecache.getline(code.co_filename, number or 0).strip()
    return f"line {number}" + (f", `{source}`," if source else "")


def hint_for(said: str) -> str:
    """What an error's message means, and what helps, in a sentence or two; "" where it needs none or is not known."""
    for pattern, sentence in _EXPLAINED:
        if match := pattern.search(said):
            return sentence.format(*match.groups())
    return _dtypes_told(said)


def _dtypes_told(said: str) -> str:
    found = next((match for match in (pattern.search(said) for pattern in _TWO_DTYPES) if match), None)
    if found is None:
        return ""
    one, other = (_NUMPY_NAMES.get(name, name) for name in found.groups())
    return (
        f"TensorFlow joins no {one} tensor with one of {other}: give both one dtype, "
        "as tf.convert_to_tensor(number, dtype) and tf.cast(tensor, dtype) do."
    )
