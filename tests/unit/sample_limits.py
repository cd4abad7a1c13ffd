"""Peaks of an invented machine, for tests that need exact values."""

from course_utils.limits import Peaks

KIB, MIB = 2**10, 2**20
PEAKS = Peaks(
    device="cpu",
    threads=1,
    bandwidths={
        "read": ((64 * KIB, 120e9), (MIB, 120e9), (4 * MIB, 30e9), (128 * MIB, 12e9)),
        "add": ((64 * KIB, 80e9), (MIB, 80e9), (4 * MIB, 30e9), (128 * MIB, 12e9)),
        "copy": ((64 * KIB, 60e9), (MIB, 60e9), (4 * MIB, 30e9), (128 * MIB, 12e9)),
        "write": ((64 * KIB, 40e9), (MIB, 40e9), (4 * MIB, 24e9), (128 * MIB, 8e9)),
        "update": ((64 * KIB, 50e9), (MIB, 50e9), (4 * MIB, 25e9), (128 * MIB, 10e9)),
    },
    launches_s={
        "torch": {"read": 1e-6, "add": 1e-6, "copy": 1e-6, "write": 0.5e-6, "update": 0.75e-6},
        "numpy": {"read": 0.8e-6, "add": 0.4e-6, "copy": 0.3e-6, "write": 0.2e-6, "update": 0.4e-6},
    },
    matmul={"float32": 800e9, "bfloat16": 20e12},  # No single thread of a processor reaches these rates.
    frameworks=("torch", "numpy"),
    date="2026-11-20 18:45",
    versions={"torch": "2.13.0"},
    machine="A processor, 2 cores",
    step_s=1e-9,
)
