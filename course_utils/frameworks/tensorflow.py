"""TensorFlow, as the course asks for it. Nothing here imports it by itself: it is used only once the learner has."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NoReturn

import numpy as np

from course_utils.core.errors import CourseError
from course_utils.frameworks.accelerator import FLUSHED_BYTES
from course_utils.frameworks.base import WIDE, Framework, Tensor
from course_utils.frameworks.processor import cores

# It takes a GPU's whole memory with its first tensor, and other notebooks find the card full. A variable, since it may be
# imported after the course, and its own function for this refuses once a first tensor is there. Who has set it keeps it.
os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")


class Tensorflow(Framework):
    """TensorFlow, whose tensors cannot be changed, and which runs graphs out of Python's sight."""

    name = "tensorflow"
    title = "TensorFlow"
    distributions = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tf-nightly")
    logger = "tensorflow"
    ends_process_without_memory = True

    def is_tensor(self, value: Any) -> bool:
        return hasattr(value, "dtype") and hasattr(value, "shape")

    def is_module(self, value: Any) -> bool:
        return False

    def is_generator(self, value: Any) -> bool:
        return False

    def called(self, value: Any) -> str:
        own = type(value).__name__
        return "a TensorFlow tensor" if own in ("Tensor", "EagerTensor") else f"a TensorFlow {own}"

    def flaw(self, tensor: Tensor, wanted: str) -> str | None:
        if type(tensor).__name__ == "EagerTensor":
            return None
        return f"{self.called(tensor)}, which is no plain tensor with values; {wanted} is wanted"

    def has_no_values(self, tensor: Tensor) -> bool:
        return False

    def to_numpy(self, tensor: Tensor) -> np.ndarray:
        array = tensor.numpy()
        return array.astype(np.float32) if self.dtype_name(tensor) == "bfloat16" else array

    def parts(self, module: Any) -> Mapping[str, Tensor]:
        return {}

    def twin(self, generator: Any) -> NoReturn:
        raise TypeError("TensorFlow's generators are its own: none is handed to a function.")

    def widened(self, leaf: Any) -> Any:
        if not self.is_tensor(leaf) or self.dtype_name(leaf) not in WIDE:
            return leaf
        return self.library.cast(leaf, WIDE[self.dtype_name(leaf)])

    def remembered(self, value: Any) -> Callable[[], None] | None:
        """Variables, also those of a model or an optimizer; a plain tensor never changes."""
        tf = self.library
        if not isinstance(value, tf.Variable) and not isinstance(getattr(value, "variables", None), (list, tuple)):
            return None
        list_all = lambda: [value] if isinstance(value, tf.Variable) else value.variables
        kept = {id(variable): tf.identity(variable) for variable in list_all()}

        def put_back() -> None:
            for variable in list_all():  # an optimizer makes some in its first step, all of zeros
                old = kept.get(id(variable))
                variable.assign(tf.zeros_like(variable) if old is None else old)

        return put_back

    def gradients(self, function: Callable[..., list[Tensor]], inputs: tuple, seed: int) -> list[Tensor | None]:
        tf = self.library
        wanted = [value for value in inputs if self.is_floating(value)]
        with tf.GradientTape() as tape:
            tape.watch(wanted)
            results = [tensor for tensor in function(*inputs) if self.is_floating(tensor)]
            weights = self.weights(results, seed)
            total = [tf.reduce_sum(one * tf.cast(other, one.dtype)) for one, other in zip(results, weights)]
        found = iter(tape.gradient(total, wanted))
        return [next(found) if self.is_floating(value) else None for value in inputs]

    def seed(self, number: int) -> None:
        self.library.random.set_seed(number)

    def state_kept(self) -> Callable[[], None]:
        from tensorflow.python.eager import context
        from tensorflow.python.ops import stateful_random_ops

        eager = context.context()
        seed, numbers = eager._seed, eager._rng.getstate() if hasattr(eager, "_rng") and eager._rng else None
        generator = stateful_random_ops.global_generator
        state = None if generator is None else generator.state.numpy()

        def put_back() -> None:
            eager._seed = seed
            if numbers is not None:
                eager._rng.setstate(numbers)
            stateful_random_ops.global_generator = generator
            if generator is not None:
                generator.state.assign(state)

        return put_back

    @contextmanager
    def threads(self, count: int) -> Iterator[int]:
        """TensorFlow fixes their number at its first operation: where that has passed, the number it has is yielded."""
        threading = self.library.config.threading
        try:
            threading.set_intra_op_parallelism_threads(count)
            threading.set_inter_op_parallelism_threads(count)
        except RuntimeError:  # TensorFlow's own signal that its runtime has started; the number can only be read now
            pass
        declared = threading.get_intra_op_parallelism_threads() or int(os.environ.get("TF_NUM_INTRAOP_THREADS", "0"))
        yield declared or cores()

    def threads_in_use(self) -> int | None:
        return None

    def is_out_of_memory(self, error: BaseException) -> bool:
        return type(error).__name__ == "ResourceExhaustedError"

    def cancellable(self) -> _Cancellation:
        return _Cancellation()

    def accelerators(self) -> list[str]:
        return [f"cuda:{index}" for index, _ in enumerate(self.library.config.list_physical_devices("GPU"))]

    def device_of(self, tensor: Tensor) -> str:
        place = str(getattr(tensor, "device", ""))
        return f"cuda:{place.rpartition(':')[2]}" if "GPU" in place else "cpu"

    def touch(self, device: str) -> None:
        """Where a GPU refuses its work TensorFlow gives it to the CPU, and says nothing."""
        tf = self.library
        with tf.device(device.replace("cuda", "GPU")):
            done = tf.ones(1) + 1.0
        done.numpy()
        if "GPU" not in done.device:
            raise CourseError("TensorFlow lists it and computes on the CPU instead")

    def describe(self, device: str) -> str | None:
        if not device.startswith("cuda"):
            return None
        config = self.library.config
        physical = config.list_physical_devices("GPU")[int(device.partition(":")[2] or 0)]
        return config.experimental.get_device_details(physical).get("device_name", "GPU")

    def waiters(self, device: str) -> list[Callable[[], Any]]:
        """TensorFlow may run operations behind the caller's back on the CPU too."""
        return [self.library.test.experimental.sync_devices]

    def placed(self, device: str) -> AbstractContextManager[object]:
        """Where there is a GPU it would take that one for all."""
        return self.library.device(device.replace("cuda", "GPU")) if self.accelerators() else nullcontext()

    @contextmanager
    def exact(self) -> Iterator[None]:
        config = self.library.config.experimental
        before = config.tensor_float_32_execution_enabled()
        config.enable_tensor_float_32_execution(False)
        try:
            yield
        finally:
            config.enable_tensor_float_32_execution(before)

    def accelerator(self, device: str) -> TensorflowAccelerator | None:
        return TensorflowAccelerator(self, device) if device in self.accelerators() else None


class TensorflowAccelerator:
    """Zeroes that drive the inputs out of the caches, whose size TensorFlow does not tell. It has no events to time with."""

    def __init__(self, tensorflow: Tensorflow, device: str) -> None:
        self._tensorflow, self._device = tensorflow, device
        with self.chosen():
            self.flushed = tensorflow.library.Variable(self._zeroes(), trainable=False)

    def chosen(self) -> AbstractContextManager[object]:
        return self._tensorflow.placed(self._device)

    def pair(self) -> None:
        return None

    def flush(self) -> None:
        # New zeroes each time: from a tensor that is kept, the variable would take over the memory and nothing be written.
        self.flushed.assign(self._zeroes())

    def _zeroes(self) -> Tensor:
        tf = self._tensorflow.library
        return tf.zeros([FLUSHED_BYTES // tf.float32.size], tf.float32)


class _Cancellation:
    """Ends the graphs that run in it. TensorFlow tells nobody of a graph that can be ended, so none can be counted."""

    def __init__(self) -> None:
        from tensorflow.python.eager import cancellation

        self._manager = cancellation.CancellationManager()
        self._context = cancellation.CancellationManagerContext(self._manager)

    def __enter__(self) -> None:
        self._context.__enter__()

    def __exit__(self, *error: object) -> None:
        self._context.__exit__(*error)

    def cancel(self) -> None:
        self._manager.start_cancel()

    def caused(self, error: BaseException) -> bool:
        return bool(self._manager.is_cancelled) and type(error).__name__ == "CancelledError"
