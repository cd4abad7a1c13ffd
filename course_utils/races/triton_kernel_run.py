"""``run_kernel``: one call of a function that launches Triton kernels, checked and counted; recorded without Triton.

What the interpreter counts is the same on every machine, so a recording is as good as a run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from course_utils.core import files
from course_utils.core.line_breaks import break_lines
from course_utils.core.wording import pluralize
from course_utils.counting import count
from course_utils.frameworks import triton_internals
from course_utils.frameworks.agreement import close
from course_utils.sandbox.load_triton import KernelsMissing, missing_sentence
from course_utils.sandbox.triton_kernel_memory import KernelFailed

RECORDING_VARIABLE = "UNLOOP_RECORD_KERNELS"
"""If this variable names a file, runs are recorded there; `unloop author run` sets it."""
RECORDED = Path(__file__).with_name("recorded_kernels.json")


@dataclass(frozen=True, repr=False)
class KernelRun:
    """What one call did; as the last line of a cell it is readable.

    Attributes:
        kernels, programs: launches, and programs of all launches.
        loaded, stored: bytes that the programs loaded and stored, without the masked parts.
        finding: how the result compares, or why the kernel stopped.
        recorded: the sentence that says why it comes from a recording; "" if it ran here.
    """

    kernels: int
    programs: int
    loaded: int
    stored: int
    finding: str
    recorded: str = ""

    def __repr__(self) -> str:
        work = (
            f"{pluralize(self.kernels, 'kernel')}, {pluralize(self.programs, 'program')}, "
            f"{self.loaded:,} bytes loaded, {self.stored:,} bytes stored"
        )
        return "\n".join(filter(None, [self.recorded, break_lines(self.finding), work if self.kernels else ""]))


def run_kernel(id: str, function: Callable[..., Any], *args: Any, like: Callable[..., Any] | None = None) -> KernelRun:
    """Call ``function`` once on the host, and return what its kernels did.

    Args:
        id: the name of the recording, unique in the course.
        function: launches kernels, and returns their result.
        like: a function of the same arguments; the results are compared.

    Raises:
        KernelsMissing: Triton is not installed, and nothing is recorded under ``id``.

    >>> run_kernel("chain", chain_kernel, x, like=chain)  # doctest: +SKIP
    the result agrees with chain
    1 kernel, 3 programs, 40 bytes loaded, 40 bytes stored
    """
    if not triton_internals.is_usable():
        return _recording(id)
    try:
        result, counts = count(function, *args)
    except KernelFailed as failed:
        run = KernelRun(0, 0, 0, 0, f"stopped: {failed}")
    else:
        finding = "" if like is None else _compare(like, args, result)
        run = KernelRun(counts.kernels, counts.programs, counts.loaded, counts.stored, finding)
    if path := os.environ.get(RECORDING_VARIABLE):
        recorded = _read(Path(path)) | {id: asdict(run)}
        files.write_atomically(Path(path), json.dumps(recorded, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    return run


def _compare(like: Callable[..., Any], args: tuple, result: Any) -> str:
    difference = close(like(*args), result)
    return (
        f"the result agrees with {like.__name__}"
        if difference is None
        else f"differs from {like.__name__}: {difference}"
    )


def _recording(id: str) -> KernelRun:
    recorded = _read(RECORDED).get(id)
    if recorded is None:
        raise KernelsMissing(missing_sentence())
    return KernelRun(**recorded | {"recorded": "Recorded on another machine, because no kernel runs here:"})


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
