"""Recordings keep what was measured, and a damaged file never stops a lesson."""

import dataclasses
import json
import warnings

import numpy as np
import pytest

from course_utils.races import race, recordings


@pytest.fixture
def result():
    contenders = {"loop": lambda x: np.array([value * 2 for value in x]), "whole": lambda x: x * 2}
    return race("recorded", contenders, lambda size, device: (np.ones(size),), [8, 16]).run(budget_s=0.1)


def test_what_is_saved_is_loaded(tmp_path, result):
    recordings.save([result], "some-machine", tmp_path)
    assert recordings.load(tmp_path) == [result]


def test_saving_again_replaces_the_same_race_and_keeps_the_others(tmp_path, result):
    other = dataclasses.replace(result, race="other")
    newer = dataclasses.replace(result, date="2999-01-01")
    recordings.save([result, other], "some-machine", tmp_path)
    recordings.save([newer], "some-machine", tmp_path)
    assert sorted(recordings.load(tmp_path), key=lambda each: each.race) == [other, newer]
    assert [path.name for path in tmp_path.iterdir()] == ["some-machine.json"]


def test_two_gpus_of_one_name_do_not_hide_each_other(tmp_path, result):
    one, other = (dataclasses.replace(result, device="cuda:0", machine=name) for name in ("NVIDIA A100", "NVIDIA H200"))
    older = dataclasses.replace(one, date="1999-01-01", threads=2)
    mac = dataclasses.replace(result, device="mps", machine="Apple M2 GPU", date="2999-01-01")
    recordings.save([older, one, mac, result], "some-machine", tmp_path)
    recordings.save([other], "another-machine", tmp_path)
    found = recordings.standing_in("recorded", ("cpu",), tmp_path)
    assert found[0] == mac and sorted(each.machine for each in found[1:]) == ["NVIDIA A100", "NVIDIA H200"]
    assert older not in found, "the newest of a machine stands in"
    assert recordings.standing_in("recorded", ("cpu", "cuda:1"), tmp_path) == [mac]
    assert recordings.standing_in("another", ("cpu",), tmp_path) == []


def test_machines_in_one_file_are_kept_apart(tmp_path, result):
    other = dataclasses.replace(result, machine="another machine")
    recordings.save([result], "shared", tmp_path)
    recordings.save([other], "shared", tmp_path)
    assert {each.machine for each in recordings.load(tmp_path)} == {result.machine, "another machine"}


@pytest.mark.parametrize("without", [(), ("driver", "host"), ("driver", "host", "about", "axis", "cancelled")])
def test_a_recording_of_an_older_version_still_loads(tmp_path, result, without):
    path = recordings.save([result], "some-machine", tmp_path)
    data = json.loads(path.read_text())
    for name in without:
        del data["races"][0][name]
    path.write_text(json.dumps(data))
    (found,) = recordings.load(tmp_path)
    assert found.points == result.points and (found.driver, found.host) == ("", "")


def test_the_courses_own_recordings_load():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert recordings.load()


@pytest.mark.parametrize("place", ["race", "point"])
def test_a_recording_of_a_later_version_is_told_in_a_sentence_and_left_out(tmp_path, result, place):
    recordings.save([result], "good", tmp_path)
    data = {"format": 1, "machine": "later", "races": [json.loads(result.to_json())]}
    {"race": data["races"][0], "point": data["races"][0]["points"][0]}[place]["humidity"] = 0.4
    (tmp_path / "later.json").write_text(json.dumps(data))
    with pytest.warns(
        recordings.RecordingSkipped, match=r"later.json tells of humidity, which this version .* update the course"
    ):
        assert recordings.load(tmp_path) == [result]


DAMAGES = [
    "", "{", "[]", "\ud800", '{"format": 99, "races": []}', '{"format": 1, "races": 3}', '{"format": 1, "races": [3]}',
    '{"format": 1, "races": [{"race": "x"}]}', '{"format": 1, "races": [{"points": [], "bounds": []}]}',
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_named_and_skipped(tmp_path, result, damage):
    recordings.save([result], "good", tmp_path)
    (tmp_path / "bad.json").write_text(damage, encoding="utf-8", errors="surrogatepass")
    with pytest.warns(recordings.RecordingSkipped, match="bad.json is damaged"):
        assert recordings.load(tmp_path) == [result]


def test_a_damaged_file_is_not_written_over(tmp_path, result):
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(recordings.RecordingDamaged, match="bad.json is damaged"):
        recordings.save([result], "bad", tmp_path)
    assert (tmp_path / "bad.json").read_text() == "{"


def test_a_missing_folder_is_named(tmp_path, result):
    with pytest.raises(recordings.NoRecordings, match="nowhere"):
        recordings.save([result], "some-machine", tmp_path / "nowhere")
