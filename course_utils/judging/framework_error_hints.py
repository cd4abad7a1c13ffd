"""Messages of PyTorch and TensorFlow that name what a learner did not write, each with what it means and what helps."""

from __future__ import annotations

import re

HINTS = (
    (
        re.compile(r"[Cc]an't (?:get local|pickle)"),
        "Another process finds a function by its name: write it with def at the top level of a file.",
    ),
    (
        re.compile(r"no rule registered for HOP (\w+)"),
        "Code inside the custom operator {0} cannot be counted; write the work as operations of the framework.",
    ),
    (
        re.compile(r"Boolean value of Tensor with more than one value is ambiguous"),
        (
            "Python's if, and, or, max and min need one True or False, but this tensor holds one for each element. &, |, "
            "torch.where, torch.maximum and torch.minimum work element by element."
        ),
    ),
    (
        re.compile(r'"bitwise_(?:and|or|xor)_\w+" not implemented for'),
        (
            "&, | and ^ come before comparisons, so here they join two numbers: put each comparison in parentheses, as in "
            "(a < b) | (c < d)."
        ),
    ),
    (
        re.compile(r"truth value of an array with more than one element is ambiguous"),
        (
            "Python's if, while, and, or, max and min need one True or False, but this array or tensor holds one for each "
            "element. &, | and its library's where, maximum and minimum work element by element."
        ),
    ),
    (
        re.compile(r"too many indices for tensor of dimension"),
        (
            "A tensor takes at most one index for each dimension. An index of dtype uint8 or bool is a mask, which counts once for "
            "each of its dimensions: to select by number, convert it, as in table[x.long()]."
        ),
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
            "vmap splits every argument along axis 0 by default, and these have {0} items there. Pass None for an argument "
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
        re.compile(r"Got in_dim=\S+ for an input but the input is of type (\w+)"),
        (
            "vmap splits tensors, but one argument has the type {0}: pass None for it in in_dims, or let the function read it "
            "from the enclosing scope."
        ),
    ),
    (
        re.compile(r"must only return Tensors, got type NoneType"),
        "The function that vmap maps returns nothing; is `return` missing in it?",
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
        re.compile(
            r"\b((?:arg)?sort)\(\)(?: received .* got \((?:Tensor, )?int, stable=| takes from \d to \d positional arguments)"
        ),
        "With stable=True, {0} takes its other arguments by name, as in x.{0}(dim=1, stable=True).",
    ),
    (
        re.compile(r"torch\.return_types\.(min|max|sort|topk|median|mode|kthvalue|cummin|cummax)\b"),
        "{0} along a dimension returns values and indices: take .values or .indices.",
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
        "The list of tensors is empty. If the inputs are empty, return an empty result of the right shape.",
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
        "But reshape copies such a tensor, so a write into the copy does not reach the original.",
    ),
    (
        re.compile(r"needed for gradient computation has been modified by an inplace operation"),
        (
            "The backward pass needs this tensor with its old values, but a later operation writes into it. Write in place only "
            "into a tensor that no gradient needs, or create a new one."
        ),
    ),
    (
        re.compile(r"Could not find device for node: \{\{node (\w+)\}\}"),
        (
            "TensorFlow has no {0} for this dtype: use another operation, or convert the tensors before it and the result after "
            "it."
        ),
    ),
    (
        re.compile(r"Binding inputs to tf\.function failed due to `Can not cast TensorSpec"),
        (
            "The input_signature of the tf.function doesn't allow these inputs: tf.TensorSpec([None]) allows float32 vectors "
            "only. Without a signature, a tf.function allows any dtype and shape."
        ),
    ),
    (
        re.compile(r"Detected Infinity or NaN in output"),
        "tf.debugging.enable_check_numerics() is in force: tf.debugging.disable_check_numerics() allows infinity and NaN again.",
    ),
    (
        re.compile(r"(?:Eager|Symbolic)Tensor'? object has no attribute"),
        "TensorFlow's operations are functions, not methods of a tensor: write tf.reduce_sum(x) instead of x.sum().",
    ),
    (
        re.compile(r"(?:Eager|Symbolic)Tensor' object does not support item assignment"),
        "TensorFlow's tensors can't be changed: tf.where and tf.tensor_scatter_nd_update return a new tensor.",
    ),
    (
        re.compile(r"only integer scalar arrays can be converted to a scalar index"),
        (
            "A list takes one integer as its index. TensorFlow's tensors can't be changed. To read or write several elements, "
            "use one tensor: tf.gather and tf.tensor_scatter_nd_update take several indices, as x[indices] does in PyTorch."
        ),
    ),
    (
        re.compile(r"Inner dimensions of output shape must match inner dimensions of updates shape"),
        "The indices need one row per position: pass a vector of row numbers as numbers[:, None].",
    ),
    (
        re.compile(r"In\[[01]\] ndims must be >= 2|^Shape must be (?:at least )?rank 2 but is rank 1"),
        "tf.matmul and @ multiply matrices; tf.linalg.matvec multiplies a matrix by a vector.",
    ),
    (
        re.compile(r"Matrix size-incompatible"),
        "The left matrix needs as many columns as the right one has rows: transpose_b=True reads the right one transposed.",
    ),
    (
        re.compile(r"(?:Iterating over|Using) a symbolic `tf\.Tensor`"),
        (
            "While TensorFlow traces a function, its tensors have no values, so Python can't unpack a tensor or read it in an "
            "if, a comprehension or zip. Index the tensor, as in x[0], or use an operation such as tf.where."
        ),
    ),
    (
        re.compile(r"A different number of tensors was saved during the original forward"),
        (
            "The backward pass runs a checkpointed function again, and the second run differed from the first one: for example, a "
            "function made in a loop sees the last value of the loop's variable. Pass such values as arguments of checkpoint."
        ),
    ),
    (
        re.compile(r"'function' object is not subscriptable"),
        "Square brackets launch a kernel, and a kernel has @triton.jit in the line above its def.",
    ),
)
"""A pattern of the message → the sentences, in which the pattern's groups can be named by number."""
