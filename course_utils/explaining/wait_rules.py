"""The rules that decide whether a line waits for a device, or moves values between devices or libraries."""

from __future__ import annotations

from course_utils.explaining.line_measurements import LineMeasurements
from course_utils.explaining.python_rules import reads_for_other_code
from course_utils.explaining.thresholds import FEW_BYTES_LAUNCHES, MOST, PASS_LAUNCHES


def transfers(line: LineMeasurements) -> bool:
    """Return whether it moves values between NumPy, or another device, and tensors, and does little else."""
    if line.work.transfers:
        in_operations = line.has_operation_times and line.operation_s >= MOST * line.seconds
        starts_little = line.work.launches <= 2 * line.work.transfers + 2
        copies = line.share_of("copy") * line.operation_s >= MOST * line.seconds
        # A request for the device that a tensor is on copies nothing.
        timed = line.work.operation_seconds
        may_copy = not timed or not {"_to_copy", "copy_"}.isdisjoint(timed)
        return copies or may_copy and starts_little and not line.work.syncs and not in_operations
    # On a CPU, NumPy and a tensor share their memory: only the calls take time. A comprehension may pass a tensor once and then
    # compute in Python for each value.
    few_operations = line.work.launches <= line.numpy_passes and not line.has_comprehension
    return line.numpy_passes > 0 and few_operations and line.seconds <= PASS_LAUNCHES * line.pass_s


def synchronizes(line: LineMeasurements) -> bool:
    """Return whether synchronizations explain it: few other operations run, and synchronizations can take that long."""
    if line.parts_s("overhead") >= MOST * line.seconds or reads_for_other_code(line):
        return False
    moves_bytes = line.has_operation_times and line.work.reads + line.work.writes > 0  # a view moves none
    others_s = line.operation_s * (1 - line.share_of("read")) if moves_bytes else 0.0
    few_operations = line.work.launches <= line.launches_per_wait * line.waits and others_s < MOST * line.seconds
    # A comprehension may synchronize once and then compute in Python for each value.
    share = 0.1 if line.has_comprehension else 1 / FEW_BYTES_LAUNCHES
    return few_operations and line.waits > 0 and line.sync_s >= share * line.seconds
