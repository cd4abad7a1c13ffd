"""What is worth telling of an error that a learner's function raised: the learner's own line, and what the framework meant to say.

TensorFlow wraps its messages in the names of nodes and functions that nobody wrote; these go, the sentence stays.
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
_NUMPY_NAMES = {"double": "float64", "float": "float32", "half": "float16"}


def meaning(error: BaseException) -> str:
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


def dtypes_told(said: str) -> str:
    """A sentence on the two dtypes that an error's message complains of; "" where it complains of something else."""
    found = next((match for match in (pattern.search(said) for pattern in _TWO_DTYPES) if match), None)
    if found is None:
        return ""
    one, other = (_NUMPY_NAMES.get(name, name) for name in found.groups())
    return (
        f"TensorFlow joins no {one} tensor with one of {other}: give both one dtype, "
        "as tf.convert_to_tensor(number, dtype) and tf.cast(tensor, dtype) do."
    )
