"""Remedies for particular operations: what to try if one of them takes most of a line's time."""

from __future__ import annotations

import ast

from course_utils.core.wording import enumerate_words
from course_utils.counting.by_line import CountedLines
from course_utils.counting.line_work import LineWork
from course_utils.counting.operation_kinds import kind_of
from course_utils.counting.user_code import Statement
from course_utils.explaining import compiled_rules, rules
from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.source_code import is_backward, nodes_of
from course_utils.explaining.thresholds import LARGE_PRODUCT_FLOPS
from course_utils.frameworks.compiler_interface import LAYOUT_COPIES

_NOT_FUSED = ", not fused"
SLICE_COPY = "StridedSlice"  # TensorFlow's operation for slices
_OPERATIONS_OF_ITERATION = frozenset({"unbind", SLICE_COPY})

_REMEDIES = {
    "argmax": "Compare it with `x.max(dim).indices`, which is often faster on a CPU.",
    "argmin": "Compare it with `x.min(dim).indices`, which is often faster on a CPU.",
    "sort": "If you need only a few of the values, `topk` finds them without sorting the rest.",
    "convolution": (
        "Compare the layouts: pass the same `memory_format`, `torch.channels_last` or `torch.contiguous_format`, to both `x.to(…)` and "
        "`model.to(…)`. The library chooses its algorithm by the layout, and copies the weights in each call if theirs differs."
    ),
    "masked_select": (
        "It checks the whole mask, element by element. If a loop selects one group after another, group in one pass: `index_add_`, "
        "`scatter_reduce` or `bincount`; otherwise compare it with `torch.where(mask, x, 0)`, which needs no positions."
    ),
    "index": (
        "If a single vector of positions selects values or rows along one axis, compare it with `torch.index_select`, "
        "which is often faster on a CPU."
    ),
    "nonzero": "Compare it with `torch.where(mask, x, 0)`, which needs no positions.",
    "where": "Try sorted values, or arithmetic instead of the choice: choices that vary at random can be slow.",
}
_REMEDIES[SLICE_COPY] = (
    "TensorFlow copies most slices: let a compiler fuse them with the operations that use them, `tf.function(jit_compile=True)`."
)
_REMEDIES["SelectV2"] = _REMEDIES["where"]
_REMEDIES["IteratorGetNext"] = (
    "If `map` gets single elements, make batches before it: its function then runs once per batch, not once per element."
)
_REMEDIES["DataLoader"] = (
    "If it waits for the processes of the `DataLoader`, do less in the dataset's `__getitem__`, or compare other values of "
    "`num_workers`; `persistent_workers=True` starts the processes only once."
)
_REMEDIES["std"] = _REMEDIES["var"] = (
    "Along an axis, a CPU takes the values one by one: compare it with a compiled version, and with "
    "`(x - x.mean(dim, keepdim=True)).square().sum(dim) / (n - 1)`, the variance of `n` values, whose root is the standard deviation."
)
_REMEDIES["max_pool2d_with_indices"] = (
    "Compare it with an input in `torch.channels_last`: a CPU then compares the values of several channels at once."
)
_REMEDIES[LAYOUT_COPIES] = _REMEDIES["convolution"]
_REMEDIES["convolution_backward"] = _REMEDIES["convolution"]


_ATTENTION = (
    "It is part of an attention that is written out: compare it with `torch.nn.functional.scaled_dot_product_attention`, which "
    "avoids the table of scores only for inputs with four dimensions, such as (batch, heads, positions, width)."
)
_ATTENTION_WITH_DROPOUT = (
    "It is part of a written-out attention with dropout: with dropout, "
    "`torch.nn.functional.scaled_dot_product_attention` also stores the table of scores on a CPU; without dropout, it avoids the "
    "table only for inputs with four dimensions, such as (batch, heads, positions, width)."
)
_DROPS = frozenset({"bernoulli_", "native_dropout"})

_GRAPH_BREAKS = (
    "Find out with `graphs` where the code leaves the compiler, which checks guards each time it comes back."
)

PROFILE_PYTHON = "Profile it with `py-spy` or `cProfile`, which show the functions that it calls."

GIVE_MORE_DATA = "The calls take the time: give them more data at once"

_FEWER_VALUES = "Compare it with the same code on so few values that a cache holds them: if each value takes as long, memory isn't the reason."

MORE_VECTORS = (
    "A product with few vectors uses each value only a few times: multiply by more vectors at once, as one matrix."
)


def remedy_for_operation(name: str, work: LineWork) -> str:
    """Return what to try if most of a line's time is in this operation, "" if nothing particular is known."""
    if name.startswith("convolution") and name not in work.operation_seconds:
        return ""  # Compiled code gives the same name to convolutions in one and three dimensions.
    return _REMEDIES.get(name, "")


def remedy_for_optimizer(line: LineMeasurements) -> str:
    """Return what to try if steps of optimizers take the time, "" unless each optimizer of the line could be fused."""
    steps = line.work.optimizer_steps
    if not steps or not all(each.endswith(_NOT_FUSED) for each in steps):
        return ""  # Another optimizer of the line may take the time.
    names = enumerate_words([f"`{each.removesuffix(_NOT_FUSED)}`" for each in steps])
    if line.is_compiled:
        return f"Compare it with an uncompiled step of {names} with `fused=True`: a fused step updates all its parameters in one operator call, without guard checks."
    return f"Pass `fused=True` to {names}: a fused step updates all its parameters in one operator call, instead of several passes over each."


def remedy_for_loader(line: LineMeasurements) -> str:
    """Return what to try if the line's `DataLoader` calls its dataset once per element, "" if it has none or runs a model, too."""
    if not line.work.loaders or line.share_of("product") >= rules.MUCH:
        return ""
    return (
        "The `DataLoader` calls the dataset's `__getitem__` once per element, and then joins the elements: compare it with "
        "`num_workers=2`, whose processes do that meanwhile, and with indexing whole batches."
    )


def remedy_for_recurrence(module: str) -> str:
    """Return what helps a line with many small operations of this recurrent module, forward or backward."""
    return (
        f"They belong to `nn.{module}`, which runs one step after another and which `torch.compile` does not compile: give each step "
        "more data, for example more sequences at once."
    )


def attention_remedies(counted: CountedLines, device: str) -> dict[Statement, str]:
    """Return a remedy for each statement that writes out attention. A backward pass gets none: no line contains its operations."""
    attention: dict[Statement, str] = {}
    for last, inside in counted.attention.items():
        if not any(map(is_backward, nodes_of(last))) and (len(inside) > 1 or _products_written(last) > 1):
            works = [counted.lines[each] for each in inside if each in counted.lines]
            drops = device == "cpu" and any(_DROPS.intersection(each.operation_seconds) for each in works)
            attention |= dict.fromkeys(inside, _ATTENTION_WITH_DROPOUT if drops else _ATTENTION)
    return attention


def _products_written(statement: Statement) -> int:
    names = (getattr(node, "attr", getattr(node, "id", "")) for node in nodes_of(statement))
    calls = sum(name in ("matmul", "bmm", "mm", "einsum") for name in names)
    return calls + sum(isinstance(node, ast.MatMult) for node in nodes_of(statement))


def advise_products(line: LineMeasurements) -> str:
    """Return what helps a line that multiplies."""
    if remedy := remedy_for_operation(line.busiest_of("product"), line.work):
        return remedy
    name = line.busiest_of("product").lower()
    is_like_matrix_products = "depthwise" not in name and "attention_for_cpu" not in name
    less = "multiply less"
    if line.short_dtypes and is_like_matrix_products:  # The dtypes were compared in matrix products.
        less += f", or in {' or '.join(line.short_dtypes)}, which this machine multiplies faster"
    if rules.NEAR_FLOOR * line.product_s >= max(line.seconds, line.shown_s):
        return f"{less[0].upper()}{less[1:]}."
    if is_like_matrix_products and "conv" not in name and _multiplies_small_matrices(line):
        return f"Larger products come nearer to the peak: multiply more rows or columns at once; otherwise {less}."
    return (
        f"Products at the peak would take less time: compare this line with other shapes and layouts; otherwise {less}."
    )


def _multiplies_small_matrices(line: LineMeasurements) -> bool:
    """Return whether its products have fewer flops than those that reach the peak."""
    products = sum(number for name, number in line.work.operation_counts.items() if kind_of(name) == "product")
    return 0 < line.work.flops < products * LARGE_PRODUCT_FLOPS


def advise_reuse(line: LineMeasurements) -> str:
    """Return what helps a line that writes into newly allocated memory."""
    if not line.allocates_inside:
        return line.remedy_words.reuse
    return (
        f"Compare it with the same work on less data at once. {remedy_for_operation(line.leading, line.work)}".rstrip()
    )


def advise_one_array(line: LineMeasurements) -> str:
    """Return what helps a line that converts Python objects to tensors."""
    return f"Keep the values in tensors, or in one NumPy array that {line.remedy_words.array_reader} takes as a whole."


def advise_fewer_calls(line: LineMeasurements) -> str:
    """Return what helps a line of many small operations."""
    iterates_over_tensor = line.starts_loop and line.leading in _OPERATIONS_OF_ITERATION
    if iterates_over_tensor and 2 * line.work.operands >= line.work.runs > 1:
        return (
            f"If the loop needs only Python numbers, iterate over {line.remedy_words.list_of_values}, which converts all values at "
            "once; otherwise replace the loop with operations on whole tensors."
        )
    if line.differentiates_twice:
        return f"{GIVE_MORE_DATA}: `torch.compile` has no gradient of a backward pass, which `create_graph` asks for."
    if line.is_backward:
        return (
            f"They are a backward pass: compile {line.remedy_words.step_compiler}, and compare the times, because a few small "
            "operations can take longer when they are compiled."
        )
    return (
        "If they don't depend on each other, replace them with a few operations on whole tensors; otherwise let "
        f"{line.remedy_words.compiler} compile several of them together."
    )


def advise_chain(line: LineMeasurements) -> str:
    """Return what helps a line of a few small operations that runs once."""
    return (
        advise_fewer_calls(line)
        if line.differentiates_twice
        else f"{GIVE_MORE_DATA}, or let a compiler fuse the chain."
    )


def advise_group(line: LineMeasurements) -> str:
    """Return what helps a loop that groups values by a label or a key."""
    if line.groups_by_key:
        return f"It groups values by a key: number the keys, and group in one pass: {line.remedy_words.sum_by_label}."
    return f"Group in one pass if each iteration selects one group: {line.remedy_words.sum_by_label}."


def advise_other_code(line: LineMeasurements) -> str:
    """Return what helps a line that runs no tensor operation."""
    if line.names_numpy:
        return (
            "If NumPy works on whole arrays here, compare it with a tensor operation, which may be slower; otherwise work on whole "
            "arrays."
        )
    advice = f"{line.remedy_words.free}replace it with operations on whole tensors, or do less of it."
    return advice[0].upper() + advice[1:]


def advise_next_tool(line: LineMeasurements) -> str:
    """Return the tool that shows more about a line whose reason is unknown."""
    if compiled_rules.checks_guards_most(line):
        return _GRAPH_BREAKS
    longest = max(line.parts, key=lambda each: each.seconds, default=None)
    if longest is not None and longest.kind == "kernel":
        return _FEWER_VALUES  # No profiler shows what a kernel does.
    is_inside = longest is not None and longest.kind == "operation"
    is_outside = not (is_inside or line.are_operations_timed_apart) and line.python_s >= rules.MOST * line.seconds
    if not line.work.hidden_work and is_outside and rules.has_few_bytes(line):
        return PROFILE_PYTHON
    # A compiler may have replaced the operations as written: only what the profiler shows has run.
    has_run = line.parts or not line.is_compiled
    operation = next(iter(line.work.hidden_work), line.leading)
    remedy = remedy_for_operation(operation, line.work) if has_run else ""
    return f"Profile it with `{line.profiler}`. {remedy}".rstrip()


def advise_compiled_calls(line: LineMeasurements) -> str:
    """Return what helps a line whose calls of compiled code take the time."""
    return (
        f"{_GRAPH_BREAKS} " * compiled_rules.checks_guards_most(line) + "Give each call and each operation more work."
    )
