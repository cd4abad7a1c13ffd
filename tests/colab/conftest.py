"""Notebook 6 with the kernel and the widgets of Colab, and a browser that shows what Colab would show of a race.

Colab itself cannot be run here. What is known of it is modelled: the versions (`constraints.txt`), a kernel that has
loaded `google.colab`, and a page that drops what arrives too late (`DROP`).
"""

import os
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-colab/bin/python"
TOKEN = "colab-test"
LESSONS = ("00_start_here", "03_element_loops", "13_hidden_waits")

# Colab hands a widget's message to the page only while the request that it answers is being handled: what a thread sends
# later is lost (googlecolab/colabtools#3373: a widget that a thread updates stands still, and moves once another cell
# sends its state). So this page lets no output and no widget's message pass whose parent is not busy.
DROP = """(() => {
    const Real = window.WebSocket, busy = new Set(), shown = ['comm_open', 'comm_msg', 'comm_close', 'stream',
        'display_data', 'update_display_data', 'execute_result', 'error'];
    window.dropped = 0;
    const passes = data => {
        if (typeof data !== 'string') return true;
        const message = JSON.parse(data), parent = message.parent_header.msg_id;
        if (message.channel !== 'iopub') return true;
        if (message.msg_type === 'status' && message.content.execution_state === 'busy') busy.add(parent);
        if (message.msg_type === 'status' && message.content.execution_state === 'idle') busy.delete(parent);
        if (!shown.includes(message.msg_type) || busy.has(parent)) return true;
        window.dropped += 1;
        return false;
    };
    window.WebSocket = class extends Real {
        set onmessage(handler) { super.onmessage = event => { if (passes(event.data)) handler(event); }; }
    };
})();"""


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A Notebook 6 over a copy of the lessons: a function from a notebook's path to its address."""
    home = tmp_path_factory.mktemp("colab")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    startup = home / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    startup.joinpath("00-colab.py").write_text(
        "import sys, types\nsys.modules['google.colab'] = types.ModuleType('x')\n"
    )
    own = {name: home / name.lower() for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR")}
    own |= {"HOME": home, "IPYTHONDIR": home / "ipython", "UNLOOP_HOME": home / "progress", "PYTHONPATH": ROOT}
    command = [PYTHON, "-m", "notebook", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    port = _free_port()
    command += [f"--port={port}", "--port-retries=0", f"--NotebookApp.token={TOKEN}"]
    url = f"http://127.0.0.1:{port}/"
    log = home / "server.log"
    with open(log, "w") as out:
        environment = os.environ | {name: str(value) for name, value in own.items()}
        process = subprocess.Popen(command, env=environment, cwd=home, stdout=out, stderr=subprocess.STDOUT)
    try:
        _wait(url, process, log)
        yield lambda path: f"{url}notebooks/{path}?token={TOKEN}"
    finally:
        process.terminate()
        process.wait(20)


def _free_port():
    """A port that nobody listens on: Notebook 6 does not tell which one it took when it may choose."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(url, process, log):
    for _ in range(600):
        assert process.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(f"{url}api/status?token={TOKEN}", timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)  # it does not listen yet
    raise AssertionError(f"Notebook did not come up: {log.read_text()}")
