"""A function runs in a new process with the requested variables; what cannot be sent gets one sentence."""

import os

import pytest

from course_utils import in_new_process
from course_utils.sandbox.new_process import NewProcessError

pytestmark = pytest.mark.slow


def read_variable(name, *more):
    import os

    return [os.environ.get(name), *more, os.getpid()]


def uses_a_global_name():
    return os.getpid()


def exits():
    import os

    os._exit(3)


def returns_a_set():
    return {1, 2}


def test_a_function_gets_its_arguments_and_variables():
    value, number, process = in_new_process(read_variable, "CUSTOM", 1.5, environment={"CUSTOM": "yes"})
    assert (value, number) == ("yes", 1.5)
    assert process != os.getpid()
    assert "CUSTOM" not in os.environ


def test_an_error_is_shown_with_its_remedy():
    with pytest.raises(NewProcessError, match=r"NameError: name 'os' is not defined.*import and define"):
        in_new_process(uses_a_global_name)


def test_a_process_that_exits_is_reported():
    with pytest.raises(NewProcessError, match="ended before exits returned"):
        in_new_process(exits)


def test_values_other_than_json_are_refused():
    with pytest.raises(NewProcessError, match="define it with def"):
        in_new_process(lambda: 1)
    with pytest.raises(NewProcessError, match="The arguments of read_variable cannot be sent"):
        in_new_process(read_variable, {1, 2})
    with pytest.raises(NewProcessError, match="The result of returns_a_set cannot be sent"):
        in_new_process(returns_a_set)
