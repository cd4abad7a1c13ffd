"""Children that answer in JSON are heard to the end, say why they failed, and never outlive who asked them."""

import os
import sys
import time

import pytest

from course_utils.core.processes import Child, ChildFailed

pytestmark = pytest.mark.process

ANSWERING = "from course_utils.core.processes import answering; answer = answering(); "
FOR_EVER = "import time; time.sleep(600)"


def child(script, *arguments, **options):
    return Child(["-c", script, *arguments], **options)


def answers(script, *arguments, **options):
    with child(script, *arguments, **options) as asked:
        return list(asked.answers())


def gone(asked):
    return asked._process.returncode is not None


def test_every_answer_is_heard():
    values = "[None, True, 3, 0.1, 'a “text”\\nof two lines', [1, [2]], {'key': []}]"
    assert answers(f"{ANSWERING}\nfor value in {values}: answer(value)") == [
        None, True, 3, 0.1, "a “text”\nof two lines", [1, [2]], {"key": []},
    ]  # fmt: skip


def test_an_answer_is_heard_before_the_child_ends():
    with child(f"{ANSWERING}answer('first'); {FOR_EVER}") as asked:
        assert next(asked.answers()) == "first"
    assert gone(asked)


def test_a_child_is_given_its_arguments_and_variables_and_finds_the_course(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where no course_utils lies
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "own"))
    script = (
        f"{ANSWERING}import os, sys; names = ('ASKED', 'PYTHONPATH', 'TF_CPP_MIN_LOG_LEVEL'); "
        "answer([sys.argv[1], *map(os.environ.get, names)])"
    )
    ((argument, asked, path, quiet),) = answers(script, "torch", environment={"ASKED": "yes"})
    assert (argument, asked, quiet) == ("torch", "yes", "3")
    assert path.split(os.pathsep)[1:] == [str(tmp_path / "own")]
    ((_, _, path, _),) = answers(script, "torch", environment={"PYTHONPATH": "tests"})
    assert path.split(os.pathsep)[1:] == ["tests"]


def test_a_listening_child_is_told():
    script = (
        f"{ANSWERING}import json, sys; answer('ready')\nfor line in sys.stdin: answer(json.loads(line)['number'] + 1)"
    )
    with child(script, listening=True) as asked:
        heard = asked.answers()
        assert next(heard) == "ready"
        for number in (1, 41):
            asked.tell({"number": number})
            assert next(heard) == number + 1
    assert gone(asked)


def test_answers_go_on_where_they_were_left():
    with child(f"{ANSWERING}answer(1); answer(2); answer(3)") as asked:
        assert next(asked.answers()) == 1
        assert list(asked.answers()) == [2, 3]


def test_a_child_that_does_not_listen_finds_its_stdin_empty():
    assert answers(f"{ANSWERING}import sys; answer(sys.stdin.read())") == [""]


def test_what_libraries_print_is_no_answer():
    loud = "import os; print('by Python'); os.write(1, b'past Python\\n'); os.system('echo by a child of its own')"
    assert answers(f"{ANSWERING}{loud}; answer('heard')") == ["heard"]


def test_a_child_that_says_much_is_heard_all_the_same():
    loud = "import sys; sys.stderr.write('x' * 1_000_000); print('x' * 1_000_000)"
    assert answers(f"{ANSWERING}{loud}; answer('heard')") == ["heard"]


def test_what_a_failed_child_said_last_is_the_message():
    with (
        child(
            f"{ANSWERING}answer(1); import sys; print('first', file=sys.stderr); sys.exit('no such device')"
        ) as asked,
        pytest.raises(ChildFailed, match="^no such device$") as told,
    ):
        heard = asked.answers()
        assert next(heard) == 1
        next(heard)
    assert (told.value.words, told.value.said, told.value.code) == ("no such device", "first\nno such device\n", 1)
    assert gone(asked)


def test_a_child_that_fails_without_a_word_is_told_by_its_code():
    with pytest.raises(ChildFailed, match="^its process ended with code 3$") as told:
        answers("raise SystemExit(3)")
    assert (told.value.words, told.value.code) == ("", 3)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_child_that_a_signal_ends_is_told_by_its_code():
    with pytest.raises(ChildFailed, match="^its process ended with code -11$"):
        answers("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")


def test_what_is_no_json_is_shown():
    with pytest.raises(ChildFailed, match="^its process answered 'loading …', which is no JSON$"):
        answers("import sys; sys.stdout.reconfigure(encoding='utf-8'); print('loading …')")


def test_telling_a_child_that_has_ended_leaves_its_last_words_to_be_heard():
    with child("import sys; sys.exit('it cannot start')", listening=True) as asked:
        asked._process.wait()
        for _ in range(3):
            asked.tell("go on")
        with pytest.raises(ChildFailed, match="it cannot start"):
            next(asked.answers())
    assert gone(asked)


def test_an_error_of_the_parent_ends_the_child():
    before = time.perf_counter()
    with pytest.raises(ZeroDivisionError), child(FOR_EVER) as asked:
        1 / 0  # noqa: B018 - whatever goes wrong
    assert gone(asked)
    assert time.perf_counter() - before < 60
    asked.end()  # once more does no harm
