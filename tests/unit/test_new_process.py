"""A function is called in a process of its own: with the variables that are asked for, and with a sentence where it cannot be."""

import os

import pytest

from course_utils import in_new_process
from course_utils.sandbox.new_process import NewProcessError

pytestmark = pytest.mark.process


def told(name, *more):
    import os

    return [os.environ.get(name), *more, os.getpid()]


def using_what_stands_here():
    return os.getpid()


def ending():
    import os

    os._exit(3)


def of_no_json():
    return {1, 2}


def test_a_function_is_called_elsewhere_with_its_arguments_and_variables():
    value, number, process = in_new_process(told, "ASKED", 1.5, environment={"ASKED": "yes"})
    assert (value, number) == ("yes", 1.5)
    assert process != os.getpid()
    assert "ASKED" not in os.environ


def test_what_it_raises_is_told_with_the_remedy():
    with pytest.raises(NewProcessError, match=r"NameError: name 'os' is not defined.*import and define"):
        in_new_process(using_what_stands_here)


def test_a_process_that_ends_says_so():
    with pytest.raises(NewProcessError, match="ended before ending did"):
        in_new_process(ending)


def test_what_cannot_be_sent_is_refused():
    with pytest.raises(NewProcessError, match="made by def"):
        in_new_process(lambda: 1)
    with pytest.raises(NewProcessError, match="The arguments of told cannot be sent"):
        in_new_process(told, {1, 2})
    with pytest.raises(NewProcessError, match="What of_no_json returns cannot be sent"):
        in_new_process(of_no_json)
