"""torch, as the course uses it. Nothing here imports torch: the learner's import loads it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

import numpy as np

from course_utils.frameworks import torch_internals, torch_memory_profile, torch_settings, torch_state_snapshots
from course_utils.frameworks.framework_interface import Framework
from course_utils.frameworks.remedy_words import TORCH
from course_utils.frameworks.runtime_interface import MemoryUse
from course_utils.frameworks.tensor_interface import UPCAST_DTYPES, Tensor
from course_utils.frameworks.torch_accelerator import TorchAccelerator
from course_utils.frameworks.torch_compiler import TorchCompiler
from course_utils.frameworks.torch_precision import full_precision


class Torch(Framework):
    """PyTorch: tensors have strides, views and gradients, and the code that creates a tensor chooses its device."""

    name = title = "torch"
    distributions = ("torch",)
    comparisons = ("allclose", "equal", "isclose", "eq", "all", "is_tensor")
    places_automatically = False
    compiler = TorchCompiler()
    profiler_name = "torch.profiler"
    remedy_words = TORCH
    uncompiled_modules = frozenset({"GRU", "LSTM", "RNN"})
    packages = ("torch", "functorch")

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.library.Tensor)

    def is_module(self, value: Any) -> bool:
        return isinstance(value, self.library.nn.Module)

    def is_generator(self, value: Any) -> bool:
        return isinstance(value, self.library.Generator)

    def type_phrase(self, value: Any) -> str:
        class_name = type(value).__name__
        if type(value).__module__ == "torch.return_types" and hasattr(value, "values"):
            return f"the pair (values, indices) that {class_name} returns along a dimension; take .values or .indices"
        return "a torch tensor" if class_name == "Tensor" else f"a torch {class_name}"

    def why_unsupported(self, tensor: Tensor, expected: str) -> str | None:
        torch = self.library
        if type(tensor) is not torch.Tensor:
            return f"{self.type_phrase(tensor)}; expected a plain {expected.removeprefix('a ')}"
        if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_nested:
            kind = "nested" if tensor.is_nested else "quantized" if tensor.is_quantized else tensor.layout
            return f"a {kind} tensor; expected a plain, dense tensor"
        if torch_internals.is_functorch_tensor(tensor):
            return "a tensor from inside a torch.func transformation; return what the transformation returns"
        return None

    def has_no_values(self, tensor: Tensor) -> bool:
        """Return whether the tensor is on the "meta" device."""
        return tensor.device.type == "meta"

    def to_numpy(self, tensor: Tensor) -> np.ndarray:
        tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
        return (tensor.float() if self.dtype_name(tensor) == "bfloat16" else tensor).numpy()

    def named_tensors(self, module: Any) -> Mapping[str, Tensor]:
        return module.state_dict()

    def clone_generator(self, generator: Any) -> Any:
        # Not every supported version of torch can deep-copy a generator.
        clone = self.library.Generator(device=generator.device)
        clone.set_state(generator.get_state())
        return clone

    def plain_copy(self, tensor: Tensor) -> Tensor | None:
        return torch_state_snapshots.plain_copy(self.library, tensor)

    def detached_copy(self, value: Any) -> Any:
        # torch refuses to deep-copy a tensor that an operation with a gradient returned.
        return value.detach().clone() if self.is_tensor(value) else super().detached_copy(value)

    def upcast(self, value: Any) -> Any:
        if not self.is_tensor(value) or self.dtype_name(value) not in UPCAST_DTYPES:
            return value.double() if self.is_module(value) else value
        wide = getattr(self.library, UPCAST_DTYPES[self.dtype_name(value)])
        return value.detach().to(wide).requires_grad_(value.requires_grad)  # torch deep-copies only leaf tensors

    def multiply(self, tensor: Tensor, factors: np.ndarray) -> Tensor:
        return tensor.detach() * self.library.asarray(factors).to(tensor)

    def to_device(self, value: Any, device: str) -> Any:
        """Return the value on ``device``, except generators: each device draws other numbers from the same seed."""
        if isinstance(value, self.library.device):
            return value if value.type == "meta" else self.library.device(device)
        return value.to(device) if self.is_tensor(value) or self.is_module(value) else value

    def replace_infinities(self, tensor: Tensor, value: float) -> Tensor:
        return self.library.where(tensor.isinf(), value * tensor.sign(), tensor)

    def layout(self, tensor: Tensor) -> tuple:
        return tuple(tensor.shape), self.dtype_name(tensor), tensor.stride()

    def storage_bytes(self, tensor: Tensor) -> bytes:
        storage = tensor.detach().untyped_storage().cpu()
        return ctypes.string_at(storage.data_ptr(), storage.nbytes())  # faster than wrapping the memory in a tensor

    def shares_memory(self, one: Tensor, other: Tensor) -> bool:
        first, second = one.untyped_storage(), other.untyped_storage()
        return first.nbytes() > 0 and first.data_ptr() == second.data_ptr()

    def write_count(self, tensor: Tensor) -> int:
        return torch_internals.version.__get__(tensor)

    def overwrite(self, target: Any, source: Any) -> Any:
        if self.is_tensor(target) and self.is_tensor(source) and self.layout(target) == self.layout(source):
            with self.library.no_grad():
                return target.copy_(source)
        if (self.is_module(target) or self.is_optimizer(target)) and type(target) is type(source):
            target.load_state_dict(source.state_dict())  # An optimizer keeps its own parameters.
            return target
        return source

    def snapshot(self, value: Any) -> Callable[[], object] | None:
        return torch_state_snapshots.snapshot(self.library, value)

    def named_modules(self, module: Any) -> list[tuple[str, Any]]:
        return list(module.named_modules()) if self.is_module(module) else []

    @contextmanager
    def watch_modules(self, on_enter: Callable[[Any], None], on_leave: Callable[[Any], None]) -> Iterator[None]:
        nn, is_wrapper = self.library.nn.modules.module, torch_internals.is_compiled_model
        before = lambda each, inputs: None if is_wrapper(each) else on_enter(each)
        after = lambda each, inputs, result: None if is_wrapper(each) else on_leave(each)
        hooks = nn.register_module_forward_pre_hook(before), nn.register_module_forward_hook(after, always_call=True)
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()

    def read(self, tensor: Tensor) -> None:
        if not tensor.is_quantized:
            tensor.detach().sum()

    def is_optimizer(self, value: Any) -> bool:
        return isinstance(value, self.library.optim.Optimizer)

    def holds_graph(self, tensor: Tensor) -> bool:
        return tensor.requires_grad

    def gradients(self, function: Callable[..., list[Tensor]], inputs: tuple, seed: int) -> list[Tensor | None]:
        torch = self.library
        arguments = [value.detach().requires_grad_() if self.is_floating(value) else value for value in inputs]
        results = [tensor for tensor in function(*arguments) if tensor.requires_grad]
        if not results:
            return [None] * len(inputs)
        weighted = zip(results, self.random_weights(results, seed))
        # With an argument for the weights, torch.autograd.grad imports SymPy, which takes about a second.
        total = sum((result * torch.as_tensor(weight).to(result)).sum() for result, weight in weighted)
        gradients = iter(torch.autograd.grad(total, filter(self.is_floating, arguments), allow_unused=True))
        return [next(gradients) if self.is_floating(value) else None for value in inputs]

    def copy_gradients(self, source: Any, target: Any) -> None:
        members = lambda value: value.parameters() if self.is_module(value) else [value]
        for one, other in zip(members(source), members(target)):
            if self.is_tensor(one) and one.is_leaf and one.grad is not None and other.grad is None:
                other.grad = one.grad.clone()

    def trainable(self, value: Any) -> Any:
        return value.detach().clone().requires_grad_() if self.is_floating(value) else value

    def mutable_state(self, value: Any) -> Mapping[str, Any]:
        return torch_state_snapshots.mutable_state(self.library, value)

    def measure_memory(self) -> AbstractContextManager[MemoryUse]:
        return torch_memory_profile.measure_memory(self.library)

    def without_gradients(self) -> AbstractContextManager[object]:
        return self.library.no_grad()

    def is_profiling(self) -> bool:
        return torch_internals.profiler_enabled()

    def seed(self, number: int) -> None:
        # torch.manual_seed also formats the stack for each kind of accelerator, which takes milliseconds.
        torch = self.library
        (torch if torch.accelerator.is_available() else torch.default_generator).manual_seed(number)

    def snapshot_state(self) -> Callable[[], Mapping[str, Any]]:
        return torch_settings.snapshot_settings(self.library)

    @contextmanager
    def threads(self, count: int) -> Iterator[int]:
        torch = self.library
        before = torch.get_num_threads()
        torch.set_num_threads(count)
        try:
            yield torch.get_num_threads()
        finally:
            torch.set_num_threads(before)

    def thread_count(self) -> int | None:
        return self.library.get_num_threads()

    def is_out_of_memory(self, error: BaseException) -> bool:
        words = ("out of memory",), ("_ALLOC_FAILED",), ("alloc", "memory")
        reports_memory = any(all(word in str(error) for word in each) for each in words)
        return type(error).__name__ == "OutOfMemoryError" or (isinstance(error, RuntimeError) and reports_memory)

    def cancel_scope(self) -> None:
        return None

    def accelerators(self) -> list[str]:
        names = [f"cuda:{index}" for index in range(self.library.cuda.device_count())]
        return names + (["mps"] if self.library.backends.mps.is_available() else [])

    def device_of(self, tensor: Tensor) -> str:
        kind, index = tensor.device.type, tensor.device.index
        return f"cuda:{index or 0}" if kind == "cuda" else "mps" if kind == "mps" else "cpu"

    def run_test_kernel(self, device: str) -> None:
        # torch also lists a card whose driver is too old, and a card that it has no kernels for.
        self.library.ones(1, device=device).add_(1)
        for synchronizer in self.synchronizers(device):
            synchronizer()

    def describe(self, device: str) -> str | None:
        return self.library.cuda.get_device_name(device) if device.startswith("cuda") else None

    def synchronizers(self, device: str) -> list[Callable[[], Any]]:
        """Return none for the CPU, where a call returns when its work is done."""
        if device.startswith("cuda"):
            return [partial(self.library.cuda.synchronize, device)]
        return [self.library.mps.synchronize] if device == "mps" else []

    def device_scope(self, device: str) -> AbstractContextManager[object]:
        return nullcontext()

    def full_precision(self) -> AbstractContextManager[object]:
        return full_precision(self.library)

    def accelerator(self, device: str) -> TorchAccelerator | None:
        return TorchAccelerator(self.library, device) if device in self.accelerators() else None
