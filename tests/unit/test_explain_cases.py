"""`explain` names the right line and a reason that holds, on code that experts and learners gave it."""

import itertools
import linecache
import math
import mmap
import timeit
from dataclasses import replace

import pytest
import torch
from load_tolerance import in_one_of_three_attempts
from sample_limits import PEAKS
from torch import nn
from torch.nn import functional

from course_utils import explain, limits
from course_utils.counting.user_code import UserCode
from course_utils.explaining import profiler
from course_utils.explaining.reachable_state import ReachableState
from course_utils.frameworks import across_frameworks
from course_utils.ui import explanation_view


@pytest.fixture(autouse=True)
def known_limits(monkeypatch):
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: PEAKS)
    monkeypatch.setattr(profiler, "BUDGET_S", 0.2)


def line_of(explanation, text):
    """Return the only line whose source contains ``text``."""
    (line,) = (line for line in explanation.lines if text in line.source)
    return line


def collate(samples):
    rows = []
    for sample in samples:
        rows.append(torch.tensor(sample))
    return torch.stack(rows)


@in_one_of_three_attempts
def test_lists_that_become_tensors_are_pythons_work():
    explanation = explain(collate, [[0.5] * 256 for _ in range(100)])
    assert "torch.tensor(sample)" in explanation.costliest.source
    assert explanation.costliest.reason == "python", explanation
    assert "list" in explanation.costliest.finding and "start here" in explanation.costliest.lesson


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            *(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 5, padding=2), nn.ReLU()),
            *(nn.MaxPool2d(2), nn.Flatten(), nn.LazyLinear(10)),
        )

    def forward(self, x):
        return self.net(x)


def training_step(model, optimizer, x, labels):
    optimizer.zero_grad()
    loss = functional.cross_entropy(model(x), labels)
    loss.backward()
    optimizer.step()


@in_one_of_three_attempts
def test_a_backward_pass_of_convolutions_is_not_explained_by_its_new_memory():
    model, x = Pooled(), torch.randn(16, 3, 32, 32)
    model(x)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    explanation = explain(training_step, model, optimizer, x, torch.randint(10, (16,)))
    # The reason depends on the machine.
    assert line_of(explanation, "loss.backward()").reason in ("compute", "limit", "unknown"), explanation
    assert line_of(explanation, "zero_grad()").reason == "python", explanation


def encode(layer, x):
    with torch.inference_mode():
        return layer(x)


def test_a_product_in_inference_mode_has_its_flops():
    line = line_of(explain(encode, nn.Linear(256, 512), torch.randn(64, 256)), "return layer(x)")
    assert line.counts.flops == 2 * 64 * 256 * 512, line


def step(optimizer):
    optimizer.step()


@pytest.mark.parametrize("kind", [torch.optim.Adam, torch.optim.AdamW])
@in_one_of_three_attempts
def test_only_an_unfused_optimizer_gets_the_advice_to_fuse(kind):
    layer = nn.Linear(512, 512)
    for parameter in layer.parameters():
        parameter.grad = torch.ones_like(parameter)
    assert "`fused=True`" in explain(step, kind(layer.parameters())).headline()
    assert "`fused=True`" not in explain(step, kind(layer.parameters(), fused=True)).headline()


def means_of_classes(values, labels, classes):
    means = []
    for each in range(classes):
        means.append(values[labels == each].mean(0))
    return torch.stack(means)


def unions(predicted, labels, classes):
    sizes = []
    for each in range(classes):
        union = ((predicted == each) | (labels == each)).sum()
        sizes.append(union)
    return torch.stack(sizes)


@pytest.mark.parametrize(
    ("function", "first"),
    [(means_of_classes, torch.randn(200_000, 8)), (unions, torch.randint(20, (200_000,)))],
)
@in_one_of_three_attempts
def test_a_loop_over_classes_gets_the_group_by_as_its_remedy(function, first):
    line = explain(function, first, torch.randint(20, (200_000,)), 20).costliest
    assert line.reason == "traffic" and "Group in one pass" in line.advice, line
    assert line.lesson.startswith("06")


def grow_cells(board, steps):
    for _ in range(steps):
        neighbors = board.roll(1, 0) + board.roll(-1, 0)
        board = ((neighbors == 2) | (board == 1) & (neighbors == 1)).to(torch.uint8)
    return board


@pytest.mark.slow
def test_a_loop_that_compares_another_tensor_in_each_iteration_groups_nothing():
    explanation = explain(grow_cells, torch.ones(300, 300, dtype=torch.uint8), 10)
    line = line_of(explanation, "neighbors == 2")
    assert line.counts.runs == 10 and line.counts.reread_bytes == 0 and "earlier iterations" not in line.finding, line


def means_by_masks(values, labels, classes):
    means = []
    for each in range(classes):
        mask = labels == each
        members = values[mask]
        means.append(members.mean(0))
    return torch.stack(means)


@in_one_of_three_attempts
def test_a_selection_by_a_mask_on_a_cpu_computes_and_does_not_wait():
    explanation = explain(means_by_masks, torch.randn(200_000, 2), torch.randint(20, (200_000,)), 20)
    line = line_of(explanation, "values[mask]")
    assert line.reason == "compute" and "group in one pass" in line.advice, line


class NewOnes(nn.Module):
    def forward(self, x):
        return x.new_ones(10_000_000)


@in_one_of_three_attempts
def test_new_pages_of_a_module_are_allocation_and_not_traffic():
    explanation = explain(nn.Sequential(NewOnes()), torch.ones(1))
    assert explanation.costliest.reason == "allocation", explanation
    assert {module.reason for module in explanation.modules} == {"allocation"}, explanation


def overlap_add(spectrum, window):
    return torch.istft(spectrum, 1024, 256, window=window)


@in_one_of_three_attempts
def test_a_sum_of_overlapping_windows_computes_and_does_not_only_move_bytes():
    line = explain(overlap_add, torch.rand(513, 250) + 0j, torch.hann_window(1024)).costliest
    assert "unfold_backward" in line.counts.operation_seconds and line.reason in ("compute", "unknown"), line


def attention(query, key, value):
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, -1)
    return weights @ value


def classify(x, weights):
    return torch.softmax(x @ weights, -1)


@in_one_of_three_attempts
def test_remedy_for_written_out_attention_is_the_fused_operation():
    explanation = explain(attention, *torch.randn(3, 4, 8, 256, 32))
    advised = [line for line in explanation.lines if line.number and line.reason != "limit"]
    assert advised and all("scaled_dot_product_attention" in line.advice for line in advised), explanation
    assert "scaled_dot_product" not in explain(classify, torch.randn(4096, 64), torch.randn(64, 100)).headline()


def choose_actions(policy, value, optimizer, states):
    chances = torch.softmax(policy(states), -1)
    values = value(states)
    entropy = -(chances * chances.log()).sum(-1)
    loss = values.mean() - entropy.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


@pytest.mark.slow
def test_attention_needs_a_product_that_reads_the_softmax():
    policy, value = nn.Linear(256, 256), nn.Linear(256, 1)
    optimizer = torch.optim.SGD([*policy.parameters(), *value.parameters()], 0.1)
    explanation = explain(choose_actions, policy, value, optimizer, torch.randn(1024, 256))
    assert not any("attention" in line.advice for line in explanation.lines), explanation


def attention_with_dropout(query, key, value):
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    weights = torch.dropout(torch.softmax(scores, -1), 0.1, True)
    return weights @ value


@in_one_of_three_attempts
def test_remedy_for_attention_says_that_dropout_stores_the_scores_on_a_cpu():
    explanation = explain(attention_with_dropout, *torch.randn(3, 4, 8, 256, 32))
    assert "also stores the table of scores on a CPU" in explanation.costliest.advice, explanation


def argmax(scores):
    return scores.argmax(1)


@in_one_of_three_attempts
def test_remedy_for_argmax_is_not_a_shorter_dtype():
    line = explain(argmax, torch.randn(4, 19, 64, 64)).costliest
    assert line.reason == "compute" and "argmax" in line.finding
    assert "dtype" not in line.advice and "x.max(dim).indices" in line.advice


def allocate(x):
    return [torch.empty(100_000) for _ in range(10)]


def copy(x):
    return x.clone()


def make_zeros(x):
    return torch.zeros_like(x)


def write_slice(x):
    x[:, :500] = 1.0


@pytest.mark.parametrize("function", [allocate, copy, make_zeros, write_slice])
@in_one_of_three_attempts
def test_code_that_only_moves_or_allocates_never_computes(function):
    explanation = explain(function, torch.randn(2000, 1000))
    assert {line.reason for line in explanation.lines} <= {"launches", "allocation", "traffic", "limit", "python"}, (
        explanation
    )


def summed(x):
    total = 0
    # fmt: off
    for row in x.unbind(0): total = total + row.lgamma().sum()
    # fmt: on
    return total


@in_one_of_three_attempts
def test_the_headline_of_a_compound_statement_is_about_that_statement():
    explanation = explain(summed, torch.randn(50, 20_000))
    assert explanation.costliest.source.startswith("for row in")
    assert explanation.headline().startswith(f"Line {explanation.costliest.number} takes")
    assert "lgamma" in explanation.headline()


CELLS = {
    "<cell one>": "def scaled(x):\n    y = x * 2\n    return y + 1\n",
    "<cell two>": "def scaled(x):\n    y = x * 3\n    return first(y)\n",
}


def test_two_cells_in_one_table_stay_apart(monkeypatch):
    functions = []
    for name, source in CELLS.items():
        monkeypatch.setitem(linecache.cache, name, (len(source), None, source.splitlines(keepends=True), name))
        scope = {"first": functions[0] if functions else None}
        exec(compile(source, name, "exec"), scope)  # noqa: S102
        functions.append(scope["scaled"])
    explanation = explain(functions[1], torch.ones(1000))
    assert [(heading, [line.source for line in lines]) for heading, lines in explanation.groups()][:2] == [
        ("scaled (cell 1 of 2)", ["y = x * 2", "return y + 1"]),
        ("scaled (cell 2 of 2)", ["y = x * 3", "return first(y)"]),
    ]
    assert "of `scaled (cell" in explanation.headline() or explanation.headline().startswith("The call itself")


def without_gradients(model, x):
    with torch.no_grad():
        return model(x)


def test_a_context_manager_and_its_only_statement_are_two_lines():
    explanation = explain(without_gradients, nn.Linear(8, 8), torch.ones(4, 8))
    assert [line.source for line in explanation.lines if line.number] == ["with torch.no_grad():", "return model(x)"]


def filtered(x, weight):
    return functional.conv2d(x, weight)


@in_one_of_three_attempts
def test_a_convolution_gets_the_layout_as_its_remedy():
    line = line_of(explain(filtered, torch.randn(4, 16, 32, 32), torch.randn(32, 16, 5, 5)), "conv2d")
    assert "`x.to(…)` and `model.to(…)`" in line.advice and "dtype" not in line.advice, (
        "either alone copies in each call"
    )


def many_lines():
    body = "".join(f"    x{index + 1} = x{index} * 2\n" for index in range(60))
    return f"def doubled(x0):\n    y = x0.sort()\n{body}    return y, x60\n"


def test_lines_that_take_next_to_nothing_share_a_row_in_a_long_table(monkeypatch):
    source, scope = many_lines(), {}
    monkeypatch.setitem(linecache.cache, "<long>", (len(source), None, source.splitlines(keepends=True), "<long>"))
    exec(compile(source, "<long>", "exec"), scope)  # noqa: S102
    explanation = explain(scope["doubled"], torch.ones(3))
    small = [replace(line, seconds=0.001 * explanation.measured_s) for line in explanation.lines[1:]]
    long = replace(explanation, lines=(explanation.lines[0], *small))
    for text in (str(long), explanation_view.explanation_html(long)):
        assert f"{len(small)} other lines" in text and "x7 = x6 * 2" not in text
    assert "x7 = x6 * 2" in repr(long), "the counts show every line"
    assert "other lines" not in str(replace(explanation, lines=explanation.lines[:5]))


@in_one_of_three_attempts
def test_lines_are_grouped_under_the_names_of_their_functions():
    model, x = Pooled(), torch.randn(2, 3, 8, 8)
    model(x)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    explanation = explain(training_step, model, optimizer, x, torch.randint(10, (2,)))
    headings = [heading for heading, _ in explanation.groups() if heading != "outside all lines"]
    assert headings == ["Pooled.forward", "training_step"]
    assert "of `" in explanation.headline()


def train_once(model, optimizer, x):
    optimizer.zero_grad()
    (model[1](model[0](x)) - 1).square().sum().backward()
    optimizer.step()


def test_training_starts_each_run_after_the_first_step():
    model, x = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1)), torch.ones(8, 4)
    nn.init.zeros_(model[1].weight)  # The first gradient of the other layer is zero.
    optimizer = torch.optim.Adam(model.parameters())
    state = ReachableState(UserCode(train_once), train_once, (model, optimizer, x))
    starts = [model[1].weight.detach().clone()]
    for _ in range(3):
        train_once(model, optimizer, x)
        state.restore()
        starts.append(model[1].weight.detach().clone())
    first, second, *others = starts
    assert second.any() and all(torch.equal(second, each) for each in others), "training goes on from the first step"
    state.restore_original()
    assert torch.equal(model[1].weight, first) and not optimizer.state


new_memory = itertools.cycle((True, True, True, True, False))


def fill(kept):
    target = torch.frombuffer(mmap.mmap(-1, len(kept)), dtype=torch.uint8) if next(new_memory) else kept
    target.fill_(1)
    kept[0] = 1


@pytest.mark.slow
def test_new_pages_that_some_calls_do_without_are_no_reason():
    line = line_of(explain(fill, torch.zeros(2**22, dtype=torch.uint8)), "fill_(1)")
    assert line.reason != "allocation" and line.counts.page_faults < 100


def many_steps(x):
    for _ in range(3000):
        x = x + 1
    y = x.sin()
    return sorted(range(100_000)), y


@in_one_of_three_attempts
def test_what_counting_did_not_reach_is_unknown_and_no_exact_count(monkeypatch):
    monkeypatch.setattr(profiler, "COUNTING_S", 0.05)
    monkeypatch.setattr(profiler, "COUNTING_TIMES", 0)
    explanation = explain(many_steps, torch.ones(3))
    first = line_of(explanation, "x = x + 1")
    assert (first.reason, first.counts.runs) == ("launches", 3000) and " calls about " in explanation.headline()
    last = line_of(explanation, "return sorted")
    assert (last.reason, last.counts.is_cut_short) == ("unknown", True)
    assert "≥ 0" in repr(explanation) and "was stopped" in str(explanation)


def clip(model):
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)


@in_one_of_three_attempts
def test_clipping_gradients_on_their_own_device_transfers_nothing():
    model = nn.Sequential(*(nn.Conv2d(24, 24, 1) for _ in range(16)))
    for parameter in model.parameters():
        parameter.grad = torch.randn_like(parameter)
    for _ in range(3):
        line = line_of(explain(clip, model), "clip_grad_norm_")
        assert line.counts.transfers > line.counts.launches and line.reason != "transfers", line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("convolution", "channel_pairs"),
    [
        (nn.Conv2d(32, 32, 3, padding=1, groups=32), 32),
        (nn.Conv2d(32, 64, 3, padding=1, groups=4), 64 * 8),
        (nn.ConvTranspose2d(32, 64, 3, padding=1, groups=4), 32 * 16),
    ],
)
def test_the_gradients_of_a_grouped_convolution_multiply_twice_as_often_as_its_result(convolution, channel_pairs):
    values = torch.randn(4, 32, 32, 32, requires_grad=True)

    def backward():
        result = convolution(values).sum()
        result.backward()

    explanation = explain(backward)
    # At each border, one of the kernel's three values is in the padding.
    flops = 2 * channel_pairs * 4 * (3 * 32 - 2) ** 2
    assert line_of(explanation, "convolution(values)").counts.flops == flops, explanation
    assert line_of(explanation, "result.backward()").counts.flops == 2 * flops, explanation


def causal_attention(query, key, value):
    return functional.scaled_dot_product_attention(query, key, value, is_causal=True)


def full_attention(query, key, value):
    return functional.scaled_dot_product_attention(query, key, value)


@pytest.mark.slow
def test_causal_attention_needs_only_the_keys_up_to_each_query():
    inputs = [torch.randn(2, 4, 256, 32) for _ in range(3)]
    causal, full = explain(causal_attention, *inputs), explain(full_attention, *inputs)
    assert full.costliest.counts.flops == 2 * 2 * 2 * 4 * 256 * 256 * 32, full
    assert causal.costliest.counts.flops == full.costliest.counts.flops * 257 // 512, causal


@in_one_of_three_attempts
def test_fused_attention_on_a_cpu_gets_no_advice_to_shorten_its_dtype(monkeypatch):
    query, key, value = (torch.randn(2, 4, 512, 64) for _ in range(3))
    flops = 4 * 2 * 4 * 512 * 512 * 64
    with across_frameworks.threads(1):
        fastest_s = min(timeit.repeat(lambda: full_attention(query, key, value), number=1, repeat=15))
    peaks = replace(PEAKS, matmul={"float32": 2 * flops / fastest_s, "bfloat16": 1e15})
    monkeypatch.setattr(limits, "load_peaks", lambda device, threads: peaks)
    explanation = explain(full_attention, query, key, value)
    assert explanation.costliest.reason in ("compute", "limit"), explanation
    assert "bfloat16" not in str(explanation), explanation


def widely_dilated(images, kernel):
    return functional.conv2d(images, kernel, padding=24, dilation=24)


def test_a_dilated_convolution_needs_no_product_with_its_padding():
    explanation = explain(widely_dilated, torch.randn(1, 32, 33, 33), torch.randn(32, 32, 3, 3))
    assert explanation.costliest.counts.flops == 2 * 32 * 32 * (33 + 2 * 9) ** 2, explanation


def with_python(x):
    return x + sum(i % 7 for i in range(100_000))


@in_one_of_three_attempts
def test_time_outside_operations_may_also_release_memory():
    line = explain(with_python, torch.zeros(3)).costliest
    assert (line.reason, "the release of memory" in line.finding) == ("python", True), line
