"""The exercises and the practice of lesson 11: vectorized maps, loops over a whole state, graphs that are traced once,
and a fused pass.
"""
