"""torch, as the course asks for it. Nothing here imports torch: it is used only once the learner has imported it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

import numpy as np

from course_utils.frameworks import torch_snapshots
from course_utils.frameworks.accelerator import FLUSHED_BYTES, Event
from course_utils.frameworks.base import WIDE, Framework, Tensor
from course_utils.frameworks.torch_compiler import TorchCompiler
from course_utils.frameworks.torch_precision import exact


class Torch(Framework):
    """PyTorch, whose tensors have strides, views and gradients, and lie where whoever makes them says."""

    name = title = "torch"
    distributions = ("torch",)
    comparisons = ("allclose", "equal", "isclose", "eq", "all", "is_tensor")
    places_by_itself = False
    compiler = TorchCompiler()

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.library.Tensor)

    def is_module(self, value: Any) -> bool:
        return isinstance(value, self.library.nn.Module)

    def is_generator(self, value: Any) -> bool:
        return isinstance(value, self.library.Generator)

    def called(self, value: Any) -> str:
        own = type(value).__name__
        if type(value).__module__ == "torch.return_types" and hasattr(value, "values"):
            return f"a pair of values and indices, as {own} along an axis gives (take .values)"
        return "a torch tensor" if own == "Tensor" else f"a torch {own}"

    def flaw(self, tensor: Tensor, wanted: str) -> str | None:
        torch = self.library
        if type(tensor) is not torch.Tensor:
            return f"{self.called(tensor)}, a class of its own; a plain {wanted.removeprefix('a ')} is wanted"
        if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_nested:
            kind = "nested" if tensor.is_nested else "quantized" if tensor.is_quantized else tensor.layout
            return f"a {kind} tensor; a plain, dense one is wanted"
        if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            return "a tensor from inside a torch.func transformation; return what that returns"
        return None

    def has_no_values(self, tensor: Tensor) -> bool:
        """Whether it is on the "meta" device, the one that every machine has beside the CPU."""
        return tensor.device.type == "meta"

    def to_numpy(self, tensor: Tensor) -> np.ndarray:
        tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
        return (tensor.float() if self.dtype_name(tensor) == "bfloat16" else tensor).numpy()

    def parts(self, module: Any) -> Mapping[str, Tensor]:
        return module.state_dict()

    def twin(self, generator: Any) -> Any:
        """torch's generators cannot be deep-copied in every version that the course runs on."""
        twin = self.library.Generator(device=generator.device)
        twin.set_state(generator.get_state())
        return twin

    def kept(self, leaf: Any) -> Any:
        """torch's deep copies refuse a tensor that still knows how it was computed."""
        return leaf.detach().clone() if self.is_tensor(leaf) else super().kept(leaf)

    def widened(self, leaf: Any) -> Any:
        if self.is_module(leaf):
            return leaf.double()
        if not self.is_tensor(leaf) or self.dtype_name(leaf) not in WIDE:
            return leaf
        return leaf.to(getattr(self.library, WIDE[self.dtype_name(leaf)]))

    def moved(self, leaf: Any, device: str) -> Any:
        """Generators stay where they are: each device draws other numbers from the same seed."""
        if isinstance(leaf, self.library.device):
            return leaf if leaf.type == "meta" else self.library.device(device)
        return leaf.to(device) if self.is_tensor(leaf) or self.is_module(leaf) else leaf

    def layout(self, tensor: Tensor) -> tuple:
        return tuple(tensor.shape), self.dtype_name(tensor), tensor.stride()

    def memory(self, tensor: Tensor) -> bytes:
        torch = self.library
        raw = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(tensor.detach().untyped_storage())
        return raw.cpu().numpy().tobytes()

    def shares_memory(self, one: Tensor, other: Tensor) -> bool:
        first, second = one.untyped_storage(), other.untyped_storage()
        return first.nbytes() > 0 and first.data_ptr() == second.data_ptr()

    def overwritten(self, old: Any, new: Any) -> Any:
        if self.is_tensor(old) and self.is_tensor(new) and self.layout(old) == self.layout(new):
            with self.library.no_grad():
                return old.copy_(new)
        if self.is_module(old) and type(old) is type(new):
            old.load_state_dict(new.state_dict())
            return old
        if self.is_optimizer(old) and type(old) is type(new):
            old.load_state_dict(new.state_dict())  # it goes on with the parameters that it holds
            return old
        return new

    def remembered(self, value: Any) -> Callable[[], None] | None:
        return torch_snapshots.remembered(self.library, value)

    def is_optimizer(self, value: Any) -> bool:
        return isinstance(value, self.library.optim.Optimizer)

    def holds_graph(self, tensor: Tensor) -> bool:
        return tensor.requires_grad

    def gradients(self, function: Callable[..., list[Tensor]], inputs: tuple, seed: int) -> list[Tensor | None]:
        torch = self.library
        sources = [value.detach().requires_grad_() if self.is_floating(value) else value for value in inputs]
        results = [tensor for tensor in function(*sources) if tensor.requires_grad]
        wanted = [value for value in sources if self.is_floating(value)]
        if not results:
            return [None] * len(inputs)
        weights = [torch.as_tensor(one).to(other) for one, other in zip(self.weights(results, seed), results)]
        found = iter(torch.autograd.grad(results, wanted, weights, allow_unused=True))
        return [next(found) if self.is_floating(value) else None for value in inputs]

    def seed(self, number: int) -> None:
        self.library.manual_seed(number)

    def state_kept(self) -> Callable[[], None]:
        torch = self.library
        cpu, dtype, gradients = torch.get_rng_state(), torch.get_default_dtype(), torch.is_grad_enabled()
        cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
        threads = torch.get_num_threads()

        def put_back() -> None:
            torch.set_rng_state(cpu)
            torch.set_default_dtype(dtype)
            torch.set_grad_enabled(gradients)
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)
            if cuda is not None:
                torch.cuda.set_rng_state_all(cuda)

        return put_back

    @contextmanager
    def threads(self, count: int) -> Iterator[int]:
        """torch changes their number at any time."""
        torch = self.library
        before = torch.get_num_threads()
        torch.set_num_threads(count)
        try:
            yield torch.get_num_threads()
        finally:
            torch.set_num_threads(before)

    def threads_in_use(self) -> int | None:
        return self.library.get_num_threads()

    def is_out_of_memory(self, error: BaseException) -> bool:
        if type(error).__name__ == "OutOfMemoryError":
            return True
        said = str(error)
        told = "out of memory" in said or "_ALLOC_FAILED" in said or ("alloc" in said and "memory" in said)
        return isinstance(error, RuntimeError) and told

    def cancellable(self) -> None:
        return None

    def accelerators(self) -> list[str]:
        torch = self.library
        found = [f"cuda:{index}" for index in range(torch.cuda.device_count())]
        return found + (["mps"] if torch.backends.mps.is_available() else [])

    def device_of(self, tensor: Tensor) -> str:
        kind, index = tensor.device.type, tensor.device.index
        return f"cuda:{index or 0}" if kind == "cuda" else "mps" if kind == "mps" else "cpu"

    def touch(self, device: str) -> None:
        """torch counts a card that its driver is too old for, and one that it holds no kernels for."""
        self.library.ones(1, device=device).add_(1)
        for wait in self.waiters(device):
            wait()

    def describe(self, device: str) -> str | None:
        return self.library.cuda.get_device_name(device) if device.startswith("cuda") else None

    def waiters(self, device: str) -> list[Callable[[], Any]]:
        """torch works at once on the CPU."""
        if device.startswith("cuda"):
            return [partial(self.library.cuda.synchronize, device)]
        return [self.library.mps.synchronize] if device == "mps" else []

    def placed(self, device: str) -> AbstractContextManager[object]:
        return nullcontext()

    def exact(self) -> AbstractContextManager[object]:
        return exact(self.library)

    def accelerator(self, device: str) -> TorchAccelerator | None:
        return TorchAccelerator(self.library, device) if device in self.accelerators() else None


class TorchAccelerator:
    """CUDA's events, and zeroes that drive the inputs out of the caches: of twice their size, where torch tells it."""

    def __init__(self, torch: Any, device: str) -> None:
        self._cuda = torch.cuda if device.startswith("cuda") else None
        self._device = device
        cache_bytes = self._cuda.get_device_properties(device).L2_cache_size if self._cuda else 0
        self.flush = torch.empty(2 * cache_bytes or FLUSHED_BYTES, dtype=torch.int8, device=device).zero_

    def chosen(self) -> AbstractContextManager[object]:
        return self._cuda.device(self._device) if self._cuda else nullcontext()

    def pair(self) -> tuple[Event, Event] | None:
        if self._cuda is None:
            return None
        return self._cuda.Event(enable_timing=True), self._cuda.Event(enable_timing=True)
