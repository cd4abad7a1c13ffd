"""torch's global settings, by name, and how to restore them. Nothing here imports torch.

Most settings are discovered: each function ``set_x`` for which a function reads ``x``, and the properties of
``torch.backends``.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

from course_utils.frameworks.global_settings import Setting, snapshot_of

# These are read-only, restored separately below, or can be set only once per process.
_EXCLUDED = "autocast", "rng_state", "num_interop_threads", "default_device", "anomaly_enabled", "deterministic"
_READ_ONLY = "is_inference_mode_enabled", "initial_seed"
_PRODUCTS = (
    "allow_tf32",
    "allow_fp16_reduced_precision_reduction",
    "allow_bf16_reduced_precision_reduction",
    "allow_fp16_accumulation",
)


def snapshot_settings(torch: Any) -> Callable[[], dict[str, Any]]:
    """Return a function that restores the present random generators and global settings, and returns the settings that
    had changed.
    """
    cpu = torch.get_rng_state()
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
    restore_settings = snapshot_of(_all_settings(torch))

    def restore() -> dict[str, Any]:
        changed = restore_settings()  # first, because a generator's state contains torch.initial_seed()
        torch.set_rng_state(cpu)
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)
        return changed

    return restore


@functools.cache
def _all_settings(torch: Any) -> tuple[Setting, ...]:
    backends = [module for name, module in sorted(sys.modules.items()) if name.startswith("torch.backends")]
    read_only = (Setting(f"torch.{name}()", getattr(torch, name)) for name in _READ_ONLY)
    settings = (
        setting for module in (torch, *backends) for setting in (*_functions(module), *_properties(torch, module))
    )
    products = torch.backends.cuda.matmul
    more = (_property("torch.backends.cuda.matmul", products, name) for name in _PRODUCTS if hasattr(products, name))
    return (*read_only, *settings, *more, *_special(torch))


def _functions(module: ModuleType) -> Iterator[Setting]:
    """Yield the settings that a function sets and another one reads: ``set_x`` and ``get_x``, ``enable_x`` and ``x_enabled``."""
    for setter in dir(module):
        prefix, _, rest = setter.partition("_")
        if prefix not in ("set", "enable") or any(word in rest for word in _EXCLUDED):
            continue
        names = f"get_{rest}", f"is_{rest}", f"is_{rest}_enabled", f"{rest}_enabled"
        reader = next((name for name in names if callable(getattr(module, name, None))), None)
        if reader is not None and hasattr(module, f"set_{rest}") != (prefix == "enable"):
            yield Setting(f"{module.__name__}.{reader}()", getattr(module, reader), getattr(module, setter))


def _properties(torch: Any, module: Any) -> Iterator[Setting]:
    """Yield the properties of a module of ``torch.backends``, such as ``torch.backends.mkldnn.enabled``."""
    for name in dir(type(module)):
        found = inspect.getattr_static(type(module), name)
        if isinstance(found, torch.backends.ContextProp):
            yield replace(_property(module.__name__, module, name), read=found.getter)


def _property(owner_name: str, owner: Any, name: str) -> Setting:
    return Setting(f"{owner_name}.{name}", lambda: getattr(owner, name), lambda value: setattr(owner, name, value))


def _special(torch: Any) -> Iterator[Setting]:
    """Yield the settings whose function takes more than a value, or that no function of torch reads."""
    # None removes the device; with "cpu", torch would go on to intercept each function.
    set_device = lambda device: torch.set_default_device(None if device.type == "cpu" else device)
    yield Setting("torch.get_default_device()", lambda: _default_device(torch), set_device)
    # Torch has no function that reads this setting of the processor, which Python's own arithmetic obeys as well.
    yield Setting("torch.set_flush_denormal()", lambda: sys.float_info.min / 2 == 0, torch.set_flush_denormal)
    anomaly, checks_nan = torch.is_anomaly_enabled, torch.is_anomaly_check_nan_enabled
    set_anomaly = torch.autograd.set_detect_anomaly
    yield Setting("torch.is_anomaly_enabled()", anomaly, lambda value: set_anomaly(value, checks_nan()))
    yield Setting("torch.is_anomaly_check_nan_enabled()", checks_nan, lambda value: set_anomaly(anomaly(), value))
    deterministic, warns = (
        torch.are_deterministic_algorithms_enabled,
        torch.is_deterministic_algorithms_warn_only_enabled,
    )
    set_both = lambda mode, warn_only: torch.use_deterministic_algorithms(mode, warn_only=warn_only)
    yield Setting("torch.are_deterministic_algorithms_enabled()", deterministic, lambda value: set_both(value, warns()))
    yield Setting(
        "torch.is_deterministic_algorithms_warn_only_enabled()", warns, lambda value: set_both(deterministic(), value)
    )
    for name in ("cpu", "cuda"):
        enabled = functools.partial(torch.is_autocast_enabled, name)
        yield Setting(
            f"torch.is_autocast_enabled({name!r})", enabled, functools.partial(torch.set_autocast_enabled, name)
        )
        dtype = functools.partial(torch.get_autocast_dtype, name)
        yield Setting(f"torch.get_autocast_dtype({name!r})", dtype, functools.partial(torch.set_autocast_dtype, name))
    yield Setting(
        "torch.is_autocast_cache_enabled()", torch.is_autocast_cache_enabled, torch.set_autocast_cache_enabled
    )
    yield _property("torch.utils.deterministic", torch.utils.deterministic, "fill_uninitialized_memory")


def _default_device(torch: Any) -> Any:
    try:
        return torch.get_default_device()
    except AttributeError:  # torch 2.7 raises it after `set_default_device(None)`
        return torch.device("cpu")
