"""Recordings contain what was measured, and a damaged file never stops a lesson."""

import dataclasses
import json
import warnings

import numpy as np
import pytest

from course_utils.core.plain_data import from_data, to_data
from course_utils.races import RaceResult, race, recordings


@pytest.fixture(scope="module")
def result():
    contenders = {"loop": lambda x: np.array([value * 2 for value in x]), "whole": lambda x: x * 2}
    return rounded_result(
        race("recorded", contenders, lambda size, device: (np.ones(size),), [8, 16]).run(budget_s=0.1)
    )


def rounded_result(result):
    """Return the result with the digits that a recording keeps."""

    def rounded_data(data):
        if isinstance(data, dict):
            return {name: rounded_data(value) for name, value in data.items()}
        if isinstance(data, list):
            return [rounded_data(value) for value in data]
        return float(f"{data:.5g}") if isinstance(data, float) else data

    return from_data(RaceResult, rounded_data(to_data(result)))


def test_saved_results_are_loaded(tmp_path, result):
    recordings.save([result], "some-machine", tmp_path)
    assert recordings.load(tmp_path) == [result]


def test_saving_replaces_the_same_race_only(tmp_path, result):
    other = dataclasses.replace(result, race="other")
    newer = dataclasses.replace(result, date="2999-01-01")
    recordings.save([result, other], "some-machine", tmp_path)
    recordings.save([newer], "some-machine", tmp_path)
    assert sorted(recordings.load(tmp_path), key=lambda each: each.race) == [other, newer]
    assert [path.name for path in tmp_path.iterdir()] == ["some-machine.json"]


def test_machines_with_the_same_device_name_are_both_listed(tmp_path, result):
    one, other = (dataclasses.replace(result, device="cuda:0", machine=name) for name in ("NVIDIA A100", "NVIDIA H200"))
    older = dataclasses.replace(one, date="1999-01-01", threads=2)
    mac = dataclasses.replace(result, device="mps", machine="Apple M2 GPU", date="2999-01-01")
    recordings.save([older, one, mac, result], "some-machine", tmp_path)
    recordings.save([other], "another-machine", tmp_path)
    recorded = recordings.for_missing_devices("recorded", ("cpu",), tmp_path)
    assert recorded[0] == mac and sorted(each.machine for each in recorded[1:]) == ["NVIDIA A100", "NVIDIA H200"]
    assert older not in recorded, "only the newest recording of a machine is listed"
    assert recordings.for_missing_devices("recorded", ("cpu", "cuda:1"), tmp_path) == [mac]
    assert recordings.for_missing_devices("another", ("cpu",), tmp_path) == []


def test_one_file_can_contain_several_machines(tmp_path, result):
    other = dataclasses.replace(result, machine="another machine")
    recordings.save([result], "shared", tmp_path)
    recordings.save([other], "shared", tmp_path)
    assert {each.machine for each in recordings.load(tmp_path)} == {result.machine, "another machine"}


@pytest.mark.parametrize("without", [(), ("driver", "host"), ("driver", "host", "about", "axis", "cancelled")])
def test_recording_without_newer_fields_loads(tmp_path, result, without):
    path = recordings.save([result], "some-machine", tmp_path)
    data = json.loads(path.read_text())
    for name in without:
        data["races"][0].pop(name, None)  # a default value is not stored either
    path.write_text(json.dumps(data))
    (loaded,) = recordings.load(tmp_path)
    assert loaded.points == result.points and (loaded.driver, loaded.host) == ("", "")


def test_recordings_of_the_course_load():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert recordings.load()


def test_no_recorded_time_beats_its_bound_and_no_bound_falls_as_the_work_grows():
    for result in recordings.load():
        bounds = [result.bounds[size].seconds for size in sorted(result.bounds)]
        assert bounds == sorted(bounds), f"{result.race}: {bounds}"
        measured = (point for point in result.points if point.status == "measured" and point.size in result.bounds)
        beaten = {
            (point.contender, point.size)
            for point in measured
            if result.bounds[point.size].seconds > 1.05 * point.seconds
        }
        assert not beaten, f"{result.race}: {beaten}"


def test_every_recording_is_of_a_race_as_its_page_runs_it_now():
    stored = {result.race: result for result in results_on_pages()}
    for recorded in recordings.load():
        assert recorded.race in stored, f"no page runs the recorded race {recorded.race!r}; remove the recording"
        shown = stored[recorded.race]
        for name in ("axis", "sizes", "contenders", "baseline"):
            assert getattr(recorded, name) == getattr(shown, name), (
                f"{recorded.race}, {recorded.machine}: the recording's {name} differs from the page's; record the race "
                "again, or remove the recording."
            )


def results_on_pages():
    """Yield the race results that the pages store."""
    for path in (recordings.folder().parent / "notebooks").glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", ()):
                if stored := output.get("metadata", {}).get("unloop", {}).get("race"):
                    yield RaceResult.from_json(stored)


@pytest.mark.parametrize("place", ["race", "point"])
def test_recording_with_unknown_fields_is_skipped_with_one_sentence(tmp_path, result, place):
    recordings.save([result], "good", tmp_path)
    data = {"format": 2, "machine": "later", "races": [json.loads(result.to_json())]}
    {"race": data["races"][0], "point": data["races"][0]["points"][0]}[place]["humidity"] = 0.4
    (tmp_path / "later.json").write_text(json.dumps(data))
    with pytest.warns(
        recordings.RecordingSkipped, match=r"later.json has humidity, which this version .* update the course"
    ):
        assert recordings.load(tmp_path) == [result]


DAMAGES = [
    "", "{", "[]", "\ud800", '{"format": 99, "races": []}', '{"format": 2, "races": 3}', '{"format": 2, "races": [3]}',
    '{"format": 2, "races": [{"race": "x"}]}', '{"format": 2, "races": [{"points": [], "bounds": []}]}',
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_file_is_named_and_skipped(tmp_path, result, damage):
    recordings.save([result], "good", tmp_path)
    (tmp_path / "bad.json").write_text(damage, encoding="utf-8", errors="surrogatepass")
    with pytest.warns(recordings.RecordingSkipped, match="bad.json is damaged"):
        assert recordings.load(tmp_path) == [result]


def test_damaged_file_is_not_overwritten(tmp_path, result):
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(recordings.RecordingDamaged, match="bad.json is damaged"):
        recordings.save([result], "bad", tmp_path)
    assert (tmp_path / "bad.json").read_text() == "{"


def test_missing_folder_is_named(tmp_path, result):
    with pytest.raises(recordings.NoRecordings, match="nowhere"):
        recordings.save([result], "some-machine", tmp_path / "nowhere")
