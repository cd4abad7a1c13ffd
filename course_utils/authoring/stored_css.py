"""The CSS of stored outputs: each output keeps the rules that it needs, and the site collects the rules of all outputs.

An output brings its own style sheet, because Colab shows each output in a frame of its own. Most rules of that sheet are
for cards of other kinds, so a stored page would hold them hundreds of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Rule = tuple[list[str], list[str]]
"""The selectors and the declarations of a CSS rule."""

STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\]]*\]")
_PAGE = re.compile(r"^(?:html|body)\S*\s+")  # the part of a selector that names the page around an output
_COMMA = re.compile(r",(?![^(\[]*[)\]])")
_CLASS, _ELEMENT = re.compile(r"\.([\w-]+)"), re.compile(r"(?:^|[\s>+~])([a-z]\w*)")
_VARIABLE = re.compile(r"var\((--unloop-[\w-]+)")


def without_unused_rules(html: str) -> str:
    """Return the HTML with one style element, without unused rules and variables."""
    if not STYLE.search(html):
        return html
    body = STYLE.sub("", html)
    classes = {name for value in re.findall(r"class=[\"']?([^\"'>]*)", body) for name in value.split()}
    elements = set(re.findall(r"<([a-z]\w*)", body))
    rules = []
    for selectors, declarations in _rules("".join(STYLE.findall(html))):
        matching = [each for each in selectors if _may_match(each, classes, elements)]
        rules += [(matching, declarations)] if matching else []
    used = _used_variables(body, rules)
    used_rules = [
        (selectors, [each for each in declarations if not each.startswith("--") or each.partition(":")[0] in used])
        for selectors, declarations in rules
    ]
    return f"<style>{_css(rule for rule in used_rules if rule[1])}</style>{body}"


def union(sheets: Iterable[str]) -> str:
    """Return one style sheet with all sheets' rules; a rule that repeats a part of earlier rules is left out."""
    known: dict[str, set[str]] = {}
    rules = []
    for selectors, declarations in (rule for sheet in sheets for rule in _rules(sheet)):
        if all(set(declarations) <= known.get(each, set()) for each in selectors):
            continue
        rules.append((selectors, declarations))
        for each in selectors:
            known.setdefault(each, set()).update(declarations)
    return _css(rules)


def _rules(css: str) -> Iterator[Rule]:
    """Yield the rules of a style sheet without nested rules."""
    for selectors, declarations in _RULE.findall(css):
        yield (
            [each.strip() for each in _COMMA.split(selectors)],
            [each.strip() for each in declarations.split(";") if each.strip()],
        )


def _css(rules: Iterable[Rule]) -> str:
    return "".join(f"{','.join(selectors)}{{{';'.join(declarations)}}}" for selectors, declarations in rules)


def _may_match(selector: str, classes: set[str], elements: set[str]) -> bool:
    """Return False if the selector names a class or an element that the output lacks."""
    plain = _PAGE.sub("", _IN_BRACKETS.sub("", selector))
    return set(_CLASS.findall(plain)) <= classes and set(_ELEMENT.findall(plain)) <= elements


def _used_variables(body: str, rules: Iterable[Rule]) -> set[str]:
    """Return the names of the variables that the HTML uses, itself or through the rules that match in it."""
    declarations = [each for _, those in rules for each in those]
    used = set(_VARIABLE.findall(body))
    while True:
        texts = (each for each in declarations if not each.startswith("--") or each.partition(":")[0] in used)
        more = {name for text in texts for name in _VARIABLE.findall(text)}
        if more <= used:
            return used
        used |= more
