"""TensorFlow, as the course uses it. Importing this module does not import TensorFlow."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NoReturn

import numpy as np

from course_utils.core.errors import CourseError
from course_utils.frameworks import tensorflow_internals, tensorflow_settings
from course_utils.frameworks.accelerator_interface import DEFAULT_FLUSH_BYTES
from course_utils.frameworks.framework_interface import Framework
from course_utils.frameworks.global_settings import snapshot_of
from course_utils.frameworks.hardware import core_count
from course_utils.frameworks.remedy_words import TENSORFLOW
from course_utils.frameworks.tensor_interface import UPCAST_DTYPES, Tensor
from course_utils.frameworks.tensorflow_compiler import TensorflowCompiler

# By default TensorFlow takes a GPU's whole memory with its first tensor, and other notebooks find the card full. An
# environment variable also works if TensorFlow is imported later; TensorFlow's own function for this fails after the first tensor.
os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")


class Tensorflow(Framework):
    """TensorFlow: tensors cannot change, and graphs run outside of Python."""

    name = "tensorflow"
    title = "TensorFlow"
    distributions = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tf-nightly")
    logger_name = "tensorflow"
    profiler_name = "tf.profiler"
    launches_per_read = 0.0
    times_operations_apart = True
    remedy_words = TENSORFLOW
    packages = ("tensorflow", "keras")
    compiler = TensorflowCompiler()
    aborts_when_out_of_memory = True
    stores_profiles = True

    def is_tensor(self, value: Any) -> bool:
        return hasattr(value, "dtype") and hasattr(value, "shape")

    def is_module(self, value: Any) -> bool:
        return False

    def is_generator(self, value: Any) -> bool:
        return False

    def type_phrase(self, value: Any) -> str:
        class_name = type(value).__name__
        return "a TensorFlow tensor" if class_name in ("Tensor", "EagerTensor") else f"a TensorFlow {class_name}"

    def why_unsupported(self, tensor: Tensor, expected: str) -> str | None:
        if type(tensor).__name__ == "EagerTensor":
            return None
        return f"{self.type_phrase(tensor)}, not a plain tensor with values; expected {expected}"

    def has_no_values(self, tensor: Tensor) -> bool:
        return False

    def to_numpy(self, tensor: Tensor) -> np.ndarray:
        array = tensor.numpy()
        return array.astype(np.float32) if self.dtype_name(tensor) == "bfloat16" else array

    def named_tensors(self, module: Any) -> Mapping[str, Tensor]:
        return {}

    def clone_generator(self, generator: Any) -> NoReturn:
        raise TypeError("TensorFlow's functions take no generator as an argument.")

    def upcast(self, value: Any) -> Any:
        if not self.is_tensor(value) or self.dtype_name(value) not in UPCAST_DTYPES:
            return value
        return self.library.cast(value, UPCAST_DTYPES[self.dtype_name(value)])

    def replace_infinities(self, tensor: Tensor, value: float) -> Tensor:
        tf = self.library
        return tf.where(tf.math.is_inf(tensor), tf.cast(value, tensor.dtype) * tf.sign(tensor), tensor)

    def snapshot(self, value: Any) -> Callable[[], object] | None:
        """Return a function that restores a variable, or all variables of a model or an optimizer; None for a
        tensor."""
        tf = self.library
        if not isinstance(value, tf.Variable) and not isinstance(getattr(value, "variables", None), (list, tuple)):
            return None
        list_all = lambda: [value] if isinstance(value, tf.Variable) else value.variables
        before = {id(variable): tf.identity(variable) for variable in list_all()}

        def restore() -> None:
            for variable in list_all():  # An optimizer creates some of them in its first step, as zeros.
                old = before.get(id(variable))
                variable.assign(tf.zeros_like(variable) if old is None else old)

        return restore

    def gradients(self, function: Callable[..., list[Tensor]], inputs: tuple, seed: int) -> list[Tensor | None]:
        tf = self.library
        variables = [value for value in inputs if self.is_floating(value)]
        with tf.GradientTape() as tape:
            tape.watch(variables)
            results = [tensor for tensor in function(*inputs) if self.is_floating(tensor)]
            weights = self.random_weights(results, seed)
            total = [tf.reduce_sum(one * tf.cast(other, one.dtype)) for one, other in zip(results, weights)]
        gradients = iter(tape.gradient(total, variables))
        return [next(gradients) if self.is_floating(value) else None for value in inputs]

    def seed(self, number: int) -> None:
        self.library.random.set_seed(number)

    def reseed(self, number: int) -> None:
        tensorflow_internals.reseed(number)

    def snapshot_state(self) -> Callable[[], Mapping[str, Any]]:
        restore_random = tensorflow_internals.snapshot_random_state()
        restore_settings = snapshot_of(tensorflow_settings.settings(self.library))

        def restore() -> Mapping[str, Any]:
            restore_random()
            return restore_settings()

        return restore

    @contextmanager
    def threads(self, count: int) -> Iterator[int]:
        """Yield the number of threads in force: TensorFlow's first operation fixes it, and later calls cannot change
        it.
        """
        threading = self.library.config.threading
        try:
            threading.set_intra_op_parallelism_threads(count)
            threading.set_inter_op_parallelism_threads(count)
        except RuntimeError:  # TensorFlow raises it after its first operation.
            pass
        declared = threading.get_intra_op_parallelism_threads() or int(os.environ.get("TF_NUM_INTRAOP_THREADS", "0"))
        yield declared or core_count()

    def thread_count(self) -> int | None:
        return None

    def is_out_of_memory(self, error: BaseException) -> bool:
        return type(error).__name__ == "ResourceExhaustedError"

    def write_startup_logs(self) -> None:
        """Compile a function with XLA, which logs "XLA service … initialized" up to TensorFlow 2.20."""
        tf = self.library
        if tuple(int(part) for part in tf.__version__.split(".")[:2]) < (2, 21):
            tf.function(lambda: tf.zeros([]) + 1.0, jit_compile=True)()

    def is_profiling(self) -> bool:
        return tensorflow_internals.is_profiling()

    def profiled_threads(self, profile: bytes) -> list[list[tuple[float, float, str]]]:
        try:
            return tensorflow_internals.profiled_threads(profile)
        except Exception as error:
            if type(error).__name__ != "DecodeError":  # google.protobuf's, which comes with TensorFlow
                raise
            raise ValueError(str(error)) from None

    def cancel_scope(self) -> tensorflow_internals.GraphCancelScope:
        return tensorflow_internals.GraphCancelScope()

    def accelerators(self) -> list[str]:
        return [f"cuda:{index}" for index, _ in enumerate(self.library.config.list_physical_devices("GPU"))]

    def device_of(self, tensor: Tensor) -> str:
        place = str(getattr(tensor, "device", ""))
        return f"cuda:{place.rpartition(':')[2]}" if "GPU" in place else "cpu"

    def run_test_kernel(self, device: str) -> None:
        """Run the kernel and check its device, because TensorFlow silently uses the CPU if a GPU refuses the work."""
        tf = self.library
        with tf.device(device.replace("cuda", "GPU")):
            result = tf.ones(1) + 1.0
        result.numpy()
        if "GPU" not in result.device:
            raise CourseError("TensorFlow lists it and computes on the CPU instead")

    def describe(self, device: str) -> str | None:
        if not device.startswith("cuda"):
            return None
        config = self.library.config
        physical = config.list_physical_devices("GPU")[int(device.partition(":")[2] or 0)]
        return config.experimental.get_device_details(physical).get("device_name", "GPU")

    def synchronizers(self, device: str) -> list[Callable[[], Any]]:
        """Return a synchronizer for the CPU too if the learner asked for asynchronous execution there."""
        if device == "cpu" and self.library.config.experimental.get_synchronous_execution():
            return []
        return [self.library.test.experimental.sync_devices]

    def device_scope(self, device: str) -> AbstractContextManager[object]:
        """Return ``tf.device`` if there is a GPU, because TensorFlow would choose the GPU for every operation."""
        return self.library.device(device.replace("cuda", "GPU")) if self.accelerators() else nullcontext()

    @contextmanager
    def full_precision(self) -> Iterator[None]:
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
    """A GPU of TensorFlow. A flush writes the default number of bytes, because TensorFlow reports no cache size."""

    def __init__(self, tensorflow: Tensorflow, device: str) -> None:
        self._tensorflow, self._device = tensorflow, device
        with self.device_scope():
            self.flushed = tensorflow.library.Variable(self._zeros(), trainable=False)

    def device_scope(self) -> AbstractContextManager[object]:
        return self._tensorflow.device_scope(self._device)

    def event_pair(self) -> None:
        return None

    def flush_caches(self) -> None:
        # Each flush creates new zeros: assigning the same tensor again would only share its memory and write nothing.
        self.flushed.assign(self._zeros())

    def _zeros(self) -> Tensor:
        tf = self._tensorflow.library
        return tf.zeros([DEFAULT_FLUSH_BYTES // tf.float32.size], tf.float32)
