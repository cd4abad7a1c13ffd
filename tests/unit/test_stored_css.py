"""A stored output keeps the CSS that it needs, and no more."""

from course_utils.authoring.stored_css import union, without_unused_rules
from course_utils.ui.card import card
from course_utils.ui.theme import STYLE


def test_rules_and_variables_that_nothing_uses_are_left_out():
    css = "body.dark .a{--unloop-x:red;--unloop-y:blue}.a,.b:has(.a){--unloop-z:1}.a p{margin:0}.a i,.a b{color:var(--unloop-y)}"
    stored = without_unused_rules(f"<style>{css}</style><div class='a new'><b>1</b></div>")
    assert (
        stored
        == "<style>body.dark .a{--unloop-y:blue}.a b{color:var(--unloop-y)}</style><div class='a new'><b>1</b></div>"
    )
    assert without_unused_rules(stored) == stored
    assert without_unused_rules("<p>plain</p>") == "<p>plain</p>"


def test_variable_that_another_variable_uses_stays():
    css = ".a{--unloop-x:red;--unloop-y:var(--unloop-x);color:var(--unloop-y)}"
    assert without_unused_rules(f"<style>{css}</style><i class=a></i>") == f"<style>{css}</style><i class=a></i>"


def test_card_keeps_its_colors_for_every_page():
    stored = without_unused_rules(card("<p>one</p><table><tr><th>2</th></tr></table>", "label"))
    assert len(stored) < len(card("", "")) / 2
    for page in ('body[data-jp-theme-light="false"]', 'html[theme="dark"]', "body.vscode-dark"):
        assert f"{page} .unloop" in stored
    assert ".unloop-card th{color:var(--unloop-muted)" in stored
    assert "h4" not in stored and "series" not in stored


def test_site_takes_each_rule_once():
    whole = STYLE.removeprefix("<style>").removesuffix("</style>")
    part = without_unused_rules(f'{STYLE}<p class="unloop">1</p>').partition("</style>")[0].removeprefix("<style>")
    assert union([whole, part, part]) == union([whole])
    assert union([".a,.b{x:1}", ".b{x:1}", ".b{x:2}"]) == ".a,.b{x:1}.b{x:2}"
