"""The class board in a process of its own, and requests to it."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request

COMMAND = [sys.executable, "-c", "from course_utils.cli import main; main()", "board"]


class RunningBoard:
    """``unloop board`` in a process of its own."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [*COMMAND, "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        _, learners, instructor = (self.process.stdout.readline() for _ in range(3))
        assert learners, self.process.stderr.read()
        self.address = re.search(r'join\("(.+?)"', learners)[1]
        self.host_port, self.code = self.address.split("/")
        self.page = re.search(r"http://\S+", instructor)[0]
        self.key = self.page.partition("key=")[2]

    def post(self, endpoint, data=None, token="", body=None):
        """Return the status and the text of the answer."""
        request = urllib.request.Request(
            f"http://{self.host_port}/api/{endpoint}",
            json.dumps(data).encode() if body is None else body,
            {"Authorization": f"Bearer {token}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def get(self, path, cookie=""):
        request = urllib.request.Request(f"http://{self.host_port}{path}", headers={"Cookie": cookie})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read(100_000).decode() if path != "/stream" else _first_state(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def state(self):
        return self.get("/stream", f"unloop-board={self.key}")[1]

    def learner(self, name):
        status, answer = self.post("join", {"code": self.code, "name": name})
        assert status == 200, answer
        return json.loads(answer)["token"]

    def end(self):
        """End the board with SIGINT, and return what it prints."""
        self.process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        return self.process.communicate(timeout=60)[0]


def _first_state(answer):
    for line in answer:
        if line.startswith(b"data: "):
            return json.loads(line[6:])
    return None


def event(number=1, kind="guess", about="where", value=10.0):
    return {"number": number, "kind": kind, "about": about, "value": value}
