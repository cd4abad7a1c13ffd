"""Every private name of torch that the course uses. A missing name raises ``PrivateNameMissing`` at its first use.

Importing this module does not import torch.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from course_utils.frameworks.private_names import attribute, load_names, resolve

ADDRESSES = {
    "DisableTorchFunction": "torch._C:DisableTorchFunction",
    "DisableTorchFunctionSubclass": "torch._C:DisableTorchFunctionSubclass",
    "HigherOrderOperator": "torch._ops:HigherOrderOperator",
    "OpOverload": "torch._ops:OpOverload",
    "StorageWeakRef": "torch.multiprocessing.reductions:StorageWeakRef",
    "TorchDispatchMode": "torch.utils._python_dispatch:TorchDispatchMode",
    "compile_counters": "torch._dynamo.utils:counters",
    "dispatch_modes": "torch.utils._python_dispatch:_get_current_dispatch_mode_stack",
    "flop_registry": "torch.utils.flop_counter:flop_registry",
    "function_modes": "torch.overrides:_get_current_function_mode_stack",
    "generated_code": "torch._inductor.codecache:PyCodeCache",
    "is_functorch_tensor": "torch._C:_functorch.is_functorch_wrapped_tensor",
    "make_wrapper": "torch:Tensor._make_wrapper_subclass",
    "no_dispatch": "torch.utils._mode_utils:no_dispatch",
    "parse_to": "torch._C:_nn._parse_to",
    "profiler_enabled": "torch._C:_autograd._profiler_enabled",
    "tree_flatten": "torch.utils._pytree:tree_flatten",
    "tree_map_only": "torch.utils._pytree:tree_map_only",
    "tree_unflatten": "torch.utils._pytree:tree_unflatten",
    "version": "torch:Tensor._version",
}
"""A name of this module → the object in torch. Each is resolved when it is first used."""

if not TYPE_CHECKING:
    __getattr__ = load_names(__name__, ADDRESSES, globals())
else:
    DisableTorchFunction: Any
    DisableTorchFunctionSubclass: Any
    HigherOrderOperator: Any
    OpOverload: Any
    StorageWeakRef: Any
    TorchDispatchMode: Any
    compile_counters: Any
    dispatch_modes: Any
    flop_registry: Any
    function_modes: Any
    generated_code: Any
    is_functorch_tensor: Any
    make_wrapper: Any
    no_dispatch: Any
    parse_to: Any
    profiler_enabled: Any
    tree_flatten: Any
    tree_map_only: Any
    tree_unflatten: Any
    version: Any


class LeavesCompilerUnloaded:
    """A mix-in for dispatch modes. Without it, a mode's first operation imports torch's compiler, for seconds."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False


# Tensors and operations


def storage_id(storage: Any) -> int:
    """Return a number that identifies a storage as long as it lives, also across the Python objects that wrap it."""
    return attribute("torch", storage, "_cdata")


def operation_name(operation: Any) -> str:
    """Return the name of an operation without its namespace: ``"add_"``."""
    return attribute("torch", operation, "_schema").name.partition("::")[2]


def qualified_operation_name(operation: Any) -> str:
    """Return the name of an operation with its namespace: ``"aten::add_"``."""
    return attribute("torch", operation, "_schema").name


def operation_returns(operation: Any) -> Any:
    """Return an operation's declared results, each with type and alias information."""
    return attribute("torch", operation, "_schema").returns


def operation_arguments(operation: Any) -> Any:
    """Return an operation's declared arguments, each with name, type and alias information."""
    return attribute("torch", operation, "_schema").arguments


def is_random(operation: Any) -> bool:
    """Return whether an operation draws random numbers."""
    return resolve("torch").Tag.nondeterministic_seeded in operation.tags


def has_side_effects(operation: Any) -> bool:
    """Return whether an operation changes its arguments, or draws random numbers."""
    return is_random(operation) or attribute("torch", operation, "_schema").is_mutable


def operation_packet(operation: Any) -> Any:
    """Return the operation without its choice of an overload."""
    return attribute("torch", operation, "_overloadpacket")


@cache
def is_composite(operation: Any) -> bool:
    """Return whether torch runs an operation as other operations, for example ``linear`` as a matrix product."""
    return resolve("torch._C:_dispatch_has_kernel_for_dispatch_key")(operation.name(), "CompositeImplicitAutograd")


def module_registries(module: Any) -> tuple[dict, dict, dict]:
    """Return the dicts in which a module keeps its own parameters, buffers and submodules."""
    parameters, buffers, modules = (
        attribute("torch", module, name) for name in ("_parameters", "_buffers", "_modules")
    )
    return parameters, buffers, modules


# The compiler

COMPILER_LOGGER = "torch._dynamo"
_COMPILER = "torch._dynamo.eval_frame"
_COMPILED_CALLS = "compile_wrapper", "_fn"
_RESUMED = re.compile("torch_dynamo_resume_in_.*_at_([0-9]+)$")
_ATTRIBUTES_OF_COMPILED = "_torchdynamo_orig_callable", "_orig_mod"


def is_compiler_loaded() -> bool:
    """Return whether this process has imported the compiler, which ``import torch`` does not."""
    return _COMPILER in sys.modules


def is_compiler_frame(frame: FrameType, module: str) -> bool:
    """Return whether ``frame``, a frame of ``module``, calls compiled code or code that is being compiled."""
    if module != _COMPILER or frame.f_code.co_name not in _COMPILED_CALLS:
        return False
    # torch wraps its own optimizers in this class, which keeps the compiler away from them.
    return type(frame.f_locals.get("self")).__name__ != "DisableContext"


def original_function(function: Any) -> Any:
    """Return the Python function that ``torch.compile`` wrapped in ``function``; any other function is returned as it
    is."""
    for name in _ATTRIBUTES_OF_COMPILED:
        function = getattr(function, name, function)
    return function


def is_compiled_model(module: Any) -> bool:
    """Return whether ``module`` is the module that ``torch.compile`` wraps around a model."""
    return original_function(module) is not module


def recompile_limit(count: int) -> AbstractContextManager[object]:
    """Return a context in which torch compiles one function up to ``count`` times before it stops compiling it."""
    resolve("torch._dynamo.config:recompile_limit")  # This call raises a clear error if the name is missing.
    return resolve("torch._dynamo.config").patch(recompile_limit=count)


@contextmanager
def reads_inside_full_graphs() -> Iterator[None]:
    """Keep reads of one value inside the graph of a function with ``fullgraph=True``, even under a stance that forces a
    backend and drops that option. Older versions of torch, whose description of it names no such reads, reject them.
    """
    if "capture_scalar_outputs" not in (resolve("torch:compile").__doc__ or ""):
        yield
        return
    from_stance = resolve(f"{_COMPILER}:_callback_from_stance")

    def callback_of(callback: Any) -> Any:
        chosen = from_stance(callback)
        inner = getattr(callback, "_torchdynamo_orig_backend", None)
        if not isinstance(inner, resolve("torch._dynamo.convert_frame:ConvertFrameAssert")):
            return chosen

        def convert(*args: Any, **kwargs: Any) -> Any:
            with resolve("torch._dynamo.config").patch(capture_scalar_outputs=True):
                return chosen(*args, **kwargs)

        convert._torchdynamo_orig_backend = chosen  # type: ignore[attr-defined]  # torch finds its cached graphs by it.
        return convert

    with patch.object(resolve(_COMPILER), "_callback_from_stance", callback_of):
        yield


def graph_break(graph_module: Any) -> tuple[str, str, int] | None:
    """Return the reason, file and line of the break that ended a graph; None if the function ended."""
    end = attribute("torch", graph_module, "compile_subgraph_reason")
    if not end.graph_break:
        return None
    frame = end.user_stack[-1] if end.user_stack else None
    return end.reason, frame.filename if frame else "", (frame.lineno or 0) if frame else 0


def graph_resumption(graph_module: Any) -> tuple[str, int] | None:
    """Return the file and line of the break after which a graph continues its function; None if the function begins."""
    for frame in attribute("torch", graph_module, "compile_subgraph_reason").user_stack:
        if match := _RESUMED.search(frame.name):
            return frame.filename, int(match[1])
    return None
