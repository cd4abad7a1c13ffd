"""The certificate: earned by the whole pipeline, made of what was measured, and one page of paper."""

import re

import pytest

from course_utils import progress, tasks
from course_utils.learner import progress_file
from course_utils.learner.certificate import CertificateMissing, certificate_html
from course_utils.ui.progress_card import progress_html

MACHINE = "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz, 44 cores · cpu, 1 thread · torch 2.13.0+cu128"
ATTEMPT = {
    "ratio": 137.2,
    "low": 130.1,
    "high": 146.4,
    "seconds": 0.0019,
    "share": 0.0021,
    "reason": "launches",
    "line": "labels = fill_holes(labels)",
    "machine": MACHINE,
    "date": "2026-11-23",
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UNLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(progress_file, "_in_memory", None)


def solve(*names):
    for name in names:
        progress_file.record_task(name, 5, 5, 1234.5, (1000.1, 1500.2), MACHINE)


def test_certificate_needs_the_whole_pipeline(tmp_path):
    solve("drop_small")
    with pytest.raises(CertificateMissing, match="solve segment_maps"):
        progress.certificate(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()
    assert "certificate" not in progress_html(progress()).lower()


def test_certificate_states_what_was_measured_and_what_was_not_solved(tmp_path):
    solve("segment_maps", "drop_small")
    progress_file.record_attempt("segment_maps", ATTEMPT)
    progress_file.record_report("segment_maps", ["It is <137×>.", "Launches bind.", "Fewer calls."], ATTEMPT)
    path = progress.certificate(tmp_path / "page.html", name="Ada & Co")
    page = path.read_text(encoding="utf-8")
    for part in ("Ada &amp; Co", "137× as fast", "130× to 146×", "launches", MACHINE, "It is &lt;137×&gt;."):
        assert part in page
    rows = dict(re.findall(r"<tr><td>(\w+)</td><td.*?>(.*?)</tr>", page))
    assert "1,230× (1,000×–1,500×)" in rows["drop_small"]
    assert all(
        "not solved" in rows[name] for name in tasks.ids("18_capstone") if name not in ("segment_maps", "drop_small")
    )
    assert "progress.certificate() writes your certificate" in str(progress())
    assert 'download="certificate.html"' in progress_html(progress())


def test_ratio_without_an_interval_stands_alone():
    progress_file.record_task("segment_maps", 8, 8, 137.2)
    assert ">137× as fast" in certificate_html(progress_file.read())


@pytest.mark.slow
def test_fullest_certificate_prints_on_one_page(browser, tmp_path):
    solve(*tasks.names())
    for number in range(40):
        progress_file.record_practice(f"practice_{number}")
    for _ in range(30):
        progress_file.record_attempt("segment_maps", ATTEMPT)
    progress_file.record_report("segment_maps", ["W" + 59 * " wide" + "."] * 3, ATTEMPT)
    page = browser.new_page()
    page.goto(progress.certificate(tmp_path / "page.html", name="Ada Lovelace").as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1
