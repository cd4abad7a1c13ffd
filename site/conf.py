"""The settings with which Sphinx builds the site; `make site` writes its pages to build/site/html."""

import re
from pathlib import Path

from course_utils.authoring.address import read_address
from course_utils.core.wording import format_bytes, format_percent
from course_utils.limits import cost, framework_measurement, measured_sizes, sampling
from course_utils.races import point, ranking
from course_utils.timing import comparison, comparison_run, compilation_watch, interval

address = read_address(Path(__file__).resolve().parents[1])

project = "Unloop"
author = "the authors of Unloop"
copyright = "the authors of Unloop. Text: CC BY 4.0. Code: MIT"
extensions = ["myst_nb", "course_utils.authoring.website.race_renderer"]

# The pages show the stored outputs.
nb_execution_mode = "off"
nb_merge_streams = True

myst_enable_extensions = ["attrs_inline", "substitution"]
myst_heading_anchors = 4
# Figures in the hand-written pages, so that no page contradicts the code.
myst_substitutions = {
    "agreement": format_percent(sampling.AGREEMENT),
    "compiling_blocks": compilation_watch.MAX_COMPILING_BLOCKS,
    "dtypes": ", ".join(cost.DTYPES),
    "largest_set": format_bytes(measured_sizes.initial_sizes("cpu")[-1]),
    "min_rounds": point.MIN_ROUNDS,
    "negligible": format_percent(comparison.NEGLIGIBLE),
    "overhead_share": format_percent(comparison_run.OVERHEAD_SHARE),
    "resamples": f"{interval.RESAMPLES:,}",
    "same": format_percent(comparison.SAME),
    "smallest_set": format_bytes(measured_sizes.initial_sizes("cpu")[0]),
    "stall_factor": f"{comparison.STALL_FACTOR:g}",
    "tie_factor": f"{ranking.TIE_FACTOR:g}",
    "tiny": framework_measurement.TINY,
}
# A lesson's headings may skip a level.
suppress_warnings = ["myst.header"]

# `unloop author site --links` asks the addresses of other sites. The course's own links, also those through Binder and Colab,
# lead to files of the repository, which the build itself checks.
linkcheck_ignore = [
    rf".*{re.escape(address.removeprefix('https://github.com/'))}.*",
    r"https?://(127\.0\.0\.1|localhost).*",
    "https://HUB/.*",
    "https://stackoverflow.com/.*",  # This site refuses requests of programs.
]
linkcheck_anchors = False  # GitHub and other sites create anchors with a script.
linkcheck_timeout = 20
linkcheck_retries = 2

html_theme = "sphinx_book_theme"
html_title = "Unloop"
html_favicon = "_static/icon.svg"
html_static_path = ["_static"]
html_css_files = ["outputs.css", "unloop.css"]
html_js_files = [
    (name, {"defer": "defer"})
    for name in ("vega/vega.min.js", "vega/vega-lite.min.js", "vega/vega-embed.min.js", "unloop.js")
]
html_context = {"default_mode": "auto"}
html_theme_options = {
    "repository_url": address,
    "use_repository_button": True,
    "use_download_button": False,
    "use_fullscreen_button": False,
    "home_page_in_toc": True,
    "navbar_persistent": [],
    "search_bar_text": "Search the course",
    "footer_content_items": ["copyright"],  # The copyright line names the authors.
}
html_scaled_image_link = False
html_use_index = False
# The notebooks are in the repository; the site publishes their pages only.
html_copy_source = False
html_show_sourcelink = False
