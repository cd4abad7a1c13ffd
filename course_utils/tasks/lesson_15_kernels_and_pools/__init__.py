"""The exercises of lesson 15: Triton kernels, and the memory that a caching allocator holds."""
