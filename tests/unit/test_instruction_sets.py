"""Instruction sets are read from what Linux and macOS list; a system that lists none gets an empty answer."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from course_utils.frameworks import instruction_sets as module
from course_utils.frameworks.instruction_sets import instruction_sets

X86 = "processor\t: 0\nflags\t\t: fpu avx avx2 avx512f amx_bf16\n\nprocessor\t: 1\nflags\t\t: fpu avx512_fp16\n"
ARM = "processor\t: 0\nFeatures\t: fp asimd asimdhp bf16\nCPU part\t: 0xd40\n"
MAC = "hw.optional.arm.FEAT_FP16: 1\nhw.optional.arm.FEAT_BF16: 0\n"


@pytest.mark.parametrize(("machine", "listing", "present"), [
    ("x86_64", X86, {"AVX2", "AVX-512", "AMX for bfloat16"}),
    ("aarch64", ARM, {"NEON for float16", "NEON for bfloat16"}),
])  # fmt: skip
def test_linux_lists_instruction_sets_of_the_first_processor(monkeypatch, tmp_path, machine, listing, present):
    (tmp_path / "cpuinfo").write_text(listing)
    monkeypatch.setattr(module, "_LISTING", tmp_path / "cpuinfo")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: machine)
    sets = instruction_sets()
    assert {name for name, is_present in sets.items() if is_present} == present
    assert len(sets) > len(present)


def test_macos_lists_instruction_sets_by_name(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 0, MAC, ""))
    assert instruction_sets() == {"NEON for float16": True, "NEON for bfloat16": False, "NEON for int8": False}


def test_system_that_lists_none_gets_an_empty_answer(monkeypatch):
    monkeypatch.setattr(module, "_LISTING", Path("/nonexistent/cpuinfo"))
    monkeypatch.setattr(sys, "platform", "win32")
    assert instruction_sets() == {}
