"""The exercises and the practice of lesson 14: wide sums, half precision, memory layouts and quantized weights."""
