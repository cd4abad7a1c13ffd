"""A verdict is plain data, which another process can read, compare and show."""

import json
import pickle

import pytest

from course_utils.judging import Answer, Verdict, judge

torch = pytest.importorskip("torch")

from sample_task import ROW_SUMS

from course_utils.ui.task_card import verdict_html


def print_and_sum(x):
    print("a line\nand “another” \ud83d")  # A lone surrogate has no form in UTF-8.
    return x.sum(1)


def sum_in_a_loop(x):
    return torch.stack([row.sum() for row in x]) if len(x) else x.sum(1)


ANSWERS = {
    "right": lambda x: x.sum(1),
    "right, with prints": print_and_sum,
    "wrong values": lambda x: x.sum(1) + 1,
    "a loop": sum_in_a_loop,
    "other arguments": lambda x, y: x,
}


@pytest.fixture(scope="module")
def verdicts():
    return {name: judge(ROW_SUMS, Answer(answer, ROW_SUMS)) for name, answer in ANSWERS.items()}


@pytest.fixture(params=ANSWERS)
def verdict(request, verdicts):
    return verdicts[request.param]


def test_verdict_survives_json(verdict):
    again = Verdict.from_json(verdict.to_json())
    assert again == verdict
    assert (again.points, str(again)) == (verdict.points, str(verdict))
    assert verdict_html(again) == verdict_html(verdict)


def test_verdict_survives_pickle(verdict):
    assert pickle.loads(pickle.dumps(verdict)) == verdict


def test_json_names_the_task(verdict):
    data = json.loads(verdict.to_json())
    assert (data["task"], data["title"], data["max_points"]) == ("row_sums", "The sum of each row", 2)
    assert (data["race_size"], data["target"]) == (40, 5.0)
    assert [line["name"] for line in data["lines"]] == ["correct", "unlooped", "fast"][: len(data["lines"])]


def test_answers_reach_every_kind_of_verdict(verdicts):
    assert {name: (each.right, each.lines[-1].name) for name, each in verdicts.items()} == {
        "right": (True, "fast"),
        "right, with prints": (True, "fast"),
        "wrong values": (False, "correct"),
        "a loop": (False, "unlooped"),
        "other arguments": (False, "correct"),
    }
    assert verdicts["right"].ratio is not None and verdicts["right"].counts[16].ops == 1
    assert verdicts["right, with prints"].printed.startswith("a line")


def test_wrong_answer_gets_one_verdict_per_seed():
    wrong = [judge(ROW_SUMS, Answer(ANSWERS["wrong values"], ROW_SUMS), seed=5) for _ in range(2)]
    assert wrong[0] == wrong[1]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"lines": 3, "counts": {}, "ratio": null}'])
def test_data_that_describe_no_verdict_are_refused(text):
    with pytest.raises(ValueError):
        Verdict.from_json(text)
