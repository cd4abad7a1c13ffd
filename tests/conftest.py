"""What all tests share: a home of their own, so that none meets or changes the progress of whoever runs them."""

import os
import shutil
import tempfile


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # workers, and the kernels that tests start, inherit the environment
        os.environ["UNLOOP_FIRST_LOOK_S"] = "0.7"
        os.environ["UNLOOP_HOME"] = config._unloop_home = tempfile.mkdtemp(prefix="unloop-tests-")


def pytest_unconfigure(config):
    if hasattr(config, "_unloop_home"):
        shutil.rmtree(config._unloop_home, ignore_errors=True)
