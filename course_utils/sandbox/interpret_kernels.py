"""Runs Triton kernels on host tensors in Triton's interpreter, with checked memory accesses.

A kernel whose tensors are on a GPU runs there as always. ``TRITON_INTERPRET=1`` would decide for the whole process, when
Triton is imported, and the PyTorch compiler reads it, too. So the course decides for each launch by its tensors.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from course_utils.frameworks import torch_internals, triton_internals
from course_utils.sandbox.triton_kernel_memory import KernelFailed, KernelMemory, Traffic, add_empty_slices, nan_like

_OUTSIDE = [
    "arange",
    "exp",
    "full",
    "load",
    "log",
    "maximum",
    "minimum",
    "num_programs",
    "program_id",
    "store",
    "where",
]
"""Functions of ``triton.language`` that raise a one-sentence error if they are called outside of a kernel."""

_running = threading.local()
_traffics: list[Traffic] = []


@contextmanager
def counting_kernels(traffic: Traffic) -> Iterator[None]:
    """Add what interpreted kernels do in the block to ``traffic``."""
    _traffics.append(traffic)
    try:
        yield
    finally:
        _traffics[:] = [each for each in _traffics if each is not traffic]


@functools.cache
def install() -> None:
    """Let kernels run on the host from now on; a second call does nothing.

    Raises:
        PrivateNameMissing: the installed Triton lacks a name that this needs.
    """
    kernel, interpreted = triton_internals.JITFunction, triton_internals.InterpretedFunction
    native_run = kernel.run

    def run(self: Any, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> Any:
        tensors = [each for each in (*args, *kwargs.values()) if hasattr(each, "data_ptr")]
        devices = {each.device.type for each in tensors}
        if "meta" in devices:
            add_empty_slices(tensors)
            raise KernelFailed(f"{self.fn.__name__} cannot run on tensors of the device 'meta', which hold no values.")
        if warmup or devices - {"cpu"}:
            return native_run(self, *args, grid=grid, warmup=warmup, **kwargs)
        return _interpret(self.fn, args, kwargs, grid)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a kernel, or a function of Triton's own library, from another kernel."""
        if _memory() is None:
            name = self.fn.__name__
            raise KernelFailed(f"{name} is a kernel: launch it on a grid of programs, as in {name}[(4,)](…).")
        return interpreted(self.fn).rewrite()(*args, **kwargs)

    def bind(self: Any, instance: Any, owner: Any = None) -> Any:
        """Make ``x.sum(0)`` work: the interpreter looks up ``sum`` as an attribute of a class."""
        return self if instance is None or _memory() is None else functools.partial(call, self, instance)

    kernel.run, kernel.__call__, kernel.__get__ = run, call, bind
    interpreted.run = lambda self, *args, grid, warmup=False, **kwargs: _interpret(self.fn, args, kwargs, grid)
    _check_memory(triton_internals.interpreter_builder)
    _explain_outside()


def _memory() -> KernelMemory | None:
    return getattr(_running, "memory", None)


def _interpret(function: Callable[..., Any], args: tuple, kwargs: dict[str, Any], grid: Any) -> None:
    name = function.__name__
    if not callable(grid) and not (
        isinstance(grid, tuple) and 1 <= len(grid) <= 3 and all(hasattr(each, "__index__") for each in grid)
    ):
        raise KernelFailed(
            f"{name}[{grid!r}] has no grid: write one to three numbers of programs, as in {name}[(4,)](…)."
        )
    try:
        parameters = inspect.getcallargs(function, *args, **{k: v for k, v in kwargs.items() if k in _names(function)})
    except TypeError as error:
        raise KernelFailed(f"The launch of {name} does not fit its definition: {error}.") from None
    pointers = [key for key, value in parameters.items() if hasattr(value, "data_ptr")]
    for key in pointers:
        kind = type(parameters[key])
        if "__torch_dispatch__" in vars(kind) and kind.__name__ != "Tensor":
            parameters[key].data_ptr()  # A tensor without host memory raises its own error here.
    memory, original = KernelMemory(name, pointers, _traffics), triton_internals.convert_argument

    def convert(argument: Any) -> Any:
        converted = original(argument)
        if hasattr(argument, "data_ptr"):
            converted.handle.data = np.array([memory.add(argument)], dtype=np.uint64)
        return converted

    outer = _memory()
    with ExitStack() as stack:
        # What the interpreter itself does with tensors is not the learner's work, so no counter of torch should see it.
        stack.enter_context(torch_internals.no_dispatch())
        stack.enter_context(torch_internals.DisableTorchFunction())
        stack.enter_context(triton_internals.knobs.runtime.scope())
        stack.enter_context(np.errstate(all="ignore"))
        triton_internals.knobs.runtime.interpret = True
        setattr(triton_internals.interpreter, triton_internals.CONVERTER, convert)
        stack.callback(triton_internals.patch_language(_all_of_triton()).restore)
        _running.memory = memory
        try:
            interpreted = triton_internals.InterpretedFunction(function)
            triton_internals.GridExecutor(interpreted.rewrite(), interpreted.arg_names, grid)(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - a learner's kernel may raise anything
            raise _explain_error(error, function, parameters) from None
        finally:
            _running.memory = outer
            setattr(triton_internals.interpreter, triton_internals.CONVERTER, original)


@functools.cache
def _all_of_triton() -> Any:
    """Return a stand-in for a function that uses all of Triton, so that the interpreter patches everything."""
    import triton.language

    return SimpleNamespace(__globals__={"tl": triton.language, "core": triton.language.core})


def _names(function: Callable[..., Any]) -> list[str]:
    return inspect.getfullargspec(function).args


def _check_memory(builder: Any) -> None:
    """Put the check between the interpreter and its raw loads, stores and atomic operations."""
    load, store = builder.create_masked_load, builder.create_masked_store
    exchange, update, set_grid, set_program = (
        builder.create_atomic_cas, builder.create_atomic_rmw, builder.set_grid_dim, builder.set_grid_idx
    )  # fmt: skip

    def translated(verb: str, pointers: Any, mask: Any) -> Any:
        memory = _memory()
        if memory is None:
            return pointers
        itemsize = triton_internals.numpy_dtype(pointers.get_element_ty()).itemsize
        lanes = True if mask is None else mask if isinstance(mask, np.ndarray) else mask.data
        addresses = memory.translate(verb, np.asarray(pointers.data), np.asarray(lanes), itemsize)
        return type(pointers)(addresses, pointers.dtype)

    def checked_load(pointers: Any, mask: Any, other: Any, *rest: Any, **options: Any) -> Any:
        other = nan_like(pointers) if other is None else other
        return load(translated("loads", pointers, mask), mask, other, *rest, **options)

    def checked_store(pointers: Any, value: Any, mask: Any, *rest: Any, **options: Any) -> Any:
        return store(translated("stores", pointers, mask), value, mask, *rest, **options)

    def checked_exchange(pointers: Any, *rest: Any) -> Any:
        return exchange(translated("updates", pointers, None), *rest)

    def checked_update(operation: Any, pointers: Any, value: Any, mask: Any, *rest: Any) -> Any:
        return update(operation, translated("updates", pointers, mask), value, mask, *rest)

    def counted_grid(*sizes: int) -> None:
        set_grid(*sizes)
        if (memory := _memory()) is not None:
            memory.count_launch(int(np.prod(sizes)))

    def noted_program(*indices: int) -> None:
        set_program(*indices)
        if (memory := _memory()) is not None:
            memory.program = indices

    builder.create_masked_load, builder.create_masked_store = checked_load, checked_store
    builder.create_atomic_cas, builder.create_atomic_rmw = checked_exchange, checked_update
    builder.set_grid_dim, builder.set_grid_idx = counted_grid, noted_program


def _explain_outside() -> None:
    """Make the functions in ``_OUTSIDE`` raise their error."""
    from triton import language

    def guarded(name: str, function: Any) -> Any:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if kwargs.get("_semantic") is None:
                raise KernelFailed(
                    f"tl.{name} works only inside a kernel: write it in a function with @triton.jit in the line above def, "
                    "and launch that function on a grid."
                )
            return function(*args, **kwargs)

        return call

    for name in _OUTSIDE:
        function = getattr(language, name)
        if triton_internals.is_builtin(function):
            setattr(language, name, guarded(name, function))


def _explain_error(error: BaseException, function: Callable[..., Any], parameters: dict[str, Any]) -> BaseException:
    """Return the error that a learner should see: one sentence, with the kernel's line if that is what helps."""
    while isinstance(error, triton_internals.InterpreterError) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, (KernelFailed, MemoryError)):
        return error
    name, message = function.__name__, str(error)
    if isinstance(error, NotImplementedError) and not message:
        return KernelFailed(f"{name} is not written yet: replace `raise NotImplementedError()` with your code.")
    if "power of 2" in message:
        constants = {key: value for key, value in parameters.items() if type(value) is int and key.isupper()}
        odd = next((f"; got {key}={value}" for key, value in constants.items() if value & (value - 1) or value < 1), "")
        return KernelFailed(
            f"The size of a block in {name} must be a power of two{odd}. Round it up with triton.next_power_of_2, and mask "
            "the rest."
        )
    if "triton.language must be visible" in message:
        return KernelFailed(f"{name} finds no tl: run the cell with `triton, tl = load_triton()` first.")
    if "get_bf16" in message:
        return KernelFailed(
            f"Triton's interpreter cannot combine bfloat16 with a Python number, as {name} does: convert the loaded values "
            "with .to(tl.float32) first."
        )
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == _file(function)]
    source = linecache.getline(lines[-1].filename, lines[-1].lineno or 0).strip() if lines else ""
    place = f" in the line `{source}`" if source else ""
    return KernelFailed(f"{name} fails{place}: {type(error).__name__}: {message or 'no message'}")


def _file(function: Callable[..., Any]) -> str:
    return function.__code__.co_filename
