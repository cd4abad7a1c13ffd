"""Kernels that several test processes start at the same time get different ports."""

from pathlib import Path

import kernel_ports

GIVEN_AWAY = Path("/proc/sys/net/ipv4/ip_local_port_range")


def test_two_test_processes_share_no_port(monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "3")
    ports = []
    for worker in range(3):
        monkeypatch.setenv("PYTEST_XDIST_WORKER", f"gw{worker}")
        ports += kernel_ports.own_ports()
    assert sorted(ports) == list(kernel_ports.PORTS)


def test_system_gives_no_other_process_these_ports():
    lowest = int(GIVEN_AWAY.read_text().split()[0]) if GIVEN_AWAY.exists() else 49_152
    assert max(kernel_ports.PORTS) < lowest
