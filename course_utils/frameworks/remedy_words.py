"""``RemedyWords``: what a framework calls the functions that advice on slow or wrong code names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RemedyWords:
    """The words of one framework.

    Attributes:
        compiler: what compiles a function.
        step_compiler: for a slow backward pass, which code to compile, and the function that compiles it.
        array_reader: what makes a tensor of a whole NumPy array.
        sum_by_label: what adds values up by their labels.
        list_of_values: what converts all values of a tensor to Python numbers at once.
        cuts: what stops a gradient before it reaches a tensor.
        reuse: what helps against newly allocated memory, in a sentence.
        fewer_bytes: what helps against memory traffic, as the end of a sentence.
        join_once: what helps against a growing result, in a sentence.
        buffer, free: parts of sentences about memory that a program may reuse; "" if tensors never change.
        recompiles: the tools that show why code is compiled again, as the end of a sentence; "" if there are none.
        float64_number: how a Python number keeps its digits in float64, in a sentence; "" if it always does.
        block: a `with` block that restores a setting; "" if there is none.
    """

    compiler: str
    step_compiler: str
    array_reader: str
    sum_by_label: str
    list_of_values: str
    cuts: str
    reuse: str = "If the operation allows it, write into a preallocated buffer, with `out=` or in place."
    fewer_bytes: str = "reuse a buffer, work on a view, or fuse this line with the next"
    join_once: str = "Preallocate the result, or collect a list and join it once."
    buffer: str = "write into a preallocated buffer, or "
    free: str = "If it frees large tensors, reuse them; otherwise "
    recompiles: str = ": find out why with `graphs` or `TORCH_LOGS=recompiles`"
    float64_number: str = ""
    block: str = ""


TORCH = RemedyWords(
    compiler="`torch.compile`",
    step_compiler="the forward pass with `torch.compile`",
    array_reader="`torch.from_numpy`",
    sum_by_label="`index_add_`, `scatter_reduce` or `bincount`",
    list_of_values="`.tolist()`",
    cuts="a block under `torch.no_grad()`, `.detach()`, `.item()`",
    block="with torch.no_grad():",
)
TENSORFLOW = RemedyWords(
    compiler="`tf.function`",
    step_compiler="the step and its tape with `tf.function`",
    array_reader="`tf.constant`",
    sum_by_label="`tf.math.unsorted_segment_sum`",
    list_of_values="`.numpy().tolist()`",
    cuts="`tf.stop_gradient`, `.numpy()`",
    float64_number=(
        "`tf.cast(number, tf.float64)` rounds a Python float to float32 first; `tf.constant(number, tf.float64)` doesn't."
    ),
    reuse="Work on smaller parts, or let a compiler fuse the operations: `tf.function(jit_compile=True)`.",
    fewer_bytes="work on fewer values, or fuse this line with the next",
    join_once="Collect the pieces in a list or a `tf.TensorArray`, and join them once.",
    buffer="",
    free="",
    recompiles="",
)
EITHER = RemedyWords(
    compiler=f"{TORCH.compiler} or {TENSORFLOW.compiler}",
    step_compiler=f"{TORCH.step_compiler}, or {TENSORFLOW.step_compiler}",
    array_reader=f"{TORCH.array_reader} or {TENSORFLOW.array_reader}",
    sum_by_label=f"{TORCH.sum_by_label}; in TensorFlow {TENSORFLOW.sum_by_label}",
    list_of_values=f"{TORCH.list_of_values} or {TENSORFLOW.list_of_values}",
    cuts=f"{TORCH.cuts}; in TensorFlow {TENSORFLOW.cuts}",
)
"""For code that uses no framework yet."""
