"""The index and the lessons' modules agree, and asking what exists imports no framework."""

import subprocess
import sys

import pytest

from course_utils import tasks


@pytest.mark.parametrize("lesson", tasks.INDEX)
def test_a_lessons_module_holds_the_tasks_of_the_index(lesson):
    for name in tasks.INDEX[lesson]:
        try:
            task = tasks.load(name)
        except tasks.FrameworkMissing as missing:
            pytest.skip(str(missing))
        assert task.id == name
        assert f"lesson_{task.lesson}" == lesson


def test_names_are_unique():
    assert len(set(tasks.names())) == len(tasks.names())


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(tasks.TaskMissing, match="did you mean tiled_add"):
        tasks.load("tile_add")
    with pytest.raises(tasks.TaskMissing, match="the tasks are: double"):
        tasks.load("zzz")


@pytest.mark.process
def test_asking_what_exists_imports_no_framework():
    script = "import sys; from course_utils import tasks; tasks.names(); print('torch' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "False\n"
    )


@pytest.mark.process
def test_a_missing_framework_is_one_sentence():
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "from course_utils import tasks\n"
        "try: tasks.load('double')\n"
        "except tasks.FrameworkMissing as missing: print(missing)"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said == "The task 'double' needs torch, which is not installed here; `pip install torch` brings it.\n"
