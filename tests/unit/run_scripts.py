"""Runs scripts of this folder, one after the other, and prints as JSON the traceback of each, or "" if it has none.

Each script's name precedes what it writes to stderr.

test_tensorflow.py runs this file: TensorFlow takes seconds to import, so that the scripts share one process.
"""

import json
import runpy
import sys
import traceback
from pathlib import Path

tracebacks = {}
for name in sys.argv[1:]:
    print(name, file=sys.stderr, flush=True)
    try:
        runpy.run_path(str(Path(__file__).with_name(name)), run_name="__main__")
        tracebacks[name] = ""
    except Exception:  # noqa: BLE001 - The test shows each error.
        tracebacks[name] = traceback.format_exc()
print(json.dumps(tracebacks))
