"""Explains an error that a learner's function raised: the learner's own line, the framework's message, and a hint.

TensorFlow wraps its messages in the names of nodes and functions that the learner did not write; only the sentence inside is
shown. If a message names things that the learner did not write, a hint says what it means.
"""

from __future__ import annotations

import inspect
import linecache
import re
import traceback
from collections.abc import Callable

_NOISE = re.compile(
    r"\{\{function_node [^}]*\}\}\s*"  # where TensorFlow placed the operation
    r"| for '\{\{node .*"  # the node with all of its attributes
    r"|\s*\[Op:[^\]]*\].*"  # the node's name: "[Op:Mul] name:"
    r"|, but expected one of:$"  # the list of signatures, which fills many lines
)
_IN_USER_CODE = "in user code:"
_IN_A_GRAPH = "Graph execution error:"
# AutoGraph marks the lines of rewritten code with a star.
_REWRITTEN = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in \S+  \*')
_ERROR_LINE = re.compile(r"\w*(?:Error|Exception|Iteration|Interrupt|Exit):(.*)")
_FIRST_OF_SEVERAL = re.compile(r"\(0\) [A-Z_]+: (.+)")
_TWO_DTYPES = (
    re.compile(r"has type (\w+) that does not match type (\w+)"),
    re.compile(r"expected to be an? (\w+) tensor but is an? (\w+) tensor"),
)
# A message of torch → what it means and what helps.
_HINTS = (
    (
        re.compile(r"[Cc]an't (?:get local|pickle)"),
        "Another process finds a function by its name: write it with def at the top level of the file or cell.",
    ),
    (
        re.compile(r"no rule registered for HOP (\w+)"),
        "What runs inside the custom operator {0} cannot be counted; write the work as operations of the framework.",
    ),
    (
        re.compile(r"Boolean value of Tensor with more than one value is ambiguous"),
        (
            "Python's max, min and if need one True or False, but this tensor holds one for each element. torch.maximum, "
            "torch.minimum and torch.where work element by element."
        ),
    ),
    (
        re.compile(r"too many indices for tensor of dimension"),
        "An index of dtype uint8 or bool is a mask. To select by number, convert it, as in table[x.long()].",
    ),
    (
        re.compile(r"batch(\d) must be a 3D tensor"),
        (
            "Argument {0} of the batched product must have three dimensions, (batch, rows, columns): bmm does not broadcast. "
            "x.expand(batch, -1, -1) repeats one matrix without a copy; @ broadcasts by itself."
        ),
    ),
    (
        re.compile(r"first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]"),
        (
            "A batched product multiplies (batch, rows, columns) by (batch, columns, out): on the right it expects the shape "
            "({0}, {1}, …) and gets ({2}, {3}, …). Which dimension is missing, or in the wrong position?"
        ),
    ),
    (
        re.compile(r"same size in the mapped dimension, got sizes \[([\d, ]+)\]"),
        (
            "vmap splits every argument along dimension 0 by default, and these have {0} items there. Pass None for an argument "
            "that all calls share, as in vmap(f, in_dims=(None, 0))."
        ),
    ),
    (
        re.compile(r"in_dims is not compatible with the structure of `inputs`"),
        (
            "in_dims needs one entry for each argument of the function: the dimension to split, or None if all calls share the "
            "argument."
        ),
    ),
    (
        re.compile(r"Got in_dim=\S+ for an input but the input is of type <class '(?:\w+\.)*(\w+)'>"),
        (
            "vmap splits tensors, but one argument has the type {0}: pass None for it in in_dims, or let the function read it "
            "from the enclosing scope."
        ),
    ),
    (
        re.compile(r"in some data-dependent control flow|calling \.item\(\) on a Tensor"),
        (
            "Inside vmap a value stands for one number per item, so Python cannot read it: torch.where chooses for each item."
        ),
    ),
    (
        re.compile(r"batching operators that can support dynamic shape"),
        (
            "Inside vmap every item's result must have the same shape, but a mask picks a different number of values from each: "
            "torch.where keeps the shape."
        ),
    ),
    (
        re.compile(
            r"subscripts in the equation \((\d+)\) (?:does not match|is more than) the number of dimensions \((\d+)\)"
        ),
        (
            "Each dimension needs one letter, but there are {0} letters for {1} dimensions. Three dots stand for any number of "
            'leading dimensions, as in "...ik,...kj->...ij".'
        ),
    ),
    (
        re.compile(r"einsum\(\): subscript (\w) has size (\d+) for operand \d+ which does not broadcast .* size (\d+)"),
        (
            "The letter {0} stands for a dimension of {2} in one argument and of {1} in another: is each letter in the position "
            "of its dimension?"
        ),
    ),
    (
        re.compile(r"size of tensor a \(\d+\) must match the size of tensor b \(\d+\)"),
        (
            "Broadcasting compares shapes from the right: two sizes fit if they are equal or one of them is 1. If a reduction "
            "removed a dimension, keepdim=True leaves a 1 in its position."
        ),
    ),
    (
        re.compile(
            r"\b(min|max)\(\)(?:: argument 'dim' .*must be int, not tuple| received .* got \((?:Tensor, )?(?:dim=)?tuple)"
        ),
        "{0} takes one dimension; amin and amax take several, as in x.a{0}((1, 2)).",
    ),
    (
        re.compile(r"torch\.return_types\.(min|max|sort|topk|median|mode|kthvalue|cummin|cummax)\b"),
        "{0} along a dimension returns values and indices: take .values.",
    ),
    (
        re.compile(
            r"scalar type (?:Double|Float|Half|BFloat16|Byte|Char|Short|Int) but found|have the same dtype, but got"
        ),
        (
            "This operation needs tensors of one dtype: convert one with .to(x.dtype), in which x is the other one. Create your "
            "own tensors with the input's dtype: dtype=x.dtype, or x.new_full(…), which takes the input's device as well."
        ),
    ),
    (
        re.compile(r"stack expects a non-empty TensorList|expected a non-empty list of Tensors"),
        "The list of tensors is empty. For empty inputs, return an empty result of the right shape.",
    ),
    (
        re.compile(r"select\(\): index 0 out of range for tensor of size \[0\]"),
        (
            "The tensor is empty, so it has no element to select, and vmap selects one if it maps over single values. Return "
            "an empty result of the right shape for empty inputs."
        ),
    ),
    (
        re.compile(r"cannot reshape tensor of 0 elements into shape .* unspecified dimension size -1"),
        "If a tensor is empty, -1 can stand for any size: write the size out, or use flatten.",
    ),
    (
        re.compile(r"view size is not compatible with input tensor's size and stride"),
        "But reshape copies such a tensor, so what you write into the copy does not reach the original.",
    ),
    (
        re.compile(r"Could not find device for node: \{\{node (\w+)\}\}"),
        (
            "TensorFlow has no {0} for this dtype: use another operation, or convert the tensors before it and the result after "
            "it."
        ),
    ),
    (
        re.compile(r"'function' object is not subscriptable"),
        "Square brackets launch a kernel, and a kernel has @triton.jit in the line above its def.",
    ),
)
_SIZES_DIFFER = re.compile(r"size of tensor a \(\d+\) must match the size of tensor b \(\d+\)|Incompatible shapes")
_BINCOUNT = (
    "Without `minlength`, bincount counts up to the largest value that occurs, so its result is shorter if the last groups are "
    "empty: pass the number of groups as `minlength`."
)
_NUMPY_NAMES = {"double": "float64", "float": "float32", "half": "float16"}


class ErrorElsewhere(Exception):
    """An error that a function raised in another process.

    Attributes:
        own_line: what ``own_line`` returned for it there.
        hint: the hint that was found there; "" if there is none.
    """

    own_line = hint = ""


def main_line(error: BaseException) -> str:
    """Return the line of an error's message that says what is wrong; "" if the message is empty."""
    lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    if not lines:
        return ""
    if lines[0] == _IN_USER_CODE:
        errors = [match[1] for match in map(_ERROR_LINE.match, lines) if match]
        line = errors[-1] if errors else lines[-1]
    elif lines[0] == _IN_A_GRAPH:
        errors = [match[1] for match in map(_FIRST_OF_SEVERAL.match, lines) if match]
        line = (errors or [line for line in lines if not line.startswith("[[")])[-1]
    else:
        line = lines[0]
    return _NOISE.sub("", line).strip()


def own_line(error: BaseException, function: Callable) -> str:
    """Return the innermost line of ``function``'s own file, as "line 3, `return x.sum(7)`,"; "" if no such line was
    running.
    """
    if isinstance(error, ErrorElsewhere):
        return error.own_line
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


def hint_for(message: str, function: Callable | None = None) -> str:
    """Return what the message of an error in ``function`` means and what helps, in a sentence or two; "" if no hint is
    known.
    """
    if _SIZES_DIFFER.search(message) and _counts_without_minlength(function):
        return _BINCOUNT
    for pattern, sentence in _HINTS:
        if match := pattern.search(message):
            return sentence.format(*match.groups())
    for pattern in _TWO_DTYPES:
        if match := pattern.search(message):
            one, other = (_NUMPY_NAMES.get(name, name) for name in match.groups())
            return (
                f"TensorFlow does not combine {one} with {other}: give both tensors one dtype, as "
                "tf.convert_to_tensor(number, dtype) and tf.cast(tensor, dtype) do."
            )
    return ""


def _counts_without_minlength(function: Callable | None) -> bool:
    code = getattr(inspect.unwrap(function), "__code__", None) if function else None
    if code is None or "bincount" not in code.co_names:
        return False
    return not any("minlength" in keywords for keywords in code.co_consts if isinstance(keywords, tuple))
