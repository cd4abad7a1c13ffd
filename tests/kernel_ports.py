"""Ports that no other process takes, for the kernels of tests.

jupyter_client lets the system choose free ports and closes them again, and the kernel opens them when it has started. If the
system gives one of them to another process in between, the kernel dies. So each test process chooses from ports of its own,
which the system does not give away.
"""

import os
import random
import socket
from pathlib import Path

GIVEN_AWAY = Path("/proc/sys/net/ipv4/ip_local_port_range")


def ports_apart(lowest, highest):
    """Return ports outside of the range that the system gives away; if it gives away nearly all, a part of them."""
    apart = max(range(10_000, lowest), range(highest + 1, 65_536), key=len)
    return apart if len(apart) >= 1_000 else range(10_000, 32_768)


PORTS = ports_apart(*map(int, GIVEN_AWAY.read_text().split() if GIVEN_AWAY.exists() else (49_152, 65_535)))


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
