"""Every framework implements ``Framework``, and none is imported unless the learner imports it."""

import inspect
import subprocess
import sys

import numpy as np
import pytest

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.framework_interface import Framework
from course_utils.frameworks.tree_comparison import first_difference

torch = pytest.importorskip("torch")

TORCH, NO_FRAMEWORK = frameworks.by_name("torch"), frameworks.by_name("none")
METHODS = [name for name, _ in inspect.getmembers(Framework, inspect.isfunction) if not name.startswith("_")]


@pytest.mark.parametrize("framework", [*frameworks.ALL, frameworks.NO_FRAMEWORK], ids=lambda framework: framework.name)
def test_each_framework_implements_every_method(framework):
    assert len(METHODS) > 25
    for name in METHODS:
        expected = list(inspect.signature(getattr(Framework, name)).parameters)
        own = list(inspect.signature(getattr(type(framework), name)).parameters)
        assert own == expected, f"{framework.name}.{name} takes {own} instead of {expected}"
    assert framework.title and frameworks.by_name(framework.name) is framework


def test_incomplete_framework_cannot_be_created():
    incomplete = type("Incomplete", (type(NO_FRAMEWORK),), {"seed": Framework.seed})
    with pytest.raises(TypeError, match="abstract method '?seed"):
        incomplete()


def test_value_belongs_to_the_framework_of_its_class():
    assert frameworks.of(torch.ones(1)) is TORCH
    assert frameworks.of(torch.nn.Parameter(torch.ones(1))) is TORCH
    assert frameworks.of(type("Own", (torch.nn.Module,), {})()) is TORCH
    assert frameworks.of(np.ones(1)) is NO_FRAMEWORK
    assert frameworks.of("torch") is NO_FRAMEWORK


@pytest.mark.slow
def test_only_imported_frameworks_are_loaded():
    script = (
        "import sys; from course_utils import frameworks; before = frameworks.loaded(); import torch; "
        "print(before, [each.name for each in frameworks.loaded()], 'tensorflow' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "() ['torch'] False\n"


def test_unknown_framework_name_is_refused():
    with pytest.raises(KeyError):
        frameworks.by_name("jax")


@pytest.mark.slow
def test_framework_that_is_not_loaded_reports_version_and_memory_errors():
    script = (
        "import sys; from course_utils import frameworks; frameworks.installed_versions(); "
        "print([each.is_out_of_memory(MemoryError()) for each in (frameworks.NO_FRAMEWORK, *frameworks.ALL)],"
        " {'torch', 'tensorflow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[True, False, False] set()\n"


class TestTorch:
    def test_distinguishes_tensors_modules_and_generators(self):
        for value, kinds in [
            (torch.ones(1), (True, False, False)),
            (torch.nn.Linear(1, 1), (False, True, False)),
            (torch.Generator(), (False, False, True)),
            (torch.float32, (False, False, False)),
        ]:
            assert (TORCH.is_tensor(value), TORCH.is_module(value), TORCH.is_generator(value)) == kinds

    def test_explains_why_a_tensor_is_unsupported(self):
        assert TORCH.why_unsupported(torch.ones(2), "a torch tensor") is None
        assert TORCH.why_unsupported(torch.ones(2).to_sparse(), "a torch tensor").startswith(
            "a torch.sparse_coo tensor"
        )
        parameter = torch.nn.Parameter(torch.ones(2))
        assert TORCH.why_unsupported(parameter, "a torch tensor") == "a torch Parameter; expected a plain torch tensor"
        inside = []
        torch.func.vmap(lambda x: (inside.append(TORCH.why_unsupported(x, "a torch tensor")), x)[1])(torch.ones(2))
        assert "torch.func transformation" in inside[0]

    def test_meta_tensor_has_no_values(self):
        assert TORCH.has_no_values(torch.ones(2, device="meta")) and not TORCH.has_no_values(torch.ones(2))

    def test_bfloat16_becomes_a_float32_array(self):
        values = TORCH.to_numpy(torch.tensor([1.5, 2.0], dtype=torch.bfloat16, requires_grad=True))
        assert values.dtype == np.float32 and values.tolist() == [1.5, 2.0]

    def test_upcasts_copies_of_tensors_and_modules_only(self):
        layer, integers = torch.nn.Linear(2, 1), torch.arange(3)
        upcast = tensor_trees.upcast({"layer": layer, "x": [torch.ones(2, dtype=torch.complex64)], "n": integers})
        assert upcast["layer"].weight.dtype == torch.float64 and layer.weight.dtype == torch.float32
        assert upcast["x"][0].dtype == torch.complex128 and upcast["n"].dtype == torch.int64

    def test_cloned_generator_draws_the_same_numbers(self):
        generator = torch.Generator().manual_seed(5)
        (clone,) = tensor_trees.copy_inputs((generator,))
        assert torch.equal(torch.rand(4, generator=clone), torch.rand(4, generator=generator))

    def test_recognizes_shared_memory(self):
        x = torch.zeros(4)
        assert tensor_trees.shares_memory(x, x[1:]) and not tensor_trees.shares_memory(x, x.clone())

    def test_overwrites_tensors_and_modules_of_equal_layout(self):
        x = torch.zeros(4)
        assert tensor_trees.overwrite((x, 1), (torch.ones(4), 2)) == (x, 2) and x.sum() == 4
        assert tensor_trees.overwrite(x, torch.ones(5)) is not x
        layer, other = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
        assert tensor_trees.overwrite(layer, other) is layer and torch.equal(layer.weight, other.weight)

    def test_change_between_the_strides_is_seen(self):
        x = torch.zeros(4)
        before = tensor_trees.copy_inputs((x[::2],))[0]
        after = tensor_trees.copy_inputs((x[::2],))[0]
        assert not tensor_trees.has_changed(before, after)
        after.untyped_storage()[4] = 1
        assert torch.equal(before, after) and tensor_trees.has_changed(before, after)

    def test_gradient_is_of_a_weighted_sum_and_none_without_a_graph(self):
        x, unused = torch.tensor([1.0, 2.0]), torch.ones(2)
        gradients = TORCH.gradients(lambda a, b, n: [a * n], (x, unused, 3), seed=4)
        weights = torch.from_numpy(TORCH.random_weights([x], 4)[0]).float()
        assert torch.allclose(gradients[0], 3 * weights) and gradients[1] is None and gradients[2] is None
        assert TORCH.gradients(lambda a: [a.detach()], (x,), seed=4) == [None]

    def test_restores_generators_and_settings(self):
        restore, threads = TORCH.snapshot_state(), torch.get_num_threads()
        first = torch.rand(3)
        torch.manual_seed(torch.initial_seed() ^ 1)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.set_num_threads(threads + 1)
        torch.set_float32_matmul_precision("medium")
        torch.autograd.set_detect_anomaly(True)
        torch.use_deterministic_algorithms(True)
        torch.set_flush_denormal(True)
        torch.set_default_device("meta")
        changed = restore()
        assert changed.keys() >= {
            "torch.initial_seed()", "torch.get_default_dtype()", "torch.is_grad_enabled()", "torch.get_num_threads()",
            "torch.get_float32_matmul_precision()", "torch.is_anomaly_enabled()", "torch.set_flush_denormal()",
            "torch.are_deterministic_algorithms_enabled()", "torch.get_default_device()",
        }  # fmt: skip
        assert restore() == {} and torch.equal(torch.rand(3), first)
        assert TORCH.thread_count() == threads

    def test_cpu_needs_no_description_synchronizer_or_accelerator(self):
        assert TORCH.describe("cpu") is None and TORCH.synchronizers("cpu") == [] and TORCH.accelerator("cpu") is None


class TestNoFramework:
    def test_has_values_but_no_tensors(self):
        assert not tensor_trees.is_tensor(np.ones(2)) and tensor_trees.tensors([np.ones(2), 3.0]) == []
        assert NO_FRAMEWORK.to_numpy([1, 2]).tolist() == [1, 2] and NO_FRAMEWORK.dtype_name(np.ones(2)) == "float64"

    def test_names_types_as_learners_do(self):
        phrases = [NO_FRAMEWORK.type_phrase(value) for value in (None, np.ones(1), 2, ..., {}, [], len)]
        assert phrases[:3] == ["None", "a NumPy array", "a Python number"] and phrases[3:6] == [
            "`...`",
            "a dict",
            "a list",
        ]

    def test_restores_numpys_generator(self):
        restore = NO_FRAMEWORK.snapshot_state()
        first = np.random.random(3)
        restore()
        assert np.array_equal(np.random.random(3), first)
        NO_FRAMEWORK.seed(4)
        assert np.random.random() == np.random.RandomState(4).random()

    def test_restores_an_array_that_it_may_write(self):
        x = np.zeros(2)
        restore = NO_FRAMEWORK.snapshot(x)
        x[0] = 1
        restore()
        assert not x.any() and NO_FRAMEWORK.snapshot([1]) is None

    def test_ignores_threads_and_devices(self):
        with NO_FRAMEWORK.threads(3) as in_force, NO_FRAMEWORK.device_scope("cpu"):
            assert in_force == 3
        array = np.ones(2)
        assert NO_FRAMEWORK.upcast(array) is NO_FRAMEWORK.to_device(array, "cpu") is array
        assert NO_FRAMEWORK.overwrite(array, 5) == 5
        assert NO_FRAMEWORK.accelerators() == NO_FRAMEWORK.synchronizers("cpu") == []
        assert NO_FRAMEWORK.cancel_scope() is NO_FRAMEWORK.accelerator("cpu") is None

    def test_gradients_need_a_framework(self):
        with pytest.raises(CourseError, match="name the task's framework"):
            NO_FRAMEWORK.gradients(lambda x: [x], (1.0,), seed=0)


class PathRecorder:
    """A comparer that records the leaves it sees."""

    def __init__(self):
        self.leaves = []

    def is_tensor(self, expected):
        return isinstance(expected, torch.Tensor)

    def differs(self, aspect, actual, expected, path):
        return f"{aspect}{path}"

    def why_incomparable(self, actual, expected, path):
        return None if isinstance(actual, torch.Tensor) else f"incomparable{path}"

    def compare_tensors(self, actual, expected, truth, path):
        self.leaves.append(("tensor", path, truth is expected))

    def compare_others(self, actual, expected, truth, path):
        self.leaves.append(("other", path, truth))


def test_comparison_visits_every_leaf_with_its_path_and_truth():
    x, recorder = torch.ones(2), PathRecorder()
    actual, expected, truth = {"a": [x, 1], "b": (2,)}, {"a": (x, 3), "b": [4]}, {"a": (x, 5), "b": [6]}
    assert first_difference(recorder, actual, expected, truth) is None
    assert recorder.leaves == [("tensor", " at 'a'[0]", True), ("other", " at 'a'[1]", 5), ("other", " at 'b'[0]", 6)]


@pytest.mark.parametrize(
    ("actual", "expected", "difference"),
    [
        ([1], {"a": 1}, "mapping"),
        ({"b": 1}, {"a": 1}, "keys"),
        ([3], [[1]], "sequence[0]"),
        ([[1, 2]], [[1]], "length[0]"),
        ([1.0], [torch.ones(1)], "incomparable[0]"),
        (torch.ones(2), torch.ones(3, dtype=torch.float64), "dtype"),
        (torch.ones(2), torch.ones(3), "shape"),
        (torch.ones(2), torch.ones(2, device="meta"), "device"),
    ],
)
def test_comparison_returns_the_first_difference(actual, expected, difference):
    recorder = PathRecorder()
    assert first_difference(recorder, actual, expected, expected) == difference and recorder.leaves == []
