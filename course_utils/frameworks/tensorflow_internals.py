"""Every private name of TensorFlow that the course uses. A missing name raises ``PrivateNameMissing`` at its first use.

Importing this module does not import TensorFlow.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, lru_cache
from typing import Any
from unittest.mock import patch

from course_utils.frameworks.private_names import attribute, resolve

ADDRESSES = {
    "CancellationManager": "tensorflow.python.eager.cancellation:CancellationManager",
    "CancellationManagerContext": "tensorflow.python.eager.cancellation:CancellationManagerContext",
    "EagerTensorBase": "tensorflow.python.framework.ops:_EagerTensorBase",
    "FuncGraph": "tensorflow.python.framework.func_graph:FuncGraph",
    "XSpace": "tensorflow.tsl.profiler.protobuf.xplane_pb2:XSpace",
    "add_op_callback": "tensorflow.python.framework.op_callbacks:add_op_callback",
    "array_operations": "tensorflow.python.ops.gen_array_ops",
    "check_numerics_state": "tensorflow.python.debug.lib.check_numerics_callback:_state",
    "config": "tensorflow.python.framework.config",
    "constants": "tensorflow.python.framework.constant_op",
    "context": "tensorflow.python.eager.context:context",
    "dtype_conversion": "tensorflow.python.framework.ops",
    "execute": "tensorflow.python.eager.execute:quick_execute",
    "function_def_to_graph": "tensorflow.python.framework.function_def_to_graph:function_def_to_graph",
    "generators": "tensorflow.python.ops.stateful_random_ops",
    "keras_state": "keras.src.backend.common.global_state",
    "module_of_profiler": "tensorflow.python.profiler.profiler_v2",
    "numpy_slicing": "tensorflow.python.framework.ops:_numpy_style_slicing",
    "op_definition": "tensorflow.python.framework.op_def_registry:get",
    "remove_op_callback": "tensorflow.python.framework.op_callbacks:remove_op_callback",
    "state_operations": "tensorflow.python.ops.gen_state_ops",
    "variable_operations": "tensorflow.python.ops.gen_resource_variable_ops",
}
"""A short name → the object in TensorFlow or Keras. Each is resolved when it is first used."""

_UPDATES = {
    "array_operations": "tensor_scatter_update",
    "state_operations": "resource_scatter_nd_update",
    "variable_operations": "resource_scatter_update",
}
TRACER_MODULE = "tensorflow.python.eager.polymorphic_function"
NUMPY_FUNCTION_MODULE = "tensorflow.python.ops.script_ops"
WRAPPER_MODULES = ("tensorflow.python.util.", "tensorflow.python.autograph.")
"""Names of modules, as frames report them: tracing, ``tf.numpy_function``, and code that only wraps other calls."""


@cache
def _get(name: str) -> Any:
    return resolve(ADDRESSES[name])


def eager_tensor_base() -> Any:
    """Return the class that defines the methods of eager tensors."""
    return _get("EagerTensorBase")


def tensor_id(tensor: Any) -> int:
    """Return a number that no other tensor of this process has."""
    return attribute("tensorflow", tensor, "_id")


def wrap_value_reads(wrap: Callable[[Callable[[Any], Any]], Callable[[Any], Any]]) -> AbstractContextManager[None]:
    """Inside the block, replace the method that copies an eager tensor's values to the host by ``wrap(method)``."""
    return _wrap_method(eager_tensor_base(), "_numpy", wrap)


def wrap_copies(wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> AbstractContextManager[None]:
    """Inside the block, replace the method that copies an eager tensor without an operation by ``wrap(method)``."""
    return _wrap_method(eager_tensor_base(), "_copy", wrap)


def wrap_conversions(wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> AbstractContextManager[None]:
    """Inside the block, replace the function that converts a Python object to an eager tensor by ``wrap(function)``."""
    return _wrap_method(_get("constants"), "convert_to_eager_tensor", wrap)


@contextmanager
def wrap_updates(wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Iterator[None]:
    """Inside the block, replace each operation that writes by index into a tensor or a variable by ``wrap(operation)``."""
    with ExitStack() as stack:
        for module, name in _UPDATES.items():
            stack.enter_context(_wrap_method(_get(module), name, wrap))
            stack.enter_context(_wrap_method(resolve("tensorflow").raw_ops, name.title().replace("_", ""), wrap))
        yield


def _wrap_method(
    owner: Any, name: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> AbstractContextManager[None]:
    replacement: Any = wrap(attribute("tensorflow", owner, name))
    return patch.object(owner, name, replacement)


@contextmanager
def operation_callback(callback: Callable[..., None]) -> Iterator[None]:
    """Call ``callback`` after each eager operation, and for each operation that tracing puts into a graph."""
    _get("add_op_callback")(callback)
    try:
        yield
    finally:
        _get("remove_op_callback")(callback)


def is_graph_function(op_type: str) -> bool:
    """Return whether an eager operation of this type is the call of a traced function."""
    return _get("context")().has_function(op_type)


def is_function_graph(graph: Any) -> bool:
    """Return whether ``graph`` is the graph of a function, and not a graph of TensorFlow 1."""
    return isinstance(graph, _get("FuncGraph"))


@lru_cache(maxsize=256)
def function_graph(name: str) -> Any:
    """Return the graph of the traced function called ``name``."""
    return _get("function_def_to_graph")(_get("context")().get_function_def(name))


def graph_function_names() -> Sequence[str]:
    """Return the names of the traced functions that this process keeps; each trace gives a new name."""
    return attribute("tensorflow", _get("context")(), "list_function_names")()


def is_profiling() -> bool:
    """Return whether TensorFlow's profiler runs now."""
    return attribute("tensorflow", _get("module_of_profiler"), "_profiler") is not None


def profiled_threads(profile: bytes) -> list[list[tuple[float, float, str]]]:
    """Return the events of each thread of the host in a stored profile: the seconds of start and end, and the name."""
    space = _get("XSpace")()
    space.ParseFromString(profile)
    planes = [plane for plane in space.planes if plane.name.startswith("/host:")]
    # Times since the first thread's start, because seconds since 1970 leave too few digits for microseconds.
    first_ns = min((line.timestamp_ns for plane in planes for line in plane.lines), default=0)

    def read(plane: Any, line: Any) -> Iterator[tuple[float, float, str]]:
        for event in line.events:
            start_s = 1e-9 * (line.timestamp_ns - first_ns) + 1e-12 * event.offset_ps
            yield start_s, start_s + 1e-12 * event.duration_ps, plane.event_metadata[event.metadata_id].name

    return [list(read(plane, line)) for plane in planes for line in plane.lines]


def run_operation(op_type: str, output_count: int, inputs: Sequence[Any], attributes: Sequence[Any]) -> Sequence[Any]:
    """Return the outputs of one eager operation; ``attributes`` are names and values alternately, None for a default."""
    pairs = zip(attributes[::2], attributes[1::2])
    attributes = [each for name, value in pairs if value is not None for each in (name, value)]
    return _get("execute")(op_type, output_count, list(inputs), tuple(attributes), _get("context")()) or []


def is_stateless_without_loops(name: str) -> bool:
    """Return whether the traced function ``name`` and all that it calls have no loops and no side effects."""
    plain = [each for each in function_graph(name).get_operations() if not each.type.endswith("PartitionedCall")]
    has_effect = any(each.type.endswith("While") or each.op_def.is_stateful for each in plain)
    return not has_effect and all(map(is_stateless_without_loops, _called_functions(name)))


def is_compiled_by_xla(name: str) -> bool:
    """Return whether XLA compiles the traced function ``name`` or a function that it calls."""
    return _must_compile(name) or any(map(is_compiled_by_xla, _called_functions(name)))


def _called_functions(name: str) -> list[str]:
    operations = function_graph(name).get_operations()
    return [each.get_attr("f").name for each in operations if each.type.endswith("PartitionedCall")]


def _must_compile(name: str) -> bool:
    return bool(_get("context")().get_function_def(name).attr["_XlaMustCompile"].b)


def xla_program_of(name: str, inputs: Sequence[Any]) -> str:
    """Return the program of XLA for the traced function ``name`` and these inputs; "" if XLA does not compile it."""
    context = _get("context")()
    compile_for = getattr(context, "get_compiler_ir", None)
    if compile_for is None or not _must_compile(name):
        return ""
    try:
        program = compile_for(
            device_name=None, platform_name="CPU", function_name=name, flat_args=list(inputs), captured_inputs=[],
            stage="optimized_hlo",
        )  # fmt: skip
    except Exception:  # noqa: BLE001 - another version may want other arguments; then nothing is known of the kernels
        return ""
    return program.decode()


def wait_for_operations() -> None:
    """Block until all eager operations are done."""
    _get("context")().sync_executors()


def is_stateless_operation(op_type: str) -> bool:
    """Return whether an operation has no side effects, so that it can run again."""
    definition = _get("op_definition")(op_type)
    return definition is not None and not definition.is_stateful


def reseed(number: int) -> None:
    """Seed the global generators and keep all kernels: ``set_seed`` discards them, which costs later calls milliseconds."""
    context = _get("context")()
    context._seed, context._rng = number, random.Random(number)


def snapshot_random_state() -> Callable[[], None]:
    """Return a function that restores the global seed and the state of the global generators."""
    context, generators = _get("context")(), _get("generators")
    seed, python_generator = attribute("tensorflow", context, "_seed"), getattr(context, "_rng", None)
    python_state = python_generator.getstate() if python_generator else None
    generator = attribute("tensorflow", generators, "global_generator")
    state = None if generator is None else generator.state.numpy()

    def restore() -> None:
        context._seed = seed
        if python_state is not None:
            context._rng.setstate(python_state)
        generators.global_generator = generator
        if generator is not None:
            generator.state.assign(state)

    return restore


class GraphCancelScope:
    """Ends the graphs that run in it. TensorFlow runs no operation callback for a graph that can be cancelled."""

    def __init__(self) -> None:
        self._manager = _get("CancellationManager")()
        self._context = _get("CancellationManagerContext")(self._manager)

    def __enter__(self) -> None:
        self._context.__enter__()

    def __exit__(self, *error: object) -> None:
        self._context.__exit__(*error)

    def cancel(self) -> None:
        self._manager.start_cancel()

    def caused(self, error: BaseException) -> bool:
        return bool(self._manager.is_cancelled) and type(error).__name__ == "CancelledError"
