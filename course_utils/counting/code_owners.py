"""Who wrote a file: the learner, a library, a framework or one of its dependencies, wherever they are installed."""

from __future__ import annotations

import importlib.metadata
import os
import re
import site
import sys
import sysconfig
from functools import cache, lru_cache
from pathlib import Path

from course_utils import frameworks

COURSE = str(Path(__file__).parents[1])

GENERATED = ("<frozen", "<string>", "<__array_function__", "<eval_with_key>", "<attrs generated")
"""Prefixes of the file names of generated code, and of Python's frozen modules."""


def library_root(file: str) -> str | None:
    """Return the folder of installed packages or of Python's own modules that contains ``file``; else None."""
    roots = (root for root in _library_roots(tuple(sys.path)) if file.startswith(root))
    return max(roots, key=len, default=None)


def installed_package(file: str) -> str | None:
    """Return the path of the installed package or module that ``file`` belongs to; None if it is not installed."""
    root = library_root(file)
    return None if root is None else str(Path(root, Path(file).relative_to(root).parts[0]))


def is_framework_file(file: str) -> bool:
    """Return whether ``file`` belongs to a loaded framework."""
    return f"{file}{os.sep}".startswith(_framework_folders())


@cache
def belongs_to_caller(file: str) -> bool:
    """Return whether ``file`` is one of Python's own modules, or generated: what it does is work of the code that calls it."""
    own_folders = [f"{Path(sysconfig.get_path(name))}{os.sep}" for name in ("stdlib", "platstdlib")]
    return file.startswith(GENERATED) or library_root(file) in own_folders


def is_framework_dependency(package: str) -> bool:
    """Return whether the package or module at this path belongs to a framework or to a package that one depends on."""
    return is_framework_file(package) or Path(package).stem in _dependencies()


def generated_folders() -> tuple[str, ...]:
    """Return the folders of source that compilers have generated."""
    folders = (framework.compiler.generated_folder() for framework in frameworks.loaded())
    return tuple(folder for folder in folders if folder)


@lru_cache(maxsize=8)
def _library_roots(search_path: tuple[str, ...]) -> tuple[str, ...]:
    """Return Python's folders, and each folder of the search path in which packages were installed."""
    paths = sysconfig.get_paths()
    known = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed = [folder for folder in search_path if folder and next(Path(folder).glob("*.dist-info"), None)]
    folders = {*known, *site.getsitepackages(), site.getusersitepackages(), *installed}
    return tuple(f"{Path(folder)}{os.sep}" for folder in folders)


def _framework_folders() -> tuple[str, ...]:
    packages = (sys.modules.get(name) for framework in frameworks.loaded() for name in framework.packages)
    files = (getattr(package, "__file__", None) for package in packages)
    return tuple(f"{Path(file).parent}{os.sep}" for file in files if file)


@cache
def _dependencies() -> frozenset[str]:
    """Return the packages that the frameworks import, directly or indirectly, by their import names."""
    distributions: dict[str, importlib.metadata.Distribution] = {}
    remaining = [name for framework in frameworks.ALL for name in framework.distributions]
    while remaining:
        name = remaining.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if key not in distributions:
            distributions[key] = distribution
            required = [each for each in distribution.requires or () if "extra ==" not in each]
            remaining += [re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in required]
    files = (file for distribution in distributions.values() for file in distribution.files or ())
    return frozenset(Path(file.parts[0]).stem for file in files if file.suffix in (".py", ".so"))
