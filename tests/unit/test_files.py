"""A file is complete at every moment, however its writer ends; the data folder is configurable."""

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
        files.write_atomically(Path(sys.argv[1]), text)
"""


def test_unloop_home_names_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path / "mine"))
    assert files.data_folder() == tmp_path / "mine"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems use other variables")
def test_the_default_data_folder_is_in_the_users_application_data(monkeypatch, tmp_path):
    monkeypatch.delenv("UNLOOP_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert files.data_folder() == tmp_path / "unloop"


def test_a_write_leaves_one_file_and_no_temporary_ones(tmp_path):
    path = tmp_path / "data.json"
    files.write_atomically(path, LONG)
    files.write_atomically(path, "“short”, in UTF-8\n")
    assert path.read_bytes() == "“short”, in UTF-8\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "data.json"
    files.write_atomically(path, SHORT)
    with pytest.raises(UnicodeEncodeError):
        files.write_atomically(path, LONG + "\ud800")
    assert path.read_text() == SHORT
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_raises_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        files.write_atomically(tmp_path / "nowhere" / "data.json", SHORT)


def test_concurrent_writers_never_mix_their_texts(tmp_path):
    path = tmp_path / "data.json"
    texts = [str(number) * 100_000 for number in range(4)]
    writers = [
        threading.Thread(target=lambda text=text: [files.write_atomically(path, text) for _ in range(10)])
        for text in texts
    ]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert not path.exists() or path.read_text() in texts
    assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_killed_writer_leaves_a_complete_file(tmp_path):
    path = tmp_path / "data.json"
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
