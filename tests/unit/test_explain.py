"""``explain``: the costliest line and its reason, seconds that add up, and state that a call leaves unchanged."""

import json
import math
import re
import sys
import time
import traceback
from dataclasses import replace

import numpy as np
import pytest
import torch
from load_tolerance import in_one_of_three_attempts
from sample_limits import PEAKS

from course_utils import explain, limits
from course_utils.counting.line_work import LineWork
from course_utils.counting.user_code import is_inline
from course_utils.explaining import ExplainError, Explanation, profiler
from course_utils.ui import explanation_view
from course_utils.ui.card import with_code


@pytest.fixture(autouse=True)
def known_limits(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.4)


def element_loop(x):
    out = torch.zeros_like(x)
    for i in range(len(x)):
        out[i] = x[i] * 2 + 1  # costliest
    return out


def plus_one(x):
    return x + 1


def growing(rows):
    grown = rows[:0]
    for row in rows:
        grown = torch.cat([grown, row[None]])  # costliest
    return grown


def item_by_item(x):
    total, count = 0.0, 0
    while count < 300:
        total += x[count].item()  # costliest
        count += 1
    return total


def norm_by_norm(x):
    total = 0.0
    for row in x.view(300, -1):
        total += row.norm().item()  # costliest
    return total


def through_numpy(x):
    y = x + 1
    for _ in range(300):
        y = torch.from_numpy(np.negative(y.numpy()))  # costliest
    return y


def in_numpy(x):
    y = torch.from_numpy(np.sort(x.numpy()[::-1]))  # costliest
    return y + 1


def python_alone(x):
    text = "".join(str(number) for number in range(5_000))  # costliest
    return x * len(text)


def product(a, b):
    c = a @ b  # costliest
    return c.sum()


def expensive_function(x):
    y = torch.special.i0(x)  # costliest
    return y.sum()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = torch.nn.Linear(256, 2048)

    def forward(self, x):
        hidden = self.wide(x)  # costliest
        return hidden.sum(1)


COSTLIEST = {  # A key has the possible reasons, separated by "or", and after a comma the case.
    "launches": (element_loop, torch.randn(300)),
    "allocation or traffic": (growing, torch.randn(300, 2000)),
    "syncs": (item_by_item, torch.randn(300)),
    "launches, each read": (norm_by_norm, torch.randn(300, 2000)),
    "transfers": (through_numpy, torch.randn(10)),
    "python": (python_alone, torch.randn(3)),
    "unknown, in NumPy": (in_numpy, torch.randn(400_000)),
    "compute": (expensive_function, torch.randn(100_000)),
}


@pytest.mark.parametrize("case", COSTLIEST)
@in_one_of_three_attempts
def test_costliest_line_and_its_reason_are_identified(case):
    explanation = explain(*COSTLIEST[case])
    times = [(line.source, line.seconds, line.reason) for line in explanation.lines]
    assert explanation.costliest.source.endswith("# costliest"), times
    assert explanation.costliest.reason in case.split(",")[0].split(" or "), times
    assert sum(line.seconds for line in explanation.lines) == pytest.approx(explanation.measured_s, rel=0.15)


@pytest.mark.parametrize(("peak", "is_limit"), [(1e9, True), (1e15, False)])
@in_one_of_three_attempts
def test_a_product_is_at_its_limit_only_near_the_peak(monkeypatch, peak, is_limit):
    # Every processor is far from both peaks, so a busy machine changes nothing.
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: replace(PEAKS, matmul={"float32": peak}))
    explanation = explain(product, torch.randn(400, 400), torch.randn(400, 400))
    assert explanation.costliest.source.endswith("# costliest"), explanation
    assert (explanation.costliest.reason == "limit") is is_limit, explanation


@in_one_of_three_attempts
def test_the_lines_of_a_modules_forward_are_the_learners():
    explanation = explain(Net(), torch.randn(64, 256))
    assert explanation.costliest.source == "hidden = self.wide(x)  # costliest"
    assert explanation.costliest.counts.flops == 2 * 64 * 256 * 2048
    assert explanation.costliest.floor_s >= explanation.costliest.counts.flops / PEAKS.matmul["float32"]


def windows_by_index(x, places):
    return x[places]


@in_one_of_three_attempts
def test_line_that_moves_values_computes_nothing():
    places = torch.arange(50_000)[:, None] + torch.arange(32)
    line = explain(windows_by_index, torch.randn(50_032), places).costliest
    assert line.reason != "compute" and "computes" not in line.finding, line


def chained(x):
    return ((x * 2 + 1).relu() - x.abs() * 3).sqrt()


@in_one_of_three_attempts
def test_remedy_is_a_compiler_for_a_chain_and_whole_tensors_for_a_loop():
    # The costliest line of so short a call may be the call itself on a busy machine.
    (line,) = (each for each in explain(chained, torch.rand(8)).lines if "sqrt" in each.source)
    assert (line.reason, line.lesson) == ("launches", "12, compilers"), line
    assert "whole tensors" not in line.advice and "compiler" in line.advice
    line = explain(element_loop, torch.randn(300)).costliest
    assert (line.reason, line.lesson) == ("launches", "03, element loops"), line


def deep_gradient(x, weights):
    for weight in weights:
        x = torch.tanh(x @ weight)
    return torch.autograd.grad(x.sum(), weights)


@in_one_of_three_attempts
def test_remedy_for_a_backward_pass_of_small_operations_is_a_compiler():
    weights = [torch.eye(8, requires_grad=True) for _ in range(30)]
    (line,) = (each for each in explain(deep_gradient, torch.rand(8, 8), weights).lines if "grad(" in each.source)
    assert (line.reason, line.lesson) == ("launches", "12, compilers"), line
    assert "whole tensors" not in line.advice and "backward pass" in line.advice


@pytest.mark.slow
def test_counts_of_a_line_are_exact():
    explanation = explain(element_loop, torch.randn(100))
    zeros, loop, body, _ = (line.counts for line in explanation.lines[:4])
    assert (zeros.ops, zeros.bytes, zeros.writes) == (1, 400, 400)
    assert (loop.ops, loop.runs, body.runs) == (0, 101, 100)
    assert (body.ops, body.launches, body.syncs) == (500, 500, 0)  # two views, a product, a sum and a copy
    assert (body.reads, body.writes, body.bytes) == (1200, 1200, 800)
    assert (body.minimum_traffic.reads, body.minimum_traffic.writes) == (400, 400)


def test_operations_that_select_by_an_index_or_a_label_read_only_what_they_select():
    def rows_of(table, ids, out):
        torch.index_select(table, 0, ids, out=out)
        rows = table[ids]
        loss = torch.nn.functional.nll_loss(rows, ids % 4)
        diagonal = table.trace()
        return loss + diagonal + torch.nn.functional.embedding_bag(ids, table, ids[:1]).sum()

    explanation = explain(rows_of, torch.rand(1000, 4), torch.arange(0, 100, 10), torch.empty(10, 4))
    into, new, loss, trace, bag = (line.counts for line in explanation.lines[:5])
    assert (into.reads, into.writes) == (new.reads, new.writes) == (240, 160)
    assert loss.reads == 10 * (8 + 8 + 4), "the remainders read the labels, and the loss both and one value per label"
    assert trace.reads == 4 * 4, "four elements are on the diagonal"
    assert bag.reads < 600, "a bag reads one row of 16 bytes for each of the 10 indices"


def test_many_views_are_no_arithmetic():
    def rows_of(x):
        return x.unbind()

    counts = explain(rows_of, torch.rand(3000)).costliest.counts
    assert sum(counts.operation_seconds.values()) > sum(counts.arithmetic_seconds.values()) == 0, counts


def test_a_view_in_place_moves_no_bytes():
    def product(row, b):
        return row @ b  # PyTorch removes a dimension of the result in place.

    counts = explain(product, torch.rand(16), torch.rand(16, 32)).lines[0].counts
    assert (counts.reads, counts.writes) == (4 * (16 + 16 * 32), 4 * 32)


def test_a_sparse_product_has_no_flops_by_its_shape():
    def product(a, b):
        return a @ b

    assert explain(product, torch.eye(50).to_sparse(), torch.rand(50, 2)).lines[0].counts.flops == 0


@pytest.mark.filterwarnings("ignore:Sparse")
def test_a_sparse_product_reads_one_row_for_each_stored_value():
    def product(a, b):
        return a @ b

    positions = torch.tensor([[0, 1, 1], [500, 7, 900]])
    links = torch.sparse_coo_tensor(positions, torch.ones(3), (2, 1000))
    reads = lambda *args: sum(line.counts.reads for line in explain(product, *args).lines)
    for sparse in (links, links.to_sparse_csr()):
        assert reads(sparse, torch.rand(1000, 16)) == 3 * 16 * 4
    assert reads(torch.rand(5, 2), links) == 5 * 2 * 4


def test_a_sparse_product_writes_its_whole_result():
    def product(a, b, out):
        torch.mm(a, b, out=out)

    square = torch.sparse_coo_tensor(torch.tensor([[0], [1]]), torch.ones(1), (100, 100))
    lines = explain(product, square, torch.rand(100, 100), torch.zeros(100, 100)).lines
    assert sum(line.counts.writes for line in lines) == 100 * 100 * 4


def test_an_update_by_few_rows_visits_only_these():
    def add(table, rows):
        table.add_(rows)

    def scatter(table, index, values):
        table.index_add_(0, index, values)

    def clear(table, index):
        table[index] = 0.0

    index, values, table = torch.tensor([1, 500]), torch.ones(2, 16), torch.zeros(1000, 16)
    sparse = torch.sparse_coo_tensor(index[None], values, table.shape)
    for function, args in ((add, (table, sparse)), (scatter, (table, index, values)), (clear, (table, index))):
        works = [line.counts for line in explain(function, *args).lines]
        reads, writes = sum(each.reads for each in works), sum(each.writes for each in works)
        assert values.nbytes <= writes <= 300 and reads <= 300, function


def test_an_operation_that_borrows_only_shape_and_dtype_reads_nothing():
    def borrowed(x):
        few = x.new_full((3,), 1.0)
        alike = torch.zeros_like(x)
        return few, alike

    few, alike = (line.counts for line in explain(borrowed, torch.rand(1000)).lines[:2])
    assert (few.reads, few.writes) == (0, 12)
    assert (alike.reads, alike.writes) == (0, 4000)


@pytest.mark.slow
def test_a_line_that_runs_very_often_is_counted_in_part_and_shown_in_full(monkeypatch):
    monkeypatch.setattr(profiler, "COUNTING_S", 120)  # also on a busy machine the counts are complete
    explanation = explain(element_loop, torch.randn(640))
    assert explanation.lines[2].counts.runs == 640
    assert explanation.lines[2].counts.ops == 3200
    assert any("only some of its runs" in note for note in explanation.notes)


def train(model, optimizer, losses, x):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())


@in_one_of_three_attempts
def test_training_step_restores_model_optimizer_and_inputs():
    model, losses = Net(), [1.0]
    optimizer = torch.optim.Adam(model.parameters())
    before = {name: value.clone() for name, value in model.state_dict().items()}
    explanation = explain(train, model, optimizer, losses, torch.randn(16, 256))
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert not optimizer.state and all(parameter.grad is None for parameter in model.parameters())
    assert losses == [1.0]
    spent = {line.source: line for line in explanation.lines}
    assert spent["loss.backward()"].counts.flops
    assert spent["optimizer.step()"].counts.ops
    assert spent["losses.append(loss.item())"].reason == "syncs"


calls = []
seen = torch.zeros(3)


def changing(x):
    calls.append(float(torch.rand(1)))
    print("looked at")
    seen.add_(1)
    x += 1
    return x


def test_code_runs_as_often_as_reported_but_prints_once(capsys):
    calls.clear()
    x, state = torch.zeros(4), torch.get_rng_state()
    explanation = explain(changing, x)
    assert len(calls) == explanation.runs
    assert len(set(calls)) == 1, "each run draws the same numbers"
    assert capsys.readouterr().out == "looked at\n"
    assert not x.any() and not seen.any()
    assert torch.equal(torch.get_rng_state(), state)


def test_a_slow_call_runs_three_times(monkeypatch):
    monkeypatch.setattr(profiler, "SLOW_S", 0.01)
    explanation = explain(time.sleep, 0.02)
    assert explanation.runs == 3
    assert 0.02 <= explanation.measured_s < 2.0


def broken(x):
    y = x + 1
    return y @ torch.ones(3, 7)


def test_an_error_is_the_learners_own_with_its_line():
    with pytest.raises(RuntimeError) as raised:
        explain(broken, torch.ones(2, 2))
    frames = traceback.extract_tb(raised.value.__traceback__)
    # Python 3.10 keeps the frame that re-raises the error.
    assert [frame.name for frame in frames if frame.name != "explain"][1:] == ["broken"]
    assert frames[-1].line == "return y @ torch.ones(3, 7)"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3,), "cannot be called"),
        ((len, iter([1])), "iterated only once"),
    ],
)
def test_call_that_cannot_be_explained_is_refused(given, message):
    with pytest.raises(ExplainError, match=message):
        explain(*given)


@in_one_of_three_attempts
def test_the_lines_of_one_statement_are_one_line():
    # fmt: off
    def stacked(x):
        return torch.stack(
            [row * 2
             for row in x]
        )
    # fmt: on

    explanation = explain(stacked, torch.randn(50, 10))
    assert [line.source for line in explanation.lines if line.counts.ops] == ["return torch.stack("]
    assert explanation.costliest.counts.runs == 1


def test_a_function_of_a_library_is_one_line():
    explanation = explain(torch.relu, torch.randn(10))
    assert [(line.number, line.source) for line in explanation.lines] == [(0, "relu(…)")]
    assert explanation.lines[0].counts.ops == 1
    _, row = repr(explanation).splitlines()
    assert row.split()[0] == "1", "the first figure is the number of operations, because only lines have runs"
    assert 'title="1 operation,' in explanation_view.explanation_html(explanation)


@pytest.mark.slow
def test_compared_text_never_varies():
    explanation, again = (explain(element_loop, torch.ones(50)) for _ in range(2))
    own = [line for line in explanation.lines if line.number]
    outside = replace(own[0], number=0, counts=LineWork())  # shown only if it took a share of the time
    assert repr(replace(explanation, lines=[*own, outside])) == repr(again)


def test_the_headline_is_about_the_costliest_line():
    line = explain(element_loop, torch.ones(50)).costliest
    lines = (replace(line, number=7, seconds=0.6, floor_s=0.5), replace(line, number=8, seconds=0.4, floor_s=0.0))
    explanation = Explanation("f", 1.0, (1.0, 1.0), 0.5, lines, 3, "cpu", 1, "", "", {})
    assert explanation.headline().startswith("Line 7 takes 60")
    assert "line 8" not in explanation.headline()


def test_headline_about_a_line_at_its_limit_adds_the_most_improvable_line():
    line = explain(element_loop, torch.ones(50)).costliest
    at_the_limit = replace(line, number=7, seconds=0.6, floor_s=0.5, reason="limit")
    explanation = Explanation(
        "f", 1.0, (1.0, 1.0), 0.5, (at_the_limit, replace(line, number=8, seconds=0.4)), 3, "cpu", 1, "", "", {}
    )
    assert "line 8 takes 40" in explanation.headline()
    small = replace(line, number=8, seconds=0.04)
    assert "line 8" not in replace(explanation, lines=(at_the_limit, small)).headline()


@pytest.mark.slow
def test_plain_data_holds_the_headline_and_every_line():
    explanation = explain(element_loop, torch.ones(50))
    data = json.loads(json.dumps(explanation.to_dict()))
    assert data["headline"] == explanation.headline()
    assert [line["counts"]["ops"] for line in data["lines"]] == [line.counts.ops for line in explanation.lines]


def test_page_shows_every_line_and_describes_its_bar():
    explanation = explain(element_loop, torch.randn(50))
    page = explanation_view.explanation_html(explanation)
    assert "<script" not in page and "for i in range(len(x)):" in page
    assert page.count('role="img"') == len(explanation.lines)
    assert with_code(explanation.headline()) in page and f"ran {explanation.runs} times" in page


@pytest.mark.slow
@pytest.mark.parametrize("mixes", [(), ("add", "copy", "write")])
def test_floors_are_uncertain_only_if_a_line_uses_an_uncertain_limit(monkeypatch, mixes):
    unused = ("matmul bfloat16", "launch update torch")
    used = [f"{mix} {size}" for mix in mixes for size, _ in PEAKS.bandwidths[mix]]
    peaks = replace(PEAKS, uncertain=(*unused, *used))
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: peaks)
    monkeypatch.setitem(explain.__globals__, "remeasure_limits", lambda profile, peaks, clock: peaks)
    notes = explain(plus_one, torch.ones(2**20)).notes
    assert any("floors are uncertain" in note for note in notes) == bool(mixes)


@pytest.mark.slow
def test_explanation_without_known_limits_has_no_floors(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: None)
    monkeypatch.setattr(limits, "ensure_peaks", lambda device, threads: None)
    explanation = explain(element_loop, torch.randn(50))
    assert all(math.isnan(each.floor_s) for each in (explanation, *explanation.lines))
    page = explanation_view.explanation_html(explanation)
    assert "are not known" in page
    assert "and the floor" not in page
    assert not re.search(r"\bnan\b|\b0\.0\sns", f"{page}{explanation}")


@pytest.mark.slow
def test_floor_of_a_call_is_at_most_its_time_even_if_a_limit_is_too_low(monkeypatch):
    peaks = replace(PEAKS, matmul={"float32": 1e3})
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: peaks)
    monkeypatch.setitem(explain.__globals__, "remeasure_limits", lambda profile, peaks, clock: peaks)
    explanation = explain(torch.matmul, torch.ones(64, 64), torch.ones(64, 64))
    assert explanation.floor_s <= explanation.measured_s


def repeated(x, times):
    for _ in range(times):
        x = x * 1.5
    return x


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 10, 100, 1000])
def test_lines_add_up_to_the_plain_call_and_none_is_below_its_floor(times):
    explanation = explain(repeated, torch.ones(64), times)
    assert sum(line.seconds for line in explanation.lines) == pytest.approx(explanation.measured_s, rel=0.15)
    assert all(line.floor_s <= line.seconds for line in explanation.lines), explanation
    low, high = explanation.quartiles_s
    assert low <= explanation.measured_s <= high


def test_far_quartiles_show_as_an_approximate_time_with_its_spread():
    explanation = explain(repeated, torch.ones(8), 3)
    busy = replace(explanation, measured_s=0.03, quartiles_s=(0.023, 0.086))
    assert "≈ 30.0 ms (half of the calls took 23.0 ms to 86.0 ms)" in busy.title
    assert "≈" not in replace(busy, quartiles_s=(0.029, 0.031)).title


def test_a_comprehension_belongs_to_its_statement_and_a_generator_to_the_statement_that_it_was_written_in():
    assert any(is_inline(sys._getframe()) for _ in range(1))
    assert sorted([1, 2], key=lambda number: -number * is_inline(sys._getframe())) == [2, 1]
    elsewhere = (is_inline(sys._getframe()) for _ in range(1))
    assert not next(elsewhere)
    assert not is_inline(sys._getframe())


def parse(lines):
    table = []
    for line in lines:
        values = [float(field) for field in line.split(",")]  # costliest
        table.append(len(values))
    return table


@in_one_of_three_attempts
def test_the_iterations_of_a_comprehension_are_time_of_its_line():
    explanation = explain(parse, [",".join(str(0.5 * number) for number in range(100))] * 50)
    assert explanation.costliest.source.endswith("# costliest"), explanation
    assert explanation.costliest.seconds > 0.8 * explanation.measured_s, explanation
