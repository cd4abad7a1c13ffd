"""The tasks of lesson 12, compilers."""
