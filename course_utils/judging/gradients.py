"""Whether gradients flow through an answer as they do through the slow loop. For tasks that ask for it."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from course_utils.frameworks import tensor_trees
from course_utils.frameworks.agreement import dtype_name
from course_utils.judging import describing
from course_utils.judging.answer import Answer
from course_utils.judging.difference import difference
from course_utils.judging.oracle import Expected
from course_utils.judging.verdict import TaskFailed
from course_utils.tasks.task import Generator, Task


def check_gradients(task: Task, answer: Answer, generator: Generator) -> None:
    """Compare the gradients of a randomly weighted sum of the result.

    Raises:
        TaskFailed: when a gradient is missing or wrong.
    """
    size = task.sizes[-1]
    inputs = task.inputs(size, generator)
    case = f"the gradients of a random input of size {size}"
    gradients = _torch_gradients if task.framework == "torch" else _tensorflow_gradients
    seed = int(generator.integers(2**31))
    native = gradients(task.slow, *tensor_trees.fresh(inputs), seed=seed)
    exact = gradients(task.slow, *tensor_trees.widen(inputs), seed=seed)
    given, _ = answer(inputs, case, lambda function, *used: gradients(function, *used, seed=seed))
    shown = describing.describe_inputs(task.slow, inputs)
    for name, one, wanted, truth in zip(describing.names(task.slow), given, native, exact):
        if wanted is None:
            continue
        if one is None:
            raise TaskFailed(
                f"For {case}, none reaches {name}: something on the way cuts the result off from it "
                f"(`.item()`, `.detach()`, a tensor made anew).\n{shown}"
            )
        found = difference(one, Expected(wanted, inputs, lambda truth=truth: truth), task.tolerance)
        if found is not None:
            values = "" if found.values is None else f"\n{describing.beside(found.values)}"
            raise TaskFailed(
                f"For {case}, {found.sentence.replace('the result', f'that of {name}', 1)}.\n{shown}{values}"
            )


def _is_floating(value: Any) -> bool:
    return tensor_trees.is_tensor(value) and dtype_name(value) in ("float16", "bfloat16", "float32", "float64")


def _weights(tensors: list[Any], seed: int) -> list[Any]:
    generator = np.random.default_rng(seed)
    return [generator.standard_normal(tuple(tensor.shape)) for tensor in tensors]


def _torch_gradients(function: Any, *inputs: Any, seed: int) -> list[Any]:
    """For each argument its gradient, None where it has none."""
    torch = sys.modules["torch"]
    sources = [value.detach().requires_grad_() if _is_floating(value) else value for value in inputs]
    results = [tensor for tensor in tensor_trees.tensors(function(*sources)) if tensor.requires_grad]
    wanted = [value for value in sources if _is_floating(value)]
    if not results:
        return [None] * len(inputs)
    weights = [torch.as_tensor(one).to(other) for one, other in zip(_weights(results, seed), results)]
    found = iter(torch.autograd.grad(results, wanted, weights, allow_unused=True))
    return [next(found) if _is_floating(value) else None for value in inputs]


def _tensorflow_gradients(function: Any, *inputs: Any, seed: int) -> list[Any]:
    """For each argument its gradient, None where it has none."""
    tensorflow = sys.modules["tensorflow"]
    wanted = [value for value in inputs if _is_floating(value)]
    with tensorflow.GradientTape() as tape:
        tape.watch(wanted)
        results = [tensor for tensor in tensor_trees.tensors(function(*inputs)) if _is_floating(tensor)]
        weights = _weights(results, seed)
        total = [tensorflow.reduce_sum(one * tensorflow.cast(other, one.dtype)) for one, other in zip(results, weights)]
    found = iter(tape.gradient(total, wanted))
    return [next(found) if _is_floating(value) else None for value in inputs]
