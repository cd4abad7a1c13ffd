# `make lab` and `make test` are for everyone; the other targets are for contributors (see CONTRIBUTING.md).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: lab test check task gpu-test colab-test lowest-test exercises readme site links lock clean

# Lesson 00 in JupyterLab. Without a screen, JupyterLab prints its address; root needs --allow-root.
LAB := --log-level=ERROR --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb
LAB += $(if $(DISPLAY)$(WAYLAND_DISPLAY)$(filter Darwin,$(shell uname)),,--no-browser)
LAB += $(if $(filter 0,$(shell id -u)),--allow-root)

lab: .venv/.lab
	$(BIN)/jupyter lab $(LAB)

# Without stored bytecode, each kernel that starts would compile all packages again.
unexport PYTHONDONTWRITEBYTECODE

FORMAT := $(BIN)/ruff check . && $(BIN)/ruff format --check .
TYPES := $(BIN)/mypy

# Each notebook and each module runs in one process. Three processes share two cores, because they often wait: for the clocks
# of races and for the browser. The unit tests come first, because the longest modules are among them, so that all processes
# end at about the same time.
PYTEST := $(BIN)/python -m pytest -q --dist loadscope --no-loadscope-reorder
NBVAL := --nbval --nbval-current-env --nbval-cell-timeout 120

test: .venv/.dev
	$(FORMAT)
	$(TYPES) & types=$$!; \
	$(PYTEST) -n 3 $(NBVAL) tests/unit tests/browser tests/notebooks notebooks solutions tests/gpu \
	&& wait $$types

# Whether a change is sound, within a minute: format, types, and the quick unit tests. These hardly wait, so a third process would
# only import everything once more.
check: .venv/.dev
	$(FORMAT)
	$(TYPES) & types=$$!; $(PYTEST) -p no:nbval -n 2 -m "not slow" tests/unit && wait $$types

# One task, as in `make task NAME=tiled_add`: its answers are checked, and its cells in the solutions or the lesson run.
task: .venv/.dev
	PYTHONPATH=tests/notebooks $(PYTEST) -p cells_of_one_task --task $(NAME) $(NBVAL) solutions notebooks & cells=$$!; \
	PYTHONPATH=tests $(BIN)/python -m answers --task $(NAME) --processes 2 && wait $$cells

# On a machine with a GPU. The tests need pytest and what `pip install -e ".[torch]"` installs, so the machine's own Python
# runs them if .venv has no pytest. DEVICE=cpu:0 rehearses them without a GPU.
gpu-test:
	$(if $(wildcard $(BIN)/pytest),$(BIN)/python,$(PYTHON)) -m pytest -p no:nbval -rs tests/gpu --gpu-device $(or $(DEVICE),cuda:0)

# Three lessons with Colab's versions, on a page that drops the messages that Colab drops.
colab-test: .venv/.dev .venv-colab/.ready
	$(PYTEST) tests/colab

# The unit tests and five lessons with the lowest version of each dependency that pyproject.toml names. It downloads some
# gigabytes. PYTHON=python3.10 takes the lowest Python as well, as the weekly workflow does.
lowest-test: .venv-lowest/.ready
	.venv-lowest/bin/python -m pytest -q -p no:nbval -n 2 --dist loadscope tests/lowest tests/unit

exercises: .venv/.dev
	$(BIN)/unloop author exercises

# Updates everything that is generated from pyproject.toml and the lessons' metadata: addresses, badges, lesson tables.
readme: .venv/.dev
	$(BIN)/unloop address

# The course on the web, in build/site/html, from the stored notebooks. It needs no framework and runs no notebook.
site: .venv/.site
	$(BIN)/unloop author site

# Whether the site's links to other sites still answer.
links: .venv/.site
	$(BIN)/unloop author site --links

lock: .venv/.dev
	$(BIN)/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.10 --extra dev \
		--no-annotate --custom-compile-command "make lock" --output-file constraints.txt

clean:
	rm -rf .venv .venv-colab .venv-lowest *.egg-info .pytest_cache .ruff_cache

# The stamp .venv/.lab means that the extra `lab` is installed as pyproject.toml and constraints.txt say. TORCH=cpu installs
# PyTorch's CPU build, from PyTorch's own index. uv ignores pip's configuration, so it gets pip's folders of wheels here.
# The extension that is disabled would ask newcomers about news and search for updates; the course opens no connection.
WHEELS := $$($(BIN)/pip config get global.find-links 2>/dev/null || true)
INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python $(if $(TORCH),--torch-backend $(TORCH))
.venv/.%: pyproject.toml constraints.txt | $(BIN)/uv
	UV_FIND_LINKS="$${UV_FIND_LINKS:-$(WHEELS)}" $(INSTALL) -c constraints.txt -e ".[$*]"
	test ! -x $(BIN)/jupyter-lab || \
		$(BIN)/jupyter labextension disable --level=sys_prefix "@jupyterlab/apputils-extension:announcements" 2>/dev/null
	touch $@

# A line in a .pth file adds the packages of .venv after those of .venv-colab, so that torch is not installed twice.
SITE := -c "import site; print(site.getsitepackages()[0])"
.venv-colab/.ready: tests/colab/constraints.txt | .venv/.dev
	$(BIN)/python -m venv --clear .venv-colab
	.venv-colab/bin/pip install --quiet -r tests/colab/constraints.txt
	$(BIN)/python $(SITE) > "$$(.venv-colab/bin/python $(SITE))/course.pth"
	touch $@

# The option --no-config leaves out the constraints under [tool.uv], which name newer versions.
LOWEST := $(BIN)/uv pip install --no-config --quiet --python .venv-lowest/bin/python
.venv-lowest/.ready: pyproject.toml | $(BIN)/uv
	$(BIN)/uv venv --quiet --clear --seed --python $(PYTHON) .venv-lowest
	$(LOWEST) --resolution lowest-direct --extra dev -r pyproject.toml
	$(LOWEST) --no-deps -e .
	touch $@

$(BIN)/uv:
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet uv
