"""Kernels that several test processes start at the same time get different ports."""

import pytest

import kernel_ports


def test_two_test_processes_share_no_port(monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "3")
    ports = []
    for worker in range(3):
        monkeypatch.setenv("PYTEST_XDIST_WORKER", f"gw{worker}")
        ports += kernel_ports.own_ports()
    assert sorted(ports) == list(kernel_ports.PORTS)


@pytest.mark.parametrize("given_away", [(32_768, 60_999), (49_152, 65_535), (16_000, 65_535), (1_024, 50_000)])
def test_system_gives_no_other_process_these_ports(given_away):
    lowest, highest = given_away
    ports = kernel_ports.ports_apart(lowest, highest)
    assert len(ports) >= 1_000 and not set(ports) & set(range(lowest, highest + 1))


def test_a_system_that_gives_away_nearly_all_ports_leaves_some_to_choose_from():
    assert len(kernel_ports.ports_apart(1_024, 65_535)) == len(kernel_ports.ports_apart(10_001, 65_535)) > 1_000
