"""Ports for the kernels of tests that no other process takes.

jupyter_client lets the system choose free ports and closes them again, and the kernel opens them when it has started. If the
system gives one of them to another process in between, the kernel dies. So each test process chooses from ports of its own,
which are lower than those that the system gives away.
"""

import os
import random
import socket

PORTS = range(10_000, 32_768)


def own_ports():
    """Return the ports from which only this process of a test run chooses."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return PORTS[worker :: int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))]


def use_own_ports():
    """Let all kernel managers of this process choose from its own ports."""
    from jupyter_client.connect import LocalPortCache

    LocalPortCache.find_available_port = _find_available_port


def _find_available_port(cache, ip):
    while True:
        port = random.choice(own_ports())
        with socket.socket() as probe:
            try:
                probe.bind((ip, port))
            except OSError:
                continue  # Another program uses it.
        if port not in cache.currently_used_ports:
            cache.currently_used_ports.add(port)
            return port
