"""A file is whole at every moment, whoever writes it and however it ends; the data folder is where the learner wants it."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from course_utils.core import files

LONG, SHORT = "long " * 200_000, "short"
WRITER = """
import sys
from pathlib import Path
from course_utils.core import files
while True:
    for text in ("long " * 200_000, "short"):
        files.write_whole(Path(sys.argv[1]), text)
"""


def test_the_folder_is_the_one_that_the_learner_names(monkeypatch, tmp_path):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path / "mine"))
    assert files.data_folder() == tmp_path / "mine"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system has other names for it")
def test_without_a_name_it_is_among_the_users_application_data(monkeypatch, tmp_path):
    monkeypatch.delenv("UNLOOP_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert files.data_folder() == tmp_path / "unloop"


def test_what_is_written_stands_there_and_nothing_beside_it(tmp_path):
    path = tmp_path / "kept.json"
    files.write_whole(path, LONG)
    files.write_whole(path, "“short”, in UTF-8\n")
    assert path.read_bytes() == "“short”, in UTF-8\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_what_stood_there(tmp_path):
    path = tmp_path / "kept.json"
    files.write_whole(path, SHORT)
    with pytest.raises(UnicodeEncodeError):
        files.write_whole(path, LONG + "\ud800")
    assert path.read_text() == SHORT
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_missing_is_the_disks_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        files.write_whole(tmp_path / "nowhere" / "kept.json", SHORT)


def test_two_writers_at_once_leave_one_of_their_texts(tmp_path):
    path = tmp_path / "kept.json"
    texts = [str(number) * 100_000 for number in range(4)]
    writers = [
        threading.Thread(target=lambda text=text: [files.write_whole(path, text) for _ in range(10)]) for text in texts
    ]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert not path.exists() or path.read_text() in texts
    assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.process
def test_a_writer_killed_at_any_moment_leaves_a_whole_file(tmp_path):
    path = tmp_path / "kept.json"
    course = str(Path(__file__).resolve().parents[2])
    for pause in (0.0, 0.002, 0.005, 0.011, 0.017):
        path.unlink(missing_ok=True)
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], env=os.environ | {"PYTHONPATH": course})
        while not path.exists():
            time.sleep(0.001)
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        process.wait()
        assert path.read_text() in (LONG, SHORT)
