"""The exercises and the practice of lesson 15: Triton kernels, and the memory that a caching allocator holds."""
