"""``TensorflowCodec``: TensorFlow's tensors, variables and generators as JSON and raw bytes. Tensors don't change."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from course_utils.grading.channel import Json
from course_utils.grading.codec_primitives import Frame, ValueInvalid
from course_utils.grading.value_codec import Codec

_MOST_DIMENSIONS = 24


class TensorflowCodec(Codec):
    """The codec of values that TensorFlow computes with: a tensor is ``["t", its name, dtype, shape, values]``."""

    def encode_own(self, value: Any, frame: Frame) -> Json | None:
        if isinstance(value, tf.Variable):
            return ["V", self.name_of(value), *_numbers(value.numpy(), value.dtype, frame), bool(value.trainable)]
        if isinstance(value, tf.Tensor):
            if not hasattr(value, "numpy"):
                return ["x", "SymbolicTensor", "tensorflow"]
            if value.dtype == tf.string:
                return ["x", "string tensor", "tensorflow"]
            return ["t", self.name_of(value), *_numbers(value.numpy(), value.dtype, frame)]
        if isinstance(value, tf.DType):
            return ["T", value.name]
        if isinstance(value, tf.TensorShape):
            return ["z", None if value.rank is None else value.as_list()]
        if isinstance(value, tf.random.Generator):
            return ["g", self.name_of(value), frame.add(value.state.numpy().tobytes()), int(value.algorithm)]
        return None

    def decode_own(self, kind: str, data: list, frame: Frame) -> Any:
        match kind, data:
            case "t", [name, dtype, shape, index]:
                known = self.objects.get(name)
                if isinstance(known, tf.Tensor):
                    return known
                tensor = tf.constant(_array(dtype, shape, index, frame))
                self.know(name, tensor)
                return tensor
            case "V", [name, dtype, shape, index, trainable]:
                values, known = _array(dtype, shape, index, frame), self.objects.get(name)
                if isinstance(known, tf.Variable):
                    known.assign(values)
                    return known
                variable = tf.Variable(values, trainable=bool(trainable))
                self.know(name, variable)
                return variable
            case "T", [name]:
                return tf.as_dtype(str(name))
            case "z", [sizes]:
                return tf.TensorShape(sizes)
            case "g", [name, index, algorithm]:
                state = np.frombuffer(frame.bytes_at(index), dtype=np.int64)
                known = self.objects.get(name)
                if isinstance(known, tf.random.Generator):
                    known.reset(state)
                    return known
                generator = tf.random.Generator.from_state(state, int(algorithm))
                self.know(name, generator)
                return generator
        return super().decode_own(kind, data, frame)


def _numbers(array: np.ndarray, dtype: tf.DType, frame: Frame) -> list[Json]:
    return [dtype.name, list(array.shape), frame.add(np.ascontiguousarray(array).tobytes())]


def _array(dtype: Any, shape: Any, index: Any, frame: Frame) -> np.ndarray:
    kind = tf.as_dtype(str(dtype)).as_numpy_dtype
    if len(shape) > _MOST_DIMENSIONS or np.dtype(kind).hasobject:
        raise ValueInvalid("a tensor has no valid shape")
    return np.frombuffer(bytearray(frame.bytes_at(index)), dtype=kind).reshape([int(size) for size in shape])
