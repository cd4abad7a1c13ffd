"""A model of Colab: Notebook 6 with Colab's kernel and widgets, and a page that drops the messages that Colab drops.

Colab itself does not run on other machines. The model has its versions (``constraints.txt``), a kernel that has
imported ``google.colab``, and a page that drops late messages (``DROP``).
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

# Colab passes a widget's message to the page only while the kernel handles the request that the message belongs to.
# What a thread sends later is lost: in googlecolab/colabtools#3373 a thread updates a widget, and the widget changes
# only when another cell sends its state. So this page drops outputs and widget messages whose parent request is not
# busy.
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
    """Return a function that gives a notebook's address on a Notebook 6 server with a copy of the lessons."""
    home = tmp_path_factory.mktemp("colab")
    shutil.copytree(ROOT / "notebooks", home / "notebooks")
    startup = home / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    startup.joinpath("00-colab.py").write_text(
        "import sys, types\nsys.modules['google.colab'] = types.ModuleType('x')\n"
    )
    folders = {name: home / name.lower() for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR")}
    folders |= {"HOME": home, "IPYTHONDIR": home / "ipython", "UNLOOP_HOME": home / "progress", "PYTHONPATH": ROOT}
    command = [PYTHON, "-m", "notebook", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    port = _free_port()
    command += [f"--port={port}", "--port-retries=0", f"--NotebookApp.token={TOKEN}"]
    url = f"http://127.0.0.1:{port}/"
    log = home / "server.log"
    with open(log, "w") as out:
        environment = os.environ | {name: str(value) for name, value in folders.items()}
        process = subprocess.Popen(command, env=environment, cwd=home, stdout=out, stderr=subprocess.STDOUT)
    try:
        _wait(url, process, log)
        yield lambda path: f"{url}notebooks/{path}?token={TOKEN}"
    finally:
        process.terminate()
        process.wait(20)


def _free_port():
    """Return a free port. Notebook 6 does not report which port it took if it may choose one."""
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
            time.sleep(0.1)  # The server does not listen yet.
    raise AssertionError(f"Notebook did not start: {log.read_text()}")
