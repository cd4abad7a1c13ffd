"""Workers of a real Dask scheduler on this machine grade a class, and a worker that dies loses nothing."""

import csv
import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from sample_submissions import TASKS, is_running, write_class

from course_utils.grading.dask_cluster import SchedulerRefused, check_address
from course_utils.grading.grade_class import Options, grade_class

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.mark.parametrize(
    "address", ["127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786", "tls://10.0.0.5:8786"]
)
def test_loopback_and_tls_are_accepted(address):
    check_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "tcp://10.0.0.5:8786",
        "0.0.0.0:8786",
        "tcp://127.0.0.1.example.org:1",
        "ws://localhost:1",
        "inproc://x",
        "tls://",
        "",
    ],
)
def test_an_address_open_to_the_network_gets_one_sentence(address):
    with pytest.raises(SchedulerRefused, match="is open to the network, and everyone who reaches it") as error:
        check_address(address)
    assert repr(address) in str(error.value)


@pytest.mark.slow
def test_without_the_option_nothing_of_dask_is_imported():
    script = (
        "import sys, course_utils.cli, course_utils.grading.grade_class, course_utils.grading.worker, "
        "course_utils.grading.dask_cluster; print({'dask', 'distributed'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@contextmanager
def dask(*arguments):
    """Return a process of Dask's own command, which ends with the block."""
    command = [sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Return the address of a scheduler that gives up a task when one worker has died on it, instead of four."""
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
        patch.setenv("PYTHONPATH", str(ROOT))
        with dask("scheduler", "--port", "0", "--scheduler-file", str(file)):
            # The loops of this file have no end of their own: the test's time limit ends them.
            while not file.exists() or not file.read_text():
                time.sleep(0.02)
            yield json.loads(file.read_text())["address"]


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(HERE)]))


@contextmanager
def workers(scheduler, count, *arguments):
    """Start workers, and wait until the scheduler knows them."""
    from distributed import Client  # It takes a second, and every test process imports this file.

    with ExitStack() as stack:
        processes = [stack.enter_context(dask("worker", scheduler, "--no-nanny", *arguments)) for _ in range(count)]
        client = stack.enter_context(Client(scheduler, set_as_default=False))
        while len(client.nthreads()) < count:
            time.sleep(0.02)
        yield processes


def options(address):
    return Options(scheduler=address, grader="stand_in_grader")


@pytest.mark.slow
def test_a_worker_that_dies_has_its_task_done_elsewhere_and_no_other_task_is_given_up(scheduler, tmp_path, monkeypatch):
    answers = dict.fromkeys(TASKS, "# sleeps in the first worker\n    # right")
    folder = write_class(tmp_path / "class", {"ann": answers, "bob": answers, "cy": {}})
    log = tmp_path / "log.jsonl"
    monkeypatch.setenv("STAND_IN_LOG", str(log))
    asleep = tmp_path / "asleep"
    monkeypatch.setenv("STAND_IN_FIRST_SLEEPS", str(asleep))
    victims = []
    with workers(scheduler, 2, "--nthreads", "1") as processes:

        def kill_the_sleeper(*progress):
            if not victims and asleep.exists() and progress[0] >= 3:
                grading, worker = map(int, asleep.read_text().split())
                next(each for each in processes if each.pid == worker).kill()
                victims.extend([grading, worker])

        grade_class(folder, tmp_path / "out", options(scheduler), kill_the_sleeper)
    assert victims
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    graded = [tuple(entry[:2]) for entry in entries]
    (lost,) = [tuple(entry[:2]) for entry in entries if entry[2] == victims[0]]
    assert sorted(graded) == sorted([lost, *((student, each) for student in ("ann", "bob", "cy") for each in TASKS)])
    with open(tmp_path / "out" / "grades.csv", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    verdicts = [row["verdict"] for row in rows]
    assert verdicts == ["right"] * 2 * len(TASKS) + ["untried"] * len(TASKS)
    # The worker's grading process ends, too.
    while sys.platform == "linux" and is_running(victims[0]):
        time.sleep(0.02)


@pytest.mark.slow
def test_a_worker_with_several_threads_gets_one_sentence(scheduler, tmp_path):
    folder = write_class(tmp_path / "class", {"ann": {}})
    with (
        workers(scheduler, 1, "--nthreads", "2"),
        pytest.raises(SchedulerRefused, match="has 2 threads, .*; start it with --nthreads 1"),
    ):
        grade_class(folder, tmp_path / "out", options(scheduler), lambda *progress: None)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["127.0.0.1:1", "tls://127.0.0.1:1"], ids=["no scheduler", "no certificate"])
def test_a_scheduler_that_cannot_be_used_gets_one_sentence(tmp_path, monkeypatch, address):
    monkeypatch.setattr("course_utils.grading.dask_cluster._CONNECT_S", 0.5)
    folder = write_class(tmp_path / "class", {"ann": {}})
    with pytest.raises(SchedulerRefused, match="No scheduler can be used at"):
        grade_class(folder, tmp_path / "out", options(address), lambda *progress: None)
