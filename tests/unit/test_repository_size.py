"""The repository stays light to clone: its tracked files, its recordings and its stored charts."""

import base64
import json
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # The tests start git.

ROOT = Path(__file__).resolve().parents[2]
MB = 1000**2
MOST_CHART_BYTES = 25_000


def tracked_files(*patterns):
    """Return the files that git tracks or would track; with patterns, only those that match one."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in output.splitlines() if (ROOT / line).is_file()]


def test_tracked_files_are_at_most_15_mb():
    assert sum(path.stat().st_size for path in tracked_files()) <= 15 * MB


def test_recordings_are_at_most_1_mb_per_machine():
    sizes = {path.name: path.stat().st_size for path in tracked_files("recordings/*.json")}
    assert sizes
    assert not {name: size for name, size in sizes.items() if size > MB}


def test_stored_charts_are_at_most_25_kb():
    sizes = {}
    for path in tracked_files("notebooks/*.ipynb", "solutions/*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                if "image/png" in output.get("data", {}):
                    picture = "".join(output["data"]["image/png"])
                    sizes[f"{path.name} {cell['id']}"] = len(base64.b64decode(picture))
    assert sizes
    assert not {name: size for name, size in sizes.items() if size > MOST_CHART_BYTES}
