"""Confines code that runs in this process: its time, memory, output and settings. It judges no result."""
