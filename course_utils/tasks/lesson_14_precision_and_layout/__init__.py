"""The exercises of lesson 14: wide accumulators, half precision, memory layouts and quantized weights."""
