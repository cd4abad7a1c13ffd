"""Confines code that runs here: time, memory, output, and settings that are put back. It judges nothing."""
