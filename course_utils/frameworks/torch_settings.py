"""torch's global settings, by name, and how to restore them. Nothing here imports torch.

Most of them are found instead of listed: a function ``set_x`` with a function that reads ``x``, and the properties of
``torch.backends``.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any

# Read only, restored in a way of their own below, or, as the threads between operations, set once in a process.
_NOT_FOUND = "autocast", "rng_state", "num_interop_threads", "default_device", "anomaly_enabled", "deterministic"
_READ_ONLY = "is_inference_mode_enabled", "initial_seed"
_PRODUCTS = (
    "allow_tf32",
    "allow_fp16_reduced_precision_reduction",
    "allow_bf16_reduced_precision_reduction",
    "allow_fp16_accumulation",
)


@dataclass(frozen=True)
class _Setting:
    """A setting as a learner would write it, such as ``"torch.is_grad_enabled()"``; without ``write`` it is only read."""

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], object] | None = None

    def value(self) -> Any:
        """Return the present value; None if torch refuses to read it, since other settings contradict it."""
        try:
            return self.read()
        except RuntimeError:
            return None

    def restore(self, before: Any) -> None:
        """Set ``before``, unless it is the present value: some settings take milliseconds."""
        if self.write is not None and before is not None and self.value() != before:
            with suppress(RuntimeError):  # another setting, which is restored as well, contradicts it
                self.write(before)


def settings(torch: Any) -> dict[str, Any]:
    """Return the global settings that a function may leave changed: ``{"torch.is_grad_enabled()": True}``."""
    return {setting.name: setting.value() for setting in _all_settings(torch)}


def snapshot_settings(torch: Any) -> Callable[[], None]:
    """Return a function that restores the random generators and the global settings of now."""
    cpu = torch.get_rng_state()
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
    before = [(setting, setting.value()) for setting in _all_settings(torch)]

    def restore() -> None:
        torch.set_rng_state(cpu)
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)
        for setting, value in before:
            setting.restore(value)

    return restore


@functools.cache
def _all_settings(torch: Any) -> tuple[_Setting, ...]:
    backends = [module for name, module in sorted(sys.modules.items()) if name.startswith("torch.backends")]
    read_only = (_Setting(f"torch.{name}()", getattr(torch, name)) for name in _READ_ONLY)
    found = (setting for module in (torch, *backends) for setting in (*_functions(module), *_properties(torch, module)))
    products = torch.backends.cuda.matmul
    more = (_property("torch.backends.cuda.matmul", products, name) for name in _PRODUCTS if hasattr(products, name))
    return (*read_only, *found, *more, *_special(torch))


def _functions(module: ModuleType) -> Iterator[_Setting]:
    """Yield the settings that a function sets and another one reads: ``set_x`` and ``get_x``, ``enable_x`` and ``x_enabled``."""
    for setter in dir(module):
        prefix, _, rest = setter.partition("_")
        if prefix not in ("set", "enable") or any(word in rest for word in _NOT_FOUND):
            continue
        names = f"get_{rest}", f"is_{rest}", f"is_{rest}_enabled", f"{rest}_enabled"
        reader = next((name for name in names if callable(getattr(module, name, None))), None)
        if reader is not None and hasattr(module, f"set_{rest}") != (prefix == "enable"):
            yield _Setting(f"{module.__name__}.{reader}()", getattr(module, reader), getattr(module, setter))


def _properties(torch: Any, module: Any) -> Iterator[_Setting]:
    """Yield the properties of a module of ``torch.backends``, such as ``torch.backends.mkldnn.enabled``."""
    for name in dir(type(module)):
        if isinstance(inspect.getattr_static(type(module), name), torch.backends.ContextProp):
            yield _property(module.__name__, module, name)


def _property(owner_name: str, owner: Any, name: str) -> _Setting:
    return _Setting(f"{owner_name}.{name}", lambda: getattr(owner, name), lambda value: setattr(owner, name, value))


def _special(torch: Any) -> Iterator[_Setting]:
    """Yield the settings that take other arguments than their value, or that torch has no function to read."""
    # None removes the device; with "cpu", torch would go on to intercept each function.
    set_device = lambda device: torch.set_default_device(None if device.type == "cpu" else device)
    yield _Setting("torch.get_default_device()", lambda: _default_device(torch), set_device)
    # Torch has no function that reads this setting of the processor, which Python's own arithmetic obeys as well.
    yield _Setting("torch.set_flush_denormal()", lambda: sys.float_info.min / 2 == 0, torch.set_flush_denormal)
    anomaly, checks_nan = torch.is_anomaly_enabled, torch.is_anomaly_check_nan_enabled
    set_anomaly = torch.autograd.set_detect_anomaly
    yield _Setting("torch.is_anomaly_enabled()", anomaly, lambda value: set_anomaly(value, checks_nan()))
    yield _Setting("torch.is_anomaly_check_nan_enabled()", checks_nan, lambda value: set_anomaly(anomaly(), value))
    deterministic, warns = (
        torch.are_deterministic_algorithms_enabled,
        torch.is_deterministic_algorithms_warn_only_enabled,
    )
    set_both = lambda mode, warn_only: torch.use_deterministic_algorithms(mode, warn_only=warn_only)
    yield _Setting(
        "torch.are_deterministic_algorithms_enabled()", deterministic, lambda value: set_both(value, warns())
    )
    yield _Setting(
        "torch.is_deterministic_algorithms_warn_only_enabled()", warns, lambda value: set_both(deterministic(), value)
    )
    for name in ("cpu", "cuda"):
        enabled = functools.partial(torch.is_autocast_enabled, name)
        yield _Setting(
            f"torch.is_autocast_enabled({name!r})", enabled, functools.partial(torch.set_autocast_enabled, name)
        )
        dtype = functools.partial(torch.get_autocast_dtype, name)
        yield _Setting(f"torch.get_autocast_dtype({name!r})", dtype, functools.partial(torch.set_autocast_dtype, name))
    yield _Setting(
        "torch.is_autocast_cache_enabled()", torch.is_autocast_cache_enabled, torch.set_autocast_cache_enabled
    )
    yield _property("torch.utils.deterministic", torch.utils.deterministic, "fill_uninitialized_memory")


def _default_device(torch: Any) -> Any:
    try:
        return torch.get_default_device()
    except AttributeError:  # torch 2.6 raises it after `set_default_device(None)`
        return torch.device("cpu")
