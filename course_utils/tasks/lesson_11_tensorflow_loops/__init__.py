"""The exercises and the practice of lesson 11: vectorized maps, loops over states, few traces, and a fused pass."""
