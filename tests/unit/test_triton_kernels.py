"""Triton kernels on the host: right results, every access checked and counted, and one sentence for each mistake."""

import sys
from functools import partial

import pytest

from course_utils import count, load_triton, run_kernel
from course_utils.frameworks import triton_internals
from course_utils.races import triton_kernel_run
from course_utils.sandbox import load_triton as loading
from course_utils.sandbox.load_triton import KernelsMissing
from course_utils.sandbox.triton_kernel_memory import KernelFailed
from course_utils.tasks.call_limit import Call
from course_utils.tasks.one_kernel import OneKernel

torch = pytest.importorskip("torch")
if not triton_internals.is_usable():
    pytest.skip("Triton is not installed, or is older than the course needs", allow_module_level=True)

import sample_kernels
from sample_kernels import launch

X = torch.arange(10.0)


def test_kernel_computes_what_it_should():
    assert torch.equal(launch(sample_kernels.double_program, X), 2 * X)
    assert torch.equal(launch(sample_kernels.methods_program, X, block=16), torch.full_like(X, 4.5 + 9))


def test_work_of_a_kernel_is_counted_and_its_helpers_are_not():
    _, counts = count(launch, sample_kernels.double_program, X)
    assert (counts.kernels, counts.programs, counts.accesses, counts.loaded, counts.stored) == (1, 3, 6, 40, 40)
    assert (counts.ops, counts.syncs, counts.transfers, counts.unseen_results) == (1, 0, 0, 0)
    assert count(torch.add, X, 1)[1].kernels == 0


def test_a_limit_on_blocks_refuses_single_values():
    limit = OneKernel(lambda x: x.nbytes, "`x` once", lambda x: x.nbytes, "the result once", lambda x: x.numel())
    after = lambda block: limit.after_size(10, [Call((X,), count(launch, sample_kernels.double_program, X, block)[1])])
    assert after(16) is None
    assert "the programs run 20 loads and stores, which cover fewer than four values on average" in after(1)


@pytest.mark.parametrize("program, options, sentence", [
    ("unmasked_program", {}, "In program 2, unmasked_program stores out_ptr[10], but out_ptr has the indices 0 to 9."),
    ("runaway_program", {}, "In program 0, runaway_program loads x_ptr[-1,000], but x_ptr has the indices 0 to 9."),
    ("add_program", {}, "In program 2, add_program updates out_ptr[10], but out_ptr has the indices 0 to 9."),
    ("double_program", {"block": 5}, "The size of a block in double_program must be a power of two; got BLOCK=5."),
    ("double_program", {"programs": "x"}, "double_program[('x',)] has no grid"),
    ("faulty_program", {}, "faulty_program fails in the line `tl.store(out_ptr + tl.arange(0, BLOCK), undefined)"),
    ("unwritten_program", {}, "unwritten_program is not written yet: replace `raise NotImplementedError()`"),
])  # fmt: skip
def test_mistake_in_a_kernel_is_one_sentence(program, options, sentence):
    with pytest.raises(KernelFailed) as raised:
        launch(getattr(sample_kernels, program), X, **options)
    assert sentence in str(raised.value)
    assert torch.equal(launch(sample_kernels.double_program, X), 2 * X), "the next kernel runs as before"


@pytest.mark.parametrize("view", [slice(2, 6), slice(0, 4)])
def test_nothing_outside_of_the_storage_is_touched(view):
    storage = torch.arange(8.0)
    before, part = storage.clone(), storage[view]
    with pytest.raises(KernelFailed):
        sample_kernels.unmasked_program[(3,)](X, part, 8, BLOCK=4)
    expected = before.clone()
    expected[view.start : view.start + 4] = X[:4]
    if view.start == 0:  # the second block is inside of the storage, although it is outside of the view
        expected[4:8] = X[4:8]
    assert torch.equal(storage, expected)


def test_a_masked_value_of_a_load_without_other_is_nan():
    x = torch.arange(8.0)
    assert torch.equal(launch(sample_kernels.sum_program, x), torch.tensor([6.0] * 4 + [22.0] * 4))
    assert launch(sample_kernels.sum_program, x[:6])[4:].isnan().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_a_masked_value_of_each_floating_dtype_is_nan(dtype):
    out = torch.zeros(8, dtype=dtype)
    sample_kernels.unmasked_program[(2,)](torch.ones(6, dtype=dtype), out, 6, BLOCK=4)
    assert out.isnan().tolist() == [False] * 6 + [True] * 2


def test_tensors_that_share_memory_are_translated_to_it():
    x = torch.arange(10.0)
    sample_kernels.double_program[(3,)](x, x, 10, BLOCK=4)
    assert torch.equal(x, 2 * X)


@pytest.mark.parametrize("mistake, sentence", [
    (lambda tl: tl.arange(0, 4), "tl.arange works only inside a kernel"),
    (lambda tl: tl.load(X), "tl.load works only inside a kernel"),
    (lambda tl: sample_kernels.double_program(X, X, 10, BLOCK=4), "launch it on a grid of programs"),
    (lambda tl: sample_kernels.double_program[4](X, X, 10, BLOCK=4), "double_program[4] has no grid"),
    (lambda tl: sample_kernels.double_program[(4,)](X, X, BLOCK=4), "missing 1 required positional argument: 'n'"),
    (lambda tl: sample_kernels.double_program[(3,)](X.bfloat16(), X.bfloat16(), 10, BLOCK=4), "cannot combine bfloat16"),
    (lambda tl: sample_kernels.double_program[(3,)](X.to("meta"), X, 10, BLOCK=4), "hold no values"),
])  # fmt: skip
def test_misuse_of_triton_is_one_sentence(mistake, sentence):
    _, tl = load_triton()
    with pytest.raises(KernelFailed, match=sentence.replace("[", r"\[").replace("(", r"\(")):
        mistake(tl)


def test_run_kernel_compares_counts_and_records(tmp_path, monkeypatch):
    monkeypatch.setenv(triton_kernel_run.RECORDING_VARIABLE, str(tmp_path / "recorded.json"))
    monkeypatch.setattr(triton_kernel_run, "RECORDED", tmp_path / "recorded.json")
    double, half = partial(launch, sample_kernels.double_program), partial(launch, sample_kernels.unmasked_program)
    run = run_kernel("right", double, X, like=torch.Tensor.double)
    assert repr(run).startswith("differs from double: ")
    assert "program 2" in repr(run_kernel("stopped", half, X)) and run_kernel("stopped", half, X).kernels == 0
    monkeypatch.setattr(triton_internals, "version", lambda: None)
    recorded = run_kernel("right", double, X)
    assert recorded.loaded == run.loaded == 40
    assert repr(recorded).startswith("Recorded on another machine, because no kernel runs here:\n")
    with pytest.raises(KernelsMissing, match="not installed"):
        run_kernel("unknown", double, X)


@pytest.mark.parametrize("system, remedy", [
    ("Linux", "pip install triton"), ("Darwin", "Binder or Colab"), ("Windows", "no Triton for Windows"),
])  # fmt: skip
def test_without_triton_kernels_can_be_defined_but_not_launched(system, remedy, monkeypatch, capsys):
    monkeypatch.setattr(triton_internals, "version", lambda: None)
    monkeypatch.setattr(loading.platform, "system", lambda: system)
    triton, tl = load_triton()
    assert remedy in capsys.readouterr().out
    assert not triton and triton.cdiv(10, 4) == 3 and triton.next_power_of_2(5) == 8

    @triton.jit
    def program(x_ptr, BLOCK: tl.constexpr):
        tl.store(x_ptr, 0)

    for attempt in (lambda: program[(1,)](X), lambda: tl.arange(0, 4)):
        with pytest.raises(KernelsMissing, match="Triton is not installed here"):
            attempt()


def test_old_triton_and_triton_after_tensorflow_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(triton_internals, "version", lambda: "3.2.0")
    with pytest.raises(KernelsMissing, match="Triton 3.6 or newer, and this is 3.2.0"):
        loading.require_triton()
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "tensorflow", sys)
    monkeypatch.delitem(sys.modules, "triton")
    with pytest.raises(KernelsMissing, match="Restart the kernel"):
        loading.require_triton()
