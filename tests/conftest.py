"""Shared by all tests: a data folder of their own, so that they never read or change your progress, and a browser."""

import gc
import os
import shutil
import tempfile

import pytest

from course_utils import doctor
from course_utils.frameworks.load_order import load_triton_first

# Without the last three flags, Chromium opens connections of its own.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_configure(config):
    load_triton_first()  # A process runs tests of both frameworks.
    if not hasattr(config, "workerinput"):  # Workers and the kernels of tests inherit the environment.
        os.environ["UNLOOP_FIRST_LOOK_S"] = "0.1"
        # In each new cache, torch compiles three trial programs to learn whether the compiler knows the processor's vectors.
        os.environ["TORCHINDUCTOR_VEC_ISA_OK"] = "1"
        os.environ["UNLOOP_HOME"] = config._unloop_home = tempfile.mkdtemp(prefix="unloop-tests-")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep the garbage collector from visiting the imported packages again and again, which took a sixth of an import."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure(config):
    if hasattr(config, "_unloop_home"):
        shutil.rmtree(config._unloop_home, ignore_errors=True)


@pytest.fixture(scope="session")
def browser():
    """Return Chromium, which runs without a window."""
    path = doctor.browser_path()
    if path is None:
        pytest.skip("The browser tests need Chromium: install your system's package `chromium`, or Google Chrome.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def zygotes():
    """Return the grader's warm processes; skips where the system offers no cage for foreign code."""
    from course_utils.grading import AnswerCell, Submission, Zygotes, grade
    from course_utils.grading.grade_submission import CageMissing

    double = AnswerCell("double", "def double(x):\n    return 2 * x", 0)
    with Zygotes() as warm:
        try:
            grade(Submission("owl", "00_start_here", (double,)), zygotes=warm)
        except CageMissing as missing:
            pytest.skip(str(missing))
        yield warm
