"""One seam for every framework: each offers all that is asked of it, and nobody imports one that the learner has not."""

import inspect
import subprocess
import sys

import numpy as np
import pytest
from own_process import run_with_tensorflow

from course_utils import frameworks
from course_utils.core.errors import CourseError
from course_utils.frameworks import tensor_trees
from course_utils.frameworks.base import Framework
from course_utils.frameworks.tree_compare import first_difference

torch = pytest.importorskip("torch")

TORCH, PLAIN = frameworks.named("torch"), frameworks.named("none")
ASKED = [name for name, member in vars(Framework).items() if not name.startswith("_") and inspect.isfunction(member)]


@pytest.mark.parametrize("framework", [*frameworks.ALL, frameworks.PLAIN], ids=lambda framework: framework.name)
def test_each_framework_offers_all_that_is_asked(framework):
    assert len(ASKED) > 25
    for name in ASKED:
        asked = list(inspect.signature(getattr(Framework, name)).parameters)
        own = list(inspect.signature(getattr(type(framework), name)).parameters)
        assert own == asked, f"{framework.name}.{name} takes {own}, where {asked} are given"
    assert framework.title and frameworks.named(framework.name) is framework


def test_one_that_leaves_something_out_cannot_be_made():
    half = type("Half", (type(PLAIN),), {"seed": Framework.seed})
    with pytest.raises(TypeError, match="abstract method '?seed"):
        half()


def test_a_value_knows_its_framework():
    assert frameworks.of(torch.ones(1)) is TORCH
    assert frameworks.of(torch.nn.Parameter(torch.ones(1))) is TORCH
    assert frameworks.of(type("Own", (torch.nn.Module,), {})()) is TORCH
    assert frameworks.of(np.ones(1)) is PLAIN
    assert frameworks.of("torch") is PLAIN


@pytest.mark.process
def test_only_what_is_imported_is_loaded_and_a_name_that_is_none_is_refused():
    script = (
        "import sys; from course_utils import frameworks; before = frameworks.loaded(); import torch; "
        "print(before, [each.name for each in frameworks.loaded()], 'tensorflow' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "() ['torch'] False\n"
    with pytest.raises(KeyError):
        frameworks.named("jax")


@pytest.mark.process
def test_a_framework_that_is_not_loaded_can_be_asked_of_its_errors_and_its_version():
    script = (
        "import sys; from course_utils import frameworks; from course_utils.frameworks import devices; devices.installed(); "
        "print([each.is_out_of_memory(MemoryError()) for each in (frameworks.PLAIN, *frameworks.ALL)],"
        " {'torch', 'tensorflow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[True, False, False] set()\n"


class TestTorch:
    def test_tells_tensors_modules_and_generators_apart(self):
        for value, is_tensor, is_module, is_generator in [
            (torch.ones(1), True, False, False),
            (torch.nn.Linear(1, 1), False, True, False),
            (torch.Generator(), False, False, True),
            (torch.float32, False, False, False),
        ]:
            assert (TORCH.is_tensor(value), TORCH.is_module(value), TORCH.is_generator(value)) == (
                is_tensor,
                is_module,
                is_generator,
            )

    def test_says_why_a_tensor_is_no_plain_one(self):
        assert TORCH.flaw(torch.ones(2), "a torch tensor") is None
        assert TORCH.flaw(torch.ones(2).to_sparse(), "a torch tensor").startswith("a torch.sparse_coo tensor")
        assert "a class of its own" in TORCH.flaw(torch.nn.Parameter(torch.ones(2)), "a torch tensor")
        assert TORCH.has_no_values(torch.ones(2, device="meta")) and not TORCH.has_no_values(torch.ones(2))

    def test_gives_values_that_numpy_has_no_dtype_for(self):
        values = TORCH.to_numpy(torch.tensor([1.5, 2.0], dtype=torch.bfloat16, requires_grad=True))
        assert values.dtype == np.float32 and values.tolist() == [1.5, 2.0]

    def test_widens_tensors_and_modules_and_leaves_the_rest(self):
        layer, whole = torch.nn.Linear(2, 1), torch.arange(3)
        wide = tensor_trees.widen({"layer": layer, "x": [torch.ones(2, dtype=torch.complex64)], "n": whole})
        assert wide["layer"].weight.dtype == torch.float64 and layer.weight.dtype == torch.float32
        assert wide["x"][0].dtype == torch.complex128 and wide["n"].dtype == torch.int64

    def test_a_copied_generator_draws_what_the_first_one_will(self):
        generator = torch.Generator().manual_seed(5)
        (twin,) = tensor_trees.fresh((generator,))
        assert torch.equal(torch.rand(4, generator=twin), torch.rand(4, generator=generator))

    def test_knows_shared_memory_and_writes_new_values_into_old_tensors(self):
        x = torch.zeros(4)
        assert tensor_trees.shares_memory(x, x[1:]) and not tensor_trees.shares_memory(x, x.clone())
        assert tensor_trees.overwrite((x, 1), (torch.ones(4), 2)) == (x, 2) and x.sum() == 4
        assert tensor_trees.overwrite(x, torch.ones(5)) is not x
        layer, other = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
        assert tensor_trees.overwrite(layer, other) is layer and torch.equal(layer.weight, other.weight)

    def test_a_change_between_the_strides_is_seen(self):
        x = torch.zeros(4)
        before = tensor_trees.fresh((x[::2],))[0]
        after = tensor_trees.fresh((x[::2],))[0]
        assert not tensor_trees.differs(before, after)
        after.untyped_storage()[4] = 1
        assert torch.equal(before, after) and tensor_trees.differs(before, after)

    def test_weighs_the_results_for_a_gradient_and_says_where_there_is_none(self):
        x, unused = torch.tensor([1.0, 2.0]), torch.ones(2)
        found = TORCH.gradients(lambda a, b, n: [a * n], (x, unused, 3), seed=4)
        weights = torch.from_numpy(TORCH.weights([x], 4)[0]).float()
        assert torch.allclose(found[0], 3 * weights) and found[1] is None and found[2] is None
        assert TORCH.gradients(lambda a: [a.detach()], (x,), seed=4) == [None]

    def test_puts_back_generators_dtype_gradients_and_threads(self):
        put_back, threads = TORCH.state_kept(), torch.get_num_threads()
        first = torch.rand(3)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.set_num_threads(threads + 1)
        put_back()
        assert torch.equal(torch.rand(3), first)
        assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled()
        assert TORCH.threads_in_use() == torch.get_num_threads() == threads

    def test_describes_no_device_that_is_not_its_own(self):
        assert TORCH.describe("cpu") is None and TORCH.waiters("cpu") == [] and TORCH.accelerator("cpu") is None


class TestNone:
    def test_has_values_but_no_tensors(self):
        assert not tensor_trees.is_tensor(np.ones(2)) and tensor_trees.tensors([np.ones(2), 3.0]) == []
        assert PLAIN.to_numpy([1, 2]).tolist() == [1, 2] and PLAIN.dtype_name(np.ones(2)) == "float64"

    def test_names_values_as_a_learner_would(self):
        names = [PLAIN.called(value) for value in (None, np.ones(1), 2, print, {}, [], len)]
        assert names[:3] == ["None", "a NumPy array", "a Python number"] and names[4:6] == ["a dict", "a list"]

    def test_puts_numpys_generator_back(self):
        put_back = PLAIN.state_kept()
        first = np.random.random(3)
        put_back()
        assert np.array_equal(np.random.random(3), first)
        PLAIN.seed(4)
        assert np.random.random() == np.random.RandomState(4).random()

    def test_leaves_threads_devices_and_leaves_as_they_are(self):
        with PLAIN.threads(3) as in_force, PLAIN.placed("cpu"):
            assert in_force == 3
        array = np.ones(2)
        assert PLAIN.widened(array) is PLAIN.moved(array, "cpu") is array and PLAIN.overwritten(array, 5) == 5
        assert (
            PLAIN.accelerators() == PLAIN.waiters("cpu") == []
            and PLAIN.cancellable() is PLAIN.accelerator("cpu") is None
        )

    def test_a_task_that_asks_for_gradients_without_a_framework_is_told(self):
        with pytest.raises(CourseError, match="name the task's framework"):
            PLAIN.gradients(lambda x: [x], (1.0,), seed=0)


@pytest.mark.process
def test_tensorflow_keeps_every_promise():
    run_with_tensorflow("tensorflow_seam.py")


class Places:
    """A policy that only tells where the walk came by."""

    def __init__(self):
        self.seen = []

    def is_tensor(self, wanted):
        return isinstance(wanted, torch.Tensor)

    def differs(self, aspect, given, wanted, where):
        return f"{aspect}{where}"

    def unfit(self, given, wanted, where):
        return None if isinstance(given, torch.Tensor) else f"unfit{where}"

    def tensors(self, given, wanted, truth, where):
        self.seen.append(("tensor", where, truth is wanted))

    def others(self, given, wanted, truth, where):
        self.seen.append(("other", where, truth))


def test_the_walk_visits_every_leaf_with_its_place_and_its_truth():
    x, places = torch.ones(2), Places()
    assert first_difference(places, {"a": [x, 1], "b": (2,)}, {"a": (x, 3), "b": [4]}, {"a": (x, 5), "b": [6]}) is None
    assert places.seen == [("tensor", " at 'a'[0]", True), ("other", " at 'a'[1]", 5), ("other", " at 'b'[0]", 6)]


@pytest.mark.parametrize(
    ("given", "wanted", "told"),
    [
        ([1], {"a": 1}, "mapping"),
        ({"b": 1}, {"a": 1}, "keys"),
        ([3], [[1]], "sequence[0]"),
        ([[1, 2]], [[1]], "length[0]"),
        ([1.0], [torch.ones(1)], "unfit[0]"),
        (torch.ones(2), torch.ones(3, dtype=torch.float64), "dtype"),
        (torch.ones(2), torch.ones(3), "shape"),
        (torch.ones(2), torch.ones(2, device="meta"), "device"),
    ],
)
def test_the_walk_tells_the_first_aspect_that_differs(given, wanted, told):
    places = Places()
    assert first_difference(places, given, wanted, wanted) == told and places.seen == []
