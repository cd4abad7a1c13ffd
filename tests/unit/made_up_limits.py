"""Peaks of a machine that nobody has, for tests that need exact ones."""

from course_utils.limits import Peaks

KIB, MIB = 2**10, 2**20
PEAKS = Peaks(
    device="cpu",
    threads=1,
    ladder=((16 * KIB, 80e9), (MIB, 300e9), (16 * MIB, 200e9), (256 * MIB, 50e9)),
    matmul={"float32": 100e9, "bfloat16": 400e9},
    launch_s=1e-6,
    frameworks=("torch",),
    date="2026-11-20 18:45",
    versions={"torch": "2.13.0"},
    machine="A processor, 2 cores",
)
