"""A real JupyterLab for the browser tests, with a home of its own, and a notebook in one of its tabs."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

TOKEN = "browser-test"


@dataclass(frozen=True)
class Server:
    """A running Jupyter server over the folder `home`, which also offers Notebook 7."""

    url: str
    home: Path
    environment: dict

    def in_lab(self, path):
        return f"{self.url}lab/tree/{path}?token={TOKEN}&reset"

    def in_notebook(self, path):
        return f"{self.url}notebooks/{path}?token={TOKEN}"


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """Return a JupyterLab over an empty folder."""
    home = tmp_path_factory.mktemp("lab")
    own = {name: home / name.lower() for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR")}
    own |= {"HOME": home, "IPYTHONDIR": home / "ipython", "JUPYTERLAB_SETTINGS_DIR": home / "settings"}
    own |= {"UNLOOP_HOME": home / "progress", "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces"}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1"]
    # Port 0 lets the system choose a free port. The test reads the cells' outputs through the exposed app.
    command += ["--ServerApp.port=0", f"--IdentityProvider.token={TOKEN}", "--LabApp.expose_app_in_browser=True"]
    # With Node.js, JupyterLab checks whether it must be rebuilt; most learners have no Node.js.
    settings = own["JUPYTER_CONFIG_DIR"] / "labconfig" / "page_config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"buildCheck": false}')
    environment = os.environ | {name: str(value) for name, value in own.items()}
    del environment["UNLOOP_FIRST_LOOK_S"]  # The browser shows the first look that learners get.
    log = home / "server.log"
    with open(log, "w") as out:
        server = subprocess.Popen(command, env=environment, cwd=home, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield Server(_address(own["JUPYTER_RUNTIME_DIR"], server, log), home, environment)
    finally:
        server.terminate()
        server.wait(20)


def _address(runtime: Path, server: subprocess.Popen, log: Path) -> str:
    """Wait until the server has written its port into a file and answers there."""
    for _ in range(600):
        assert server.poll() is None, log.read_text()
        for file in runtime.glob("jpserver-*.json"):
            try:
                url = json.loads(file.read_text())["url"]
                urllib.request.urlopen(f"{url}api/status?token={TOKEN}", timeout=2).close()
                return url
            except (OSError, ValueError):
                continue  # The server is still writing the file or doesn't listen yet.
        time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not come up: {log.read_text()}")
