"""Child processes deliver every JSON answer, report why they failed, and never outlive the parent's block."""

import os
import sys
import time

import pytest

from course_utils.core.processes import ChildProcess, ChildProcessFailed

pytestmark = pytest.mark.slow

START = "from course_utils.core.processes import start_answering; answer = start_answering(); "
SLEEP_FOREVER = "import time; time.sleep(600)"


def child(script, *arguments, **options):
    return ChildProcess(["-c", script, *arguments], **options)


def all_answers(script, *arguments, **options):
    with child(script, *arguments, **options) as process:
        return list(process.answers())


def has_ended(process):
    return process._process.returncode is not None


def test_every_answer_arrives():
    values = "[None, True, 3, 0.1, 'a “text”\\nof two lines', [1, [2]], {'key': []}]"
    assert all_answers(f"{START}\nfor value in {values}: answer(value)") == [
        None, True, 3, 0.1, "a “text”\nof two lines", [1, [2]], {"key": []},
    ]  # fmt: skip


def test_an_answer_arrives_before_the_child_ends():
    with child(f"{START}answer('first'); {SLEEP_FOREVER}") as process:
        assert next(process.answers()) == "first"
    assert has_ended(process)


def test_a_child_gets_its_arguments_and_variables_and_finds_the_course(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # a folder without course_utils
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "own"))
    script = (
        f"{START}import os, sys; names = ('CUSTOM', 'PYTHONPATH', 'TF_CPP_MIN_LOG_LEVEL'); "
        "answer([sys.argv[1], *map(os.environ.get, names)])"
    )
    ((argument, custom, path, log_level),) = all_answers(script, "torch", environment={"CUSTOM": "yes"})
    assert (argument, custom, log_level) == ("torch", "yes", "3")
    assert path.split(os.pathsep)[1:] == [str(tmp_path / "own")]
    ((_, _, path, _),) = all_answers(script, "torch", environment={"PYTHONPATH": "tests"})
    assert path.split(os.pathsep)[1:] == ["tests"]


def test_a_child_that_accepts_input_gets_what_is_sent():
    script = f"{START}import json, sys; answer('ready')\nfor line in sys.stdin: answer(json.loads(line)['number'] + 1)"
    with child(script, accepts_input=True) as process:
        answers = process.answers()
        assert next(answers) == "ready"
        for number in (1, 41):
            process.send({"number": number})
            assert next(answers) == number + 1
    assert has_ended(process)


def test_answers_continue_after_the_last_one_read():
    with child(f"{START}answer(1); answer(2); answer(3)") as process:
        assert next(process.answers()) == 1
        assert list(process.answers()) == [2, 3]


def test_without_input_stdin_is_empty():
    assert all_answers(f"{START}import sys; answer(sys.stdin.read())") == [""]


def test_prints_of_libraries_are_not_answers():
    noise = "import os; print('by Python'); os.write(1, b'past Python\\n'); os.system('echo by a child of its own')"
    assert all_answers(f"{START}{noise}; answer('arrived')") == ["arrived"]


def test_a_child_that_prints_a_megabyte_still_answers():
    noise = "import sys; sys.stderr.write('x' * 1_000_000); print('x' * 1_000_000)"
    assert all_answers(f"{START}{noise}; answer('arrived')") == ["arrived"]


def test_the_last_line_on_stderr_is_the_message():
    with (
        child(f"{START}answer(1); import sys; print('first', file=sys.stderr); sys.exit('no such device')") as process,
        pytest.raises(ChildProcessFailed, match="^no such device$") as raised,
    ):
        answers = process.answers()
        assert next(answers) == 1
        next(answers)
    failure = raised.value
    assert (failure.last_line, failure.stderr, failure.exit_code) == ("no such device", "first\nno such device\n", 1)
    assert has_ended(process)


def test_a_silent_failure_is_described_by_its_exit_code():
    with pytest.raises(ChildProcessFailed, match="^its process ended with code 3$") as raised:
        all_answers("raise SystemExit(3)")
    assert (raised.value.last_line, raised.value.exit_code) == ("", 3)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_signal_is_described_by_its_negative_exit_code():
    with pytest.raises(ChildProcessFailed, match="^its process ended with code -11$"):
        all_answers("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")


def test_output_other_than_json_is_quoted():
    with pytest.raises(ChildProcessFailed, match="^its process answered 'loading …', which is not JSON$"):
        all_answers("import sys; sys.stdout.reconfigure(encoding='utf-8'); print('loading …')")


def test_sending_to_an_ended_child_keeps_its_message():
    with child("import sys; sys.exit('it cannot start')", accepts_input=True) as process:
        process._process.wait()
        for _ in range(3):
            process.send("go on")
        with pytest.raises(ChildProcessFailed, match="it cannot start"):
            next(process.answers())
    assert has_ended(process)


def test_an_error_in_the_parent_ends_the_child():
    before = time.perf_counter()
    with pytest.raises(ZeroDivisionError), child(SLEEP_FOREVER) as process:
        1 / 0  # noqa: B018 - any error
    assert has_ended(process)
    assert time.perf_counter() - before < 60
    process.close()  # a second call is harmless
