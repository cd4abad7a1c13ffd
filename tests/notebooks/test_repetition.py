"""No two lessons print the same example, race, question or practice; a lesson and its twin in TensorFlow may.

Two functions are alike if most of the runs of five tokens in their syntax trees are equal (the Jaccard index, as in S. Schleimer,
D. Wilkerson and A. Aiken, "Winnowing", SIGMOD 2003), whatever their local names are. Two texts are alike if most runs of four
words of the shorter one are in the other. Two races are alike if they share two versions.
"""

import ast
import json
import re
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

from cell_source import python_source

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TASKS = sorted((ROOT / "course_utils/tasks").glob("lesson_*/[tp]*_[0-9]*_*.py"))
ALIKE, TOKENS = 0.65, 22
ALIKE_WORDS, WORDS = 0.5, 24

# Lessons that continue an example of an earlier lesson and link to it.
CONTINUED = {
    ("03_element_loops", "12_compilers"): "the last mile of the first slow loop",
    ("09_scans", "12_compilers"): "the last mile of the decayed sum",
}


@cache
def cells(path, kind):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    chosen = [cell for cell in notebook["cells"] if cell["cell_type"] == kind and cell["id"] not in ("title", "setup")]
    return [(cell["id"], "".join(cell["source"])) for cell in chosen]


@cache
def code(path):
    return [(id, ast.parse(python_source(source))) for id, source in cells(path, "code")]


def tokens(node, names):
    """Yield the syntax tree of a function in preorder, with its arguments and local names numbered, without its
    docstring; ``torch.relu(x)`` is ``x.relu()``.
    """
    children = list(ast.iter_child_nodes(node))
    match node:
        case ast.Name(id=name):
            is_local = isinstance(node.ctx, ast.Store) or name in names
            yield names.setdefault(name, f"local {len(names)}") if is_local else name
        case ast.arg(arg=name):
            names.setdefault(name, f"local {len(names)}")
        case ast.Call(func=ast.Attribute(value=owner, attr=name)):
            is_library = isinstance(owner, ast.Name) and owner.id in ("torch", "tf", "np")
            yield f"call of {name}"
            children = [*([] if is_library else [owner]), *node.args, *node.keywords]
        case ast.Attribute(attr=name):
            yield f".{name}"
        case ast.Constant(value=value):
            yield "text" if isinstance(value, str) else repr(value)
        case ast.arguments():
            pass
        case _:
            yield type(node).__name__
    for child in children:
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not isinstance(child, ast.expr_context) and not is_docstring:
            yield from tokens(child, names)


def functions():
    """Return lesson, position and tokens of each function that a lesson prints, and of each slow loop that a card
    shows."""
    for path in LESSONS:
        for id, tree in code(path):
            found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
            yield from ((path.stem, f"{id}: {node.name}", list(tokens(node, {}))) for node in found)
    for path in TASKS:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        keywords = [node for node in ast.walk(tree) if isinstance(node, ast.keyword)]
        slow = {node.value.id for node in keywords if node.arg == "slow" and isinstance(node.value, ast.Name)}
        found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in slow]
        yield from ((path.parent.name.removeprefix("lesson_"), node.name, list(tokens(node, {}))) for node in found)


def runs(sequence, length):
    return Counter(tuple(sequence[place : place + length]) for place in range(len(sequence) - length + 1))


def pairs_that_share(units):
    """Yield the pairs of units of different lessons that share a run, each unit as lesson, position and runs."""
    holders = {}
    for number, (_, _, own) in enumerate(units):
        for run in own:
            holders.setdefault(run, []).append(number)
    shared = {pair for numbers in holders.values() if len(numbers) < 40 for pair in combinations(numbers, 2)}
    for one, other in sorted(shared):
        if units[one][0][:2] != units[other][0][:2]:
            yield units[one], units[other]


def is_continued(one, other):
    return tuple(sorted((one, other))) in CONTINUED


def test_two_lessons_share_no_function():
    units = [(lesson, place, runs(own, 5)) for lesson, place, own in functions() if len(own) >= TOKENS]
    assert len(units) > 400
    alike = [
        (one[:2], other[:2])
        for one, other in pairs_that_share(units)
        if (one[2] & other[2]).total() > ALIKE * (one[2] | other[2]).total() and not is_continued(one[0], other[0])
    ]
    assert not alike, "keep one of each pair, and link to its lesson from the other"


def races(path):
    """Yield the position of each race, and the bodies of its contenders."""
    own = {node.name: node for _, tree in code(path) for node in tree.body if isinstance(node, ast.FunctionDef)}
    for id, tree in code(path):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "race":
                versions = node.args[1].values if isinstance(node.args[1], ast.Dict) else []
                yield id, {body(own.get(each.id, each) if isinstance(each, ast.Name) else each) for each in versions}


def body(version):
    """Return the tokens of what a function or lambda computes; both forms of one expression are equal."""
    if not isinstance(version, (ast.FunctionDef, ast.Lambda)):
        return tuple(tokens(version, {}))
    parts = [version.args, *(version.body if isinstance(version, ast.FunctionDef) else [version.body])]
    names = {}
    return tuple(
        token for part in parts for token in tokens(part.value if isinstance(part, ast.Return) else part, names)
    )


def test_two_lessons_share_no_race():
    units = [(path.stem, id, versions) for path in LESSONS for id, versions in races(path)]
    assert len(units) > 100
    alike = [
        (one[:2], other[:2])
        for one, other in combinations(units, 2)
        if one[0][:2] != other[0][:2] and len(one[2] & other[2]) > 1
    ]
    assert not alike, "keep one of the races, and link to its lesson from the other"


def paragraphs(path):
    """Yield the position and the words of each paragraph and each question to predict, without the links to the
    exercises."""
    for id, source in cells(path, "markdown"):
        texts = [text for text in re.split(r"\n\s*\n|\n- ", source) if "../exercises/" not in text]
        yield from ((id, re.findall(r"\w+", text.lower())) for text in texts)
    for id, tree in code(path):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "predict":
                questions = [each.value for each in node.args[1:2] if isinstance(each, ast.Constant)]
                yield from ((id, re.findall(r"\w+", question.lower())) for question in questions)


def test_two_lessons_share_no_text():
    units = [
        (path.stem, id, runs(words, 4)) for path in LESSONS for id, words in paragraphs(path) if len(words) >= WORDS
    ]
    assert len(units) > 1000
    alike = [
        (one[:2], other[:2])
        for one, other in pairs_that_share(units)
        if (one[2] & other[2]).total() > ALIKE_WORDS * min(one[2].total(), other[2].total())
    ]
    assert not alike, "write it once, and link to it"


def test_lesson_that_continues_an_example_links_to_it():
    for earlier, later in CONTINUED:
        path = ROOT / "notebooks" / f"{later}.ipynb"
        assert f"({earlier}.ipynb" in path.read_text(encoding="utf-8")
