# `make lab` and `make test` are for everyone; the rest is for contributors (CONTRIBUTING.md).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: lab test check task colab-test exercises readme lock clean

# Opens lesson 00 in JupyterLab. Without a screen it prints the address; root has to say that it may serve.
LAB := --log-level=ERROR --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb
LAB += $(if $(DISPLAY)$(WAYLAND_DISPLAY)$(filter Darwin,$(shell uname)),,--no-browser)
LAB += $(if $(filter 0,$(shell id -u)),--allow-root)

lab: .venv/.lab
	$(BIN)/jupyter lab $(LAB)

# Python keeps what it has compiled, also where the environment says otherwise: each kernel that starts would compile it anew.
unexport PYTHONDONTWRITEBYTECODE

# Form and types.
FORM := $(BIN)/ruff check . && $(BIN)/ruff format --check .
TYPES := $(BIN)/mypy

# A notebook stays in one process. Much of the time is waiting, for races' clocks and for the browser, so that two cores have
# room for three. What takes longest comes first, so that all processes end together.
PYTEST := $(BIN)/python -m pytest -q --dist loadscope --no-loadscope-reorder
NBVAL := --nbval --nbval-current-env --nbval-cell-timeout 120

test: .venv/.dev
	$(FORM)
	$(TYPES) & types=$$!; \
	$(PYTEST) -n 3 $(NBVAL) tests/unit/test_answers.py tests/browser tests/notebooks notebooks tests/unit solutions \
	&& wait $$types

# What says within a minute whether a change is sound: form, types, and the unit tests that need one process only.
check: .venv/.dev
	$(FORM)
	$(TYPES) & types=$$!; $(PYTEST) -p no:nbval -n 2 -m "not process" tests/unit/test_race*.py tests/unit && wait $$types

# One task, as in NAME=tiled_add: what the check makes of its answers, and its cells as they are stored.
task: .venv/.dev
	PYTHONPATH=tests/notebooks $(PYTEST) -p cells_of_one_task --task $(NAME) $(NBVAL) solutions notebooks & cells=$$!; \
	PYTHONPATH=tests $(BIN)/python -m answers --task $(NAME) --processes 2 && wait $$cells

# A page and a kernel of the versions that Colab has, which drop what Colab drops.
colab-test: .venv/.dev .venv-colab/.ready
	$(PYTEST) tests/colab

exercises: .venv/.dev
	$(BIN)/unloop author exercises

# Writes what follows from pyproject.toml and the lessons' metadata: addresses, badges, the README's table, lesson 00's map.
readme: .venv/.dev
	$(BIN)/unloop address

lock: .venv/.dev
	$(BIN)/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.10 --extra dev \
		--no-annotate --custom-compile-command "make lock" --output-file constraints.txt

clean:
	rm -rf .venv .venv-colab *.egg-info .pytest_cache .ruff_cache

# The stamp .venv/.lab says that the extra `lab` is installed as pyproject.toml and constraints.txt ask for it.
# JupyterLab would ask newcomers about news and look for updates; the course opens no connection by itself.
# uv installs much faster than pip; it is told of the wheels that pip is told of, such as a CPU build of torch.
WHEELS := $$($(BIN)/pip config get global.find-links 2>/dev/null || true)
.venv/.%: pyproject.toml constraints.txt | $(BIN)/uv
	UV_FIND_LINKS="$${UV_FIND_LINKS:-$(WHEELS)}" $(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt -e ".[$*]"
	$(BIN)/jupyter labextension disable --level=sys_prefix "@jupyterlab/apputils-extension:announcements" 2>/dev/null
	touch $@

# torch is not installed twice: a line in a .pth file puts the packages of .venv behind those that stand here.
SITE := -c "import site; print(site.getsitepackages()[0])"
.venv-colab/.ready: tests/colab/constraints.txt | .venv/.dev
	$(BIN)/python -m venv --clear .venv-colab
	.venv-colab/bin/pip install --quiet -r tests/colab/constraints.txt
	$(BIN)/python $(SITE) > "$$(.venv-colab/bin/python $(SITE))/course.pth"
	touch $@

$(BIN)/uv:
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet uv
