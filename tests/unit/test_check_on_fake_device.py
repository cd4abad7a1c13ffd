"""An answer that would break on an accelerator is refused on a machine without one, and no other answer is."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from packaging.version import Version

torch = pytest.importorskip("torch")

from sample_task import ROW_SUMS
from torch._subclasses.fake_tensor import FakeTensorMode

from course_utils.counting import count
from course_utils.judging import TaskFailed, judge
from course_utils.judging.answer import Answer
from course_utils.judging.check_on_fake_device import check_device
from course_utils.judging.fake_device import DeviceTracker, follow
from course_utils.tasks.at_most import at_most

X = torch.arange(1.0, 7.0).reshape(2, 3)
TASK = replace(ROW_SUMS, slow=lambda x: x * 2, limits=(), target=None, edge_cases=(), mistakes=())
CONSTANT = torch.arange(3.0)
LAYER = torch.nn.Linear(3, 3)


def refusal(answer, task=TASK, inputs=(X,)):
    """Return the message about ``answer``, None if it passes."""
    try:
        check_device(task, Answer(answer, task), inputs)
    except TaskFailed as failed:
        return str(failed)
    return None


@pytest.mark.parametrize(
    ("maker", "answer"),
    [
        ("zeros", lambda x: x + torch.zeros(3)),
        ("asarray", lambda x: x + torch.asarray([1.0, 2.0, 3.0])),
        ("asarray", lambda x: x + torch.asarray(np.ones(3, np.float32))),
        ("as_tensor", lambda x: x + torch.as_tensor(np.ones(3, np.float32))),
        ("hann_window", lambda x: x * torch.hann_window(3)),
        ("normal", lambda x: x + torch.normal(0.0, 1.0, (3,))),
        ("eye", lambda x: x @ torch.eye(3)),
        ("scalar_tensor", lambda x: torch.scalar_tensor(1.0)),
        ("tensor", lambda x: torch.tensor(x.tolist())),
        ("arange", lambda x: x * (torch.arange(3) % 2).sqrt()),
        ("arange", lambda x: torch.meshgrid(torch.arange(3.0), x[0], indexing="ij")[1]),
        ("zeros", lambda x: torch.vmap(lambda row: row + torch.zeros(3))(x)),
        ("ones", lambda x: torch.nn.functional.conv1d(x[None], torch.ones(1, 2, 2))),
        ("ones", lambda x: x.clone().index_put_((torch.tensor([0]),), torch.ones(3))),
        ("empty", lambda x: torch.add(x, 1, out=torch.empty(2, 3))),
        ("zeros", lambda x: x.gather(1, torch.zeros(2, 1, dtype=torch.long))),
        ("tensor", lambda x: torch.stack([torch.tensor(0.0), x[0, 0]])),
        ("tensor", lambda x: x - torch.tensor(0.0).add_(x[0, 0])),
    ],
)
def test_tensor_without_a_device_is_refused_with_its_function(maker, answer):
    assert refusal(answer) == (
        f"row_sums creates a tensor with torch.{maker}(…) without a device: on a GPU it is left on the host. Pass the "
        "inputs' device, as in device=x.device."
    )


def test_refused_tensor_without_a_device_gets_the_device_of_the_first_tensor_argument():
    task = replace(TASK, slow=lambda rows, prices: prices * 2)
    text = refusal(lambda rows, prices: prices + torch.zeros(3), task, (2, X))
    assert text.endswith("as in device=prices.device.")


def test_refused_tensor_without_a_device_gets_the_device_of_the_first_tensor_in_a_list():
    task = replace(TASK, slow=lambda rows, runs: runs[0] * 2)
    assert refusal(lambda rows, runs: runs[0] + torch.zeros(3), task, (2, [X])).endswith("as in device=runs[0].device.")


def test_list_of_values_is_reported_before_the_device_of_what_is_built_from_it():
    task = replace(TASK, limits=(at_most(0, "syncs"),))
    assert refusal(lambda x: torch.tensor(x.tolist()), task).startswith(".tolist() hands a tensor's values to Python")


def test_tensor_built_from_tensors_is_refused_for_its_waits():
    text = refusal(lambda x: torch.tensor([x[0, 0], x[0, 1]]))
    assert "torch.tensor(…) from other tensors: Python waits for the value of each" in text and "torch.stack" in text


def in_a_host_tensor(x):
    sums = torch.zeros(2)
    for row in range(2):
        sums[row] = x[row].sum()
    return sums


def one_row_after_another(x):
    if x.data_ptr() and x.max() > 1 and len(x.nonzero()) == 6 and x[x > 1].sum().item() > 1:
        return x[: int(x[0, 1])] + torch.ones(3)
    return x


@pytest.mark.parametrize("answer", [in_a_host_tensor, one_row_after_another])
def test_an_answer_that_reads_values_is_followed_to_its_end(answer):
    assert "without a device" in refusal(answer)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: x * CONSTANT,
        lambda x: LAYER(x),
        lambda x: torch.nn.Linear(3, 3)(x),
        lambda x: x + torch.from_numpy(np.ones(3, np.float32)),
        lambda x: x + torch.Tensor([1, 2, 3]),
        lambda x: x + torch.zeros(3, device="cpu"),
        lambda x: x.cpu() * x,
        lambda x: x.cpu() * 2,
    ],
)
def test_tensor_on_the_host_is_refused(answer):
    text = refusal(answer)
    assert text.startswith("row_sums works with a tensor that stays on the host wherever the inputs are")
    assert "constant.to(x.device)" in text


def with_a_default(x):
    with torch.device(x.device):
        return x + torch.zeros(3)


def turned_in_place(x):
    y = x.clone()
    y.t_().unsqueeze_(0)
    return y + torch.ones(1, 3, 2, device=x.device)


def in_threads(x):
    with ThreadPoolExecutor(2) as threads:
        return torch.stack(list(threads.map(torch.sum, x)))


def gradient(x):
    y = x.clone().requires_grad_()
    (y * y).sum().backward()
    return y.grad


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [
        lambda x: x + torch.zeros(3, device=x.device) + torch.asarray([1.0, 2.0, 3.0], device=x.device),
        lambda x: torch.zeros_like(x) + x.new_zeros(3) + x.new_tensor([1.0, 2.0, 3.0]),
        lambda x: x.new_tensor([x[0, 0], x[0, 1]]) + x[0, :2],
        lambda x: torch.tensor([x[0, 0], x[0, 1]], device=x.device),
        lambda x: torch.tensor(x.tolist(), device=x.device),
        lambda x: torch.rand(3, generator=torch.Generator(), device=x.device) + x,
        lambda x: x.cpu().mul(2).to(x.device),
        lambda x: x * CONSTANT.to(x),
        lambda x: torch.nn.Linear(3, 3).to(x.device)(x),
        lambda x: torch.where(x > 1, x, torch.tensor(0.5)) * torch.tensor(0.5),
        lambda x: x[:, torch.arange(3)] + x[torch.tensor([True, False])],
        lambda x: torch.split(x, 1)[0] + torch.vmap(lambda row: row + torch.zeros(3, device=row.device))(x),
        lambda x: torch.func.grad(lambda y: (y * y).sum())(x),
        with_a_default,
        turned_in_place,
        in_threads,
        gradient,
    ],
)
def test_code_for_an_accelerator_passes(answer):
    answer(X.clone())  # The answer is right on the host, so no test passes only because it raises.
    assert refusal(answer) is None


HOST = torch.tensor([0, 1, 0])
MEETINGS = {
    "add": lambda x, host: x + host,
    "add a number": lambda x, host: x + host[0],
    "a number and it": lambda x, host: host[0] - x,
    "its number and a vector": lambda x, host: x[0, 0] + host,
    "matmul": lambda x, host: x @ host.float(),
    "where": lambda x, host: torch.where(host > 0, x, 0.0),
    "where a number": lambda x, host: torch.where(x > 1, x, host[0].float()),
    "clamp": lambda x, host: x.clamp(min=host[0].float()),
    "cat": lambda x, host: torch.cat([x[0], host.float()]),
    "index": lambda x, host: x[:, host],
    "index of the host": lambda x, host: host[x[0].long() % 2],
    "index_select": lambda x, host: x.index_select(1, host),
    "gather": lambda x, host: x.gather(1, host[None]),
    "scatter": lambda x, host: x.scatter(1, host[None], 1.0),
    "index_add": lambda x, host: x.index_add(1, host, x),
    "index_put": lambda x, host: x.index_put((host[:2],), host.float()),
    "masked_fill": lambda x, host: x.masked_fill(host > 0, 0.0),
    "bucketize": lambda x, host: torch.bucketize(x, host.float()),
    "copy_": lambda x, host: torch.empty_like(x).copy_(host),
    "to": lambda x, host: x + host.to(x.device),
    "type_as": lambda x, host: x + host.type_as(x),
    "view_as": lambda x, host: x[0].view_as(host),
    "expand_as": lambda x, host: x[:1, 0].expand_as(host),
    "einsum": lambda x, host: torch.einsum("ij,j->i", x, host.float()),
    "the host's result": lambda x, host: host * 2,
}


@pytest.mark.parametrize("meeting", MEETINGS.values(), ids=MEETINGS)
def test_fake_device_mixes_what_torch_mixes(meeting):
    """torch's fake tensors have no values and need none here: they know which mixtures an accelerator refuses."""
    if meeting is MEETINGS["index_add"] and Version(torch.__version__) < Version("2.9"):
        pytest.skip("fake tensors of older versions accept an index on the host, which a GPU refuses")
    try:
        with FakeTensorMode(allow_non_fake_inputs=True):
            met = meeting(torch.empty(2, 3, device="meta"), torch.empty(3, dtype=torch.long))
        allowed = met.device.type == "meta"
    except RuntimeError as error:
        assert "device" in str(error).lower()
        allowed = False
    assert (refusal(lambda x: meeting(x, HOST)) is None) == allowed


def test_task_on_the_host_may_use_the_host():
    task = replace(TASK, slow=lambda x, device: x.to(device) * 2)
    assert refusal(lambda x, device: x.to(device) + x.to(device), task, (X, "cpu")) is None
    assert refusal(lambda x, device: x * 2, task, (X, "cpu")) is None


def test_the_inputs_may_be_in_lists_and_models():
    task = replace(TASK, slow=lambda models, x: [model(x) for model in models])
    inputs = [LAYER, torch.nn.Sequential(torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 1))], X
    assert refusal(task.slow, task, inputs) is None
    assert "torch.ones(…)" in refusal(lambda models, x: [model(x) * torch.ones(1) for model in models], task, inputs)


def test_operation_with_a_generator_is_not_followed():
    task = replace(TASK, slow=lambda x, generator: x)
    assert refusal(lambda x, generator: x + torch.rand(3, generator=generator), task, (X, torch.Generator())) is None


@pytest.mark.parametrize("read", [torch.Tensor.numpy, np.asarray, lambda x: x.detach().numpy()])
def test_conversion_to_numpy_fails_on_an_accelerator(read):
    through_numpy = lambda x: torch.as_tensor(read(x) * 2, device=x.device)
    assert "as a NumPy array" in refusal(through_numpy)
    assert (
        refusal(through_numpy, replace(TASK, limits=(at_most(0, "syncs"),))) is None
    )  # the step "unlooped" refuses it


def test_conversion_of_a_copy_on_the_host_to_numpy_passes():
    assert refusal(lambda x: torch.as_tensor(x.cpu().numpy() * 2, device=x.device)) is None
    assert refusal(lambda x: torch.as_tensor(x.numpy(force=True) * 2, device=x.device)) is None


def test_stray_tensor_before_a_conversion_to_numpy_is_reported():
    assert "torch.ones(…)" in refusal(lambda x: torch.from_numpy((x + torch.ones(3)).numpy()))


def test_answer_that_never_returns_is_stopped_on_the_fake_device():
    def endless(x):
        while x.device.type == "meta":
            pass
        return x * 2

    assert "was stopped: all calls" in refusal(endless, replace(TASK, timeout_s=0.3))


def test_counts_after_the_device_check_are_the_answers_own():
    cache = {}

    def answer(x):
        ones = cache.setdefault((x.device, x.shape), torch.ones(x.shape, device=x.device))
        return x + x * ones

    task = replace(TASK, limits=(at_most(3, "ops"),))
    inputs = task.inputs(task.count_sizes[0], np.random.default_rng(0))
    for _ in range(2):  # the next check must not find tensors that were cached by device
        verdict = judge(task, Answer(answer, task))
        assert verdict.right
        counted = replace(
            verdict.counts[task.count_sizes[0]], peak=0
        )  # whether the cache still has that shape depends on chance
        assert counted == replace(count(answer, *inputs)[1], peak=0)


# The last row with an even index and the last one with an odd index, as writes in the order of rows leave them.
LATER = replace(TASK, slow=lambda x: torch.stack([x[len(x) - 1 - (len(x) - 1 + k) % 2] for k in range(2)]))
ROWS = torch.arange(9.0).reshape(3, 3)


def _put(x):
    return x.new_zeros(2, x.shape[1]).index_put_((torch.arange(len(x), device=x.device) % 2,), x)


def _scatter(x):
    index = (torch.arange(len(x), device=x.device) % 2)[:, None].expand_as(x)
    return x.new_zeros(2, x.shape[1]).scatter(0, index, x)


def _in_columns(x):
    result = x.new_zeros(x.shape[1], 2)
    result[:, torch.arange(len(x), device=x.device) % 2] = x.T
    return result.T


def _to_pairs(x):
    rows, columns = torch.arange(len(x), device=x.device) % 2, torch.arange(x.shape[1], device=x.device)
    result = x.new_zeros(2, 1, x.shape[1])
    result[rows[:, None], :, columns] = x[:, :, None]
    return result[:, 0]


@pytest.mark.parametrize(
    "answer",
    [
        _put,
        _scatter,
        _in_columns,
        _to_pairs,
        lambda x: x.new_zeros(2, 3).index_copy(0, torch.arange(len(x), device=x.device) % 2, x),
    ],
)
def test_result_that_depends_on_the_order_of_writes_is_refused(answer):
    assert answer(ROWS).tolist() == LATER.slow(ROWS).tolist()
    assert refusal(answer, LATER, (ROWS,)).startswith("row_sums writes several values to one position, by scatter_")


def test_an_answer_that_sorts_and_writes_by_index_is_refused_with_both_causes():
    def answer(x):
        order = (torch.arange(len(x), device=x.device) % 2).argsort()
        result = x.new_zeros(2, x.shape[1])
        result[torch.arange(2, device=x.device)] = x[order[1:]]
        return result

    assert answer(ROWS).tolist() == LATER.slow(ROWS).tolist()
    assert "or sorts equal values, in another order" in refusal(answer, LATER, (ROWS,))


@pytest.mark.parametrize(
    ("select", "is_reversed"),
    [
        (lambda x: x.sort().indices, True),
        (lambda x: x.argsort(stable=False), True),
        (lambda x: x.argsort(stable=True), False),
        (lambda x: x.topk(2).indices, True),
        (lambda x: x.topk(2, sorted=False).indices, False),
        (lambda x: x.kthvalue(2).indices, True),
        (lambda x: x.median(0).indices, True),
        (lambda x: x.median(), False),
    ],
)
def test_an_order_is_reversed_only_if_torch_leaves_the_order_of_equal_values_open(select, is_reversed):
    tracker = DeviceTracker()
    assert follow(tracker, select, (torch.tensor([2.0, 1.0, 2.0]),)) is not None
    assert tracker.reversed_ties == is_reversed


def _rows_once(x):
    index = torch.arange(len(x), device=x.device)
    padded = x.new_zeros(len(x) + 1, x.shape[1])
    padded[torch.cat([index, index.new_full((2,), len(x))])] = torch.cat([2 * x, x[:2]])
    return padded[:-1].index_put((index,), x, accumulate=True) - x


def _by_mask(x):
    result = 2 * x
    result[x > 3] = 2 * x[x > 3]
    return result.scatter(0, index=torch.zeros_like(x[:1], dtype=torch.long), src=2 * x[:2])


def _by_lists(x):
    result = torch.zeros_like(x)
    result[[0, -1]] = 2 * x[[0, -1]]
    result[1:-1, [0, 2]] = 2 * x[1:-1][:, np.array([0, 2])]
    result[[1], [[1], [1]]] = 2 * x[[[1], [1]]] + x[[]].sum() + x[0, [[], []]].sum()
    return result


@pytest.mark.parametrize("answer", [_rows_once, _by_mask, _by_lists])
def test_order_of_writes_that_no_result_depends_on_is_accepted(answer):
    assert refusal(answer, inputs=(ROWS,)) is None
