"""Explains an error that a learner's function raised: the learner's own line, the framework's message, and a hint.

TensorFlow wraps its messages in the names of nodes and functions that the learner did not write; only the sentence inside is
shown. If a message names things that the learner did not write, a hint says what it means.
"""

from __future__ import annotations

import dis
import inspect
import linecache
import re
import traceback
from collections.abc import Callable
from types import CodeType

from course_utils.judging.framework_error_hints import HINTS

_NOISE = re.compile(
    r"\{\{function_node [^}]*\}\}\s*"  # where TensorFlow placed the operation
    r"| for '\{\{node .*"  # the node with all of its attributes
    r"|\s*\[Op:[^\]]*\].*"  # the node's name: "[Op:Mul] name:"
    r"|, but expected one of:$"  # the list of signatures, which fills many lines
    r"|, is at version \d+; expected version .*"  # counters of writes, and how to trace the operation
    r"| You can attempt the following resolutions.*| Use a\.any\(\) or a\.all\(\)"  # remedies that don't help here
    r"| We don't support that yet, please file .*|\. Did you mean to set out_dims= to None for output\?"
)
_CLASS = re.compile(r"<class '(?:\w+\.)*(\w+)'>")
_WITH_A_TRACEBACK = "in user code:", "The following operation failed in the TorchScript interpreter."
_IN_A_GRAPH = "Graph execution error:"
# AutoGraph marks the lines of rewritten code with a star.
_REWRITTEN = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in \S+  \*')
_ERROR_LINE = re.compile(r"\w*(?:Error|Exception|Iteration|Interrupt|Exit):(.*)")
_FIRST_OF_SEVERAL = re.compile(r"\(0\) [A-Z_]+: (.+)")
_TWO_DTYPES = (
    re.compile(r"has type (\w+) that does not match type (\w+)"),
    re.compile(r"expected to be an? (\w+) tensor but is an? (\w+) tensor"),
)
_SIZES_DIFFER = re.compile(r"size of tensor a \(\d+\) must match the size of tensor b \(\d+\)|Incompatible shapes")
_BINCOUNT = (
    "Without `minlength`, bincount counts up to the largest value that occurs, so its result is shorter if the last groups are "
    "empty: pass the number of groups as `minlength`."
)
_T_OF_A_BATCH = "`.T` reverses all axes, also those of a batch: `.mT` swaps the last two."
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
    if lines[0] in _WITH_A_TRACEBACK:
        errors = [match[1] for match in map(_ERROR_LINE.match, lines) if match]
        line = errors[-1] if errors else lines[-1]
    elif lines[0] == _IN_A_GRAPH:
        errors = [match[1] for match in map(_FIRST_OF_SEVERAL.match, lines) if match]
        line = (errors or [line for line in lines if not line.startswith("[[")])[-1]
    else:
        line = next((line for line in lines if _NOISE.sub("", line).strip()), "")
    return _CLASS.sub(r"\1", _NOISE.sub("", line)).strip()


def own_line(error: BaseException, function: Callable) -> str:
    """Return the innermost line of ``function``'s own file, as "line 3, `return x.sum(7)`,"; "" if no such line was
    running.
    """
    if isinstance(error, ErrorElsewhere):
        return error.own_line
    code = _code_of(function)
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
    for pattern, sentence in HINTS:
        if match := pattern.search(message):
            hint = sentence.format(*match.groups())
            also = _SIZES_DIFFER.search(message) and _multiplies_by_a_transpose(function)
            return f"{hint} {_T_OF_A_BATCH}" if also else hint
    for pattern in _TWO_DTYPES:
        if match := pattern.search(message):
            one, other = (_NUMPY_NAMES.get(name, name) for name in match.groups())
            return (
                f"TensorFlow does not combine {one} with {other}: give both tensors one dtype, as "
                "tf.convert_to_tensor(number, dtype) and tf.cast(tensor, dtype) do."
            )
    return ""


def _code_of(function: Callable | None) -> CodeType | None:
    """Return the code of the function that a learner wrote, or None if it has none."""
    return getattr(inspect.unwrap(function), "__code__", None) if function else None


def _multiplies_by_a_transpose(function: Callable | None) -> bool:
    """Return True if ``function`` uses ``.T`` and multiplies matrices."""
    code = _code_of(function)
    if code is None or "T" not in code.co_names:
        return False
    # Python 3.10 has an instruction of its own for @.
    steps = dis.get_instructions(code)
    return "matmul" in code.co_names or any(s.argrepr == "@" or s.opname == "BINARY_MATRIX_MULTIPLY" for s in steps)


def _counts_without_minlength(function: Callable | None) -> bool:
    code = _code_of(function)
    if code is None or "bincount" not in code.co_names:
        return False
    return not any("minlength" in keywords for keywords in code.co_consts if isinstance(keywords, tuple))
