"""A trace is read from the file that torch exports; a file that holds none is refused in one sentence."""

import gzip
import json
import sys

import pytest

from course_utils.explaining.explain import ExplainError, explain
from course_utils.explaining.read_trace import LARGEST_MB, TraceError, TraceEvent, read_trace, self_times

NESTED = [
    {"ph": "X", "name": "outer", "pid": 1, "tid": 5, "ts": 100.0, "dur": 10},
    {"ph": "X", "name": "middle", "pid": 1, "tid": 5, "ts": 101.0, "dur": 3},
    {"ph": "X", "name": "inner", "pid": 1, "tid": 5, "ts": 102.0, "dur": 1},
    {"ph": "X", "name": "kernel", "pid": 0, "tid": 7, "ts": 103.0, "dur": 20},
    {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7 "}},
    {"ph": "X", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": 0, "ts": 0, "dur": 999},
    {"ph": "i", "name": "instant", "pid": 1, "tid": 5, "ts": 100.0},
]


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"traceEvents": NESTED}))
    return path


def test_events_start_at_zero_and_keep_the_name_of_a_stream(trace):
    events = read_trace(trace)
    assert events[:2] == [TraceEvent("kernel", "stream 7", 3.0, 20.0), TraceEvent("outer", "thread 1", 0.0, 10.0)]
    assert [event.name for event in events] == ["kernel", "outer", "middle", "inner"]


def test_compressed_trace_is_read(trace):
    path = trace.with_suffix(".json.gz")
    path.write_bytes(gzip.compress(trace.read_bytes()))
    assert read_trace(path) == read_trace(trace)


def test_self_times_leave_out_the_events_inside(trace):
    found = {event.name: (depth, own_us) for event, depth, own_us in self_times(read_trace(trace))}
    assert found == {"outer": (0, 7.0), "middle": (1, 2.0), "inner": (2, 1.0), "kernel": (0, 20.0)}


def test_self_times_of_a_real_trace_add_up_to_its_outermost_events(tmp_path):
    torch = pytest.importorskip("torch")
    path, x = tmp_path / "real.json", torch.rand(8, 8)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        torch.nn.functional.cross_entropy(x, torch.zeros(8, dtype=torch.int64))
    profiler.export_chrome_trace(str(path))
    times = self_times(read_trace(path))
    outermost = [event for event, depth, _ in times if depth == 0]
    assert "aten::cross_entropy_loss" in {event.name for event in outermost}
    total_us = sum(event.duration_us for event in outermost)
    assert sum(own_us for *_, own_us in times) == pytest.approx(total_us, rel=1e-6)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("not a trace", "trace.json is not valid JSON"),
        (b"\xff\xfe\x00", "trace.json is not valid JSON (it is not text)"),
        ('{"traceEvents": [{"ph": "X"', "trace.json is not valid JSON"),
        ('{"events": []}', "trace.json is JSON but no trace"),
        ("[1, 2]", "trace.json is JSON but no trace"),
        ("7", "trace.json is JSON but no trace"),
        ('{"traceEvents": []}', "holds no event that took time"),
        ('[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "dur": 1}]', "has an event without a usable 'ts'"),
    ],
)
def test_file_without_a_trace_is_refused(tmp_path, content, sentence):
    path = tmp_path / "trace.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(TraceError) as raised:
        read_trace(path)
    assert sentence in str(raised.value) and "\n" not in str(raised.value)


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(TraceError, match="There is no file .*absent.json"):
        read_trace(tmp_path / "absent.json")


def test_folder_without_a_profile_is_refused(tmp_path):
    with pytest.raises(TraceError, match="holds no profile of TensorFlow"):
        read_trace(tmp_path)


def test_trace_of_200_mb_is_refused_without_being_read(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(200 * 2**20)  # A sparse file takes no space on the disk.
    with pytest.raises(TraceError, match=rf"large.json has 200 MB, and `read_trace` reads at most {LARGEST_MB} MB"):
        read_trace(path)


def test_compressed_trace_that_grows_too_large_is_refused(tmp_path):
    path = tmp_path / "large.json.gz"
    path.write_bytes(gzip.compress(bytes((LARGEST_MB + 1) * 2**20), 1))
    with pytest.raises(TraceError, match="large.json.gz has more than 64 MB"):
        read_trace(path)


def test_damaged_compressed_trace_is_refused(tmp_path):
    path = tmp_path / "trace.json.gz"
    path.write_bytes(b"no gzip")
    with pytest.raises(TraceError, match=r"trace\.json\.gz cannot be read"):
        read_trace(path)


def test_profile_of_tensorflow_needs_tensorflow(tmp_path):
    if "tensorflow" in sys.modules:
        pytest.skip("this process has imported TensorFlow")
    path = tmp_path / "vm.xplane.pb"
    path.write_bytes(b"")
    with pytest.raises(TraceError, match="import tensorflow first"):
        read_trace(path)


def test_explain_refuses_to_run_inside_a_profiler_of_torch():
    torch = pytest.importorskip("torch")
    with (
        torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]),
        pytest.raises(ExplainError, match=r"^torch\.profiler is running, which would distort"),
    ):
        explain(torch.sin, torch.ones(3))
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as next_profiler:
        torch.ones(3)
    assert "aten::ones" in {event.name for event in next_profiler.events()}  # Nothing was left running.


def test_explain_refuses_to_run_inside_cprofile():
    import cProfile

    profiler = cProfile.Profile()
    with pytest.raises(ExplainError, match="^Python's profiler is running"):
        profiler.runcall(explain, len, [])
