"""The repository stays light to clone: its tracked files and its recordings."""

import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.process  # git lists the files

ROOT = Path(__file__).resolve().parents[2]
MB = 1000**2


def tracked(*patterns):
    """The files that git tracks, or would track: all of them, or those that match a pattern."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in output.splitlines() if (ROOT / line).is_file()]


def test_tracked_files_are_at_most_15_mb():
    assert sum(path.stat().st_size for path in tracked()) <= 15 * MB


def test_recordings_are_at_most_1_mb_per_machine():
    sizes = {path.name: path.stat().st_size for path in tracked("recordings/*.json")}
    assert sizes
    assert not {name: size for name, size in sizes.items() if size > MB}
