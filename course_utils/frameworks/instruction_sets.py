"""The processor's instruction sets that decide which dtypes it multiplies directly, as the operating system lists them.

Libraries use only the instructions that the operating system lists: a virtual machine may hide some that its processor has.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from course_utils.frameworks.hardware import output_of

_X86 = {
    "AVX2": "avx2",
    "AVX2 for int8": "avx_vnni",
    "AVX-512": "avx512f",
    "AVX-512 for bfloat16": "avx512_bf16",
    "AVX-512 for float16": "avx512_fp16",
    "AVX-512 for int8": "avx512_vnni",
    "AMX for bfloat16": "amx_bf16",
    "AMX for float16": "amx_fp16",
    "AMX for int8": "amx_int8",
}
_ARM = {"NEON for float16": "asimdhp", "NEON for bfloat16": "bf16", "NEON for int8": "asimddp", "SVE": "sve"}
_X86_MAC = {"AVX2": "hw.optional.avx2_0", "AVX-512": "hw.optional.avx512f"}
_ARM_MAC = {
    "NEON for float16": "hw.optional.arm.FEAT_FP16",
    "NEON for bfloat16": "hw.optional.arm.FEAT_BF16",
    "NEON for int8": "hw.optional.arm.FEAT_DotProd",
}
_LISTING = Path("/proc/cpuinfo")


def instruction_sets() -> dict[str, bool]:
    """Return name → whether this processor has the instruction set; empty if the operating system doesn't list them.

    Linux lists them in /proc/cpuinfo, macOS in ``sysctl``.
    """
    is_x86 = platform.machine().lower() in ("x86_64", "amd64")
    if sys.platform == "darwin":
        names = _X86_MAC if is_x86 else _ARM_MAC
        listed = _listed_by_macos(*names.values())
    else:
        names = _X86 if is_x86 else _ARM
        listed = _listed_by_linux()
    return {name: flag in listed for name, flag in names.items()} if listed else {}


def _listed_by_linux() -> set[str]:
    """Return the words of the first processor's line "flags" (x86) or "Features" (ARM)."""
    try:
        lines = _LISTING.read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    return next((set(line.split()) for line in lines if line.startswith(("flags", "Features"))), set())


def _listed_by_macos(*names: str) -> set[str]:
    """Return the names to which ``sysctl`` answers 1, in lines such as "hw.optional.avx2_0: 1"; it skips unknown names."""
    pairs = (line.partition(": ") for line in output_of("sysctl", "-i", *names).splitlines())
    return {name for name, _, value in pairs if value.strip() == "1"}
