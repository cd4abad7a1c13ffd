"""A workshop with the class board open: simulated learners send events, and real kernels run a lesson.

    python benchmarks/board.py --learners 200 --rate 5 --seconds 20
    python benchmarks/board.py --learners 27 --rate 0.2 --kernels 3 --lesson 03_element_loops --pictures build/board

It prints how many events were sent, arrived and were lost, how long a cell waits to put an event into the queue, and,
on Linux, the time and memory of the board's process. With ``--pictures``, Chromium has the instructor's page open
meanwhile, and its pictures are stored in that folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from course_utils.board import client

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-c", "from course_utils.cli import main; main()", "board", "--port", "0"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learners", type=int, default=200)
    parser.add_argument("--rate", type=float, default=5.0, help="events per learner and second")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--kernels", type=int, default=0, help="real kernels that run the lesson meanwhile")
    parser.add_argument("--lesson", default="03_element_loops")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the instructor's page")
    arguments = parser.parse_args()
    board = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True)
    try:
        assert board.stdout is not None
        printed = "".join(board.stdout.readline() for _ in range(3))
        address = re.search(r'join\("(.+?)"', printed)
        page = re.search(r"http://(\S+)/\?key=(\S+)", printed)
        assert address is not None and page is not None
        with ThreadPoolExecutor(max(1, arguments.kernels)) as kernels:
            runs = [
                kernels.submit(run_lesson, arguments.lesson, address[1], f"kernel {k}")
                for k in range(arguments.kernels)
            ]
            with instructor(page[0], arguments.pictures):
                send(arguments, *address[1].split("/"), page, runs)
    finally:
        board.terminate()
        _, _, usage = os.wait4(board.pid, 0)
    print(
        f"the board took {usage.ru_utime + usage.ru_stime:.1f} s of CPU and {usage.ru_maxrss / 1024:.0f} MB of memory"
    )


def announcements(lesson: str) -> list[tuple[str, str]]:
    """Return the events that a learner announces in a lesson, in order, each as its kind and its subject."""
    found = []
    for cell in nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4).cells:
        if cell.cell_type == "code" and "choices=" not in cell.source:
            names = re.findall(r'^(predict|race|reveal|check)\(\s*"?([\w-]+)', cell.source, re.MULTILINE)
            kinds = {"predict": ["guess"], "race": ["race", "truth"], "reveal": ["truth"], "check": ["task", "task"]}
            found += [(kind, about) for name, about in names for kind in kinds[name]]
    guessed = {about for kind, about in found if kind == "guess"}
    return [each for each in found if each[0] != "truth" or each[1] in guessed] + [("help", ""), ("done", "")]


def send(arguments, host_port, code, page, runs) -> None:
    learners = []
    for number in range(arguments.learners):
        answer = client._request(host_port, "join", {"code": code, "name": f"learner {number}"})
        learners.append(client.Membership(host_port, answer["token"], 0))
    script, chance = announcements(arguments.lesson), random.Random(0)
    waits, sent, start = [], 0, time.perf_counter()
    while time.perf_counter() - start < arguments.seconds or not all(run.done() for run in runs):
        due = int((time.perf_counter() - start) * arguments.learners * arguments.rate)
        while sent < due:
            kind, about = script[sent // len(learners) % len(script)]
            value = chance.random() < 0.4 if kind in ("task", "help", "done") else 10 ** chance.gauss(2, 0.5)
            begin = time.perf_counter()
            learners[sent % len(learners)].add(kind, about, value)
            waits.append(time.perf_counter() - begin)
            sent += 1
        time.sleep(0.002)
    for learner in learners:
        learner.end(seconds=20)
    waits.sort()
    others = [run.result() for run in runs]
    room = state(*page.groups())
    arrived = room["events"] - sum(others)
    duration = time.perf_counter() - start
    print(
        f"{arguments.learners} learners in {duration:.0f} s: {sent:,} events sent, {arrived:,} arrived, {sent - arrived:,} lost"
    )
    print(f"{len(runs)} kernels: {sum(others):,} events sent")
    median, most = 1e6 * waits[len(waits) // 2], [1e3 * waits[int(share * (len(waits) - 1))] for share in (0.999, 1.0)]
    print(
        f"a cell waits {median:.0f} µs in the median, {most[0]:.1f} ms in 999 of 1,000 cases, {most[1]:.1f} ms at most"
    )


def run_lesson(lesson: str, address: str, name: str) -> int:
    """Run a lesson in a kernel that has joined, and return how many events it has sent."""
    notebook = nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4)
    join = nbformat.v4.new_code_cell(f"from course_utils import join\njoin({address!r}, {name!r})")
    number = nbformat.v4.new_code_cell("from course_utils.board import client\nprint(client._membership._number)")
    notebook.cells = [notebook.cells[1], join, *notebook.cells[2:], number]
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        run = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT / "notebooks")}})
        run.execute(env=os.environ | {"UNLOOP_HOME": home})
        print(f"{name}: Run All of {lesson} in {time.perf_counter() - start:.0f} s")
    time.sleep(1)
    return int(notebook.cells[-1].outputs[0].text)


@contextmanager
def instructor(page: str, pictures: Path | None) -> Iterator[None]:
    """Have the instructor's page open in Chromium, and store pictures of it at the end."""
    if pictures is None:
        yield
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = {"executable_path": path} if (path := shutil.which("chromium")) else {}
        browser = playwright.chromium.launch(args=["--no-sandbox", "--disable-background-networking"], **options)
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(page)
        yield
        tab.wait_for_timeout(1000)
        tab.evaluate("document.querySelectorAll('#predictions button').forEach(button => button.click())")
        for name, width, scheme in (("light", 1280, "light"), ("dark", 1280, "dark"), ("narrow", 360, "light")):
            tab.set_viewport_size({"width": width, "height": 900})
            tab.emulate_media(color_scheme=scheme)
            tab.screenshot(path=pictures / f"board-{name}.png", full_page=True)
        browser.close()


def state(host_port: str, key: str) -> dict:
    request = urllib.request.Request(f"http://{host_port}/stream", headers={"Cookie": f"unloop-board={key}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        for line in answer:
            if line.startswith(b"data: "):
                return json.loads(line[6:])
    raise RuntimeError("The board sent no state.")


if __name__ == "__main__":
    main()
