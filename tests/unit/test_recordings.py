"""Recordings keep what was measured, and a damaged file never stops a lesson."""

import dataclasses

import numpy as np
import pytest

from course_utils.races import race, recordings


@pytest.fixture
def result():
    contenders = {"loop": lambda x: np.array([value * 2 for value in x]), "whole": lambda x: x * 2}
    return race("recorded", contenders, lambda size, device: (np.ones(size),), [8, 16]).run(budget_s=0.1)


def test_what_is_saved_is_found(tmp_path, result):
    recordings.save([result], "some-machine", tmp_path)
    assert recordings.find("recorded", "cpu", tmp_path) == result
    assert recordings.find("recorded", "cuda:0", tmp_path) is None
    assert recordings.find("another", "cpu", tmp_path) is None


def test_saving_again_replaces_the_same_race_and_keeps_the_others(tmp_path, result):
    other = dataclasses.replace(result, race="other")
    newer = dataclasses.replace(result, date="2999-01-01")
    recordings.save([result, other], "some-machine", tmp_path)
    recordings.save([newer], "some-machine", tmp_path)
    assert sorted(recordings.load(tmp_path), key=lambda each: each.race) == [other, newer]
    assert [path.name for path in tmp_path.iterdir()] == ["some-machine.json"]


def test_any_gpu_of_a_kind_stands_in_for_another(tmp_path, result):
    recordings.save([dataclasses.replace(result, device="cuda:0")], "a-gpu", tmp_path)
    assert recordings.find("recorded", "cuda:1", tmp_path).device == "cuda:0"


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
