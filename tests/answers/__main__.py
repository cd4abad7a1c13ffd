"""Checks all answers of one lesson, or of some tasks, in this process and prints one line of JSON for each.

It exits with 1 where the check did not do what the table says, with 2 where there is nothing to check.
"""

import argparse
import json
import sys
from time import perf_counter

from answers import TableError, complaint, lessons, of_lesson, of_task
from course_utils.tasks import TaskMissing

parser = argparse.ArgumentParser(prog="python -m answers", description=__doc__.split("\n")[0])
what = parser.add_mutually_exclusive_group(required=True)
what.add_argument("lesson", nargs="?", choices=lessons(), metavar="lesson", help="such as 03_element_loops")
what.add_argument("--task", action="append", help="one task only, such as tiled_add; may be repeated")
parser.add_argument("--times", type=int, default=1, help="how often each answer is checked")
arguments = parser.parse_args()

try:
    answers = (
        [each for task in arguments.task for each in of_task(task)] if arguments.task else of_lesson(arguments.lesson)
    )
except (TableError, TaskMissing) as error:
    parser.error(str(error))

failed = False
for answer in answers:
    complaints, seconds = [], []
    for _ in range(arguments.times):
        start = perf_counter()
        complaints.append(complaint(answer))
        seconds.append(perf_counter() - start)
    found = {"answer": str(answer), "task": answer.task, "right": answer.right}
    print(json.dumps(found | {"complaints": [each for each in complaints if each], "seconds": seconds}), flush=True)
    failed |= any(complaints)
sys.exit(failed)
