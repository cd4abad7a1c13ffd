"""Checks all answers of one lesson, or of some tasks, and prints one line of JSON for each.

It exits with 1 where the check did not do what the table says, with 2 where there is nothing to check.
"""

import argparse
import json
import random
import sys
from time import perf_counter

from answers import Answer, TableError, complaint, lessons, of_lesson, of_task
from course_utils.core.processes import ChildProcess, ChildProcessFailed
from course_utils.judging import Oracle
from course_utils.tasks import TaskMissing

parser = argparse.ArgumentParser(prog="python -m answers", description=__doc__.split("\n")[0])
what = parser.add_mutually_exclusive_group(required=True)
what.add_argument("lesson", nargs="?", choices=lessons(), metavar="lesson", help="such as 03_element_loops")
what.add_argument("--task", action="append", help="one task only, such as tiled_add; may be repeated")
parser.add_argument("--times", type=int, default=1, help="how often each answer is checked")
parser.add_argument("--processes", type=int, default=1, help="share the answers among so many processes")
parser.add_argument(
    "--part", type=int, nargs=2, default=(0, 1), metavar=("K", "N"), help="only each N-th, from the K-th"
)


def in_processes(count: int) -> bool:
    """Let so many processes check a part each; whether all went as the table says."""
    rest = [*sys.argv[1:], "--processes", "1", "--part"]
    children = [ChildProcess(["-m", "answers", *rest, str(part), str(count)]) for part in range(count)]
    well = True
    for child in children:
        with child:
            try:
                for found in child.answers():
                    print(json.dumps(found), flush=True)
            except ChildProcessFailed as failed:
                well = False
                sys.stderr.write(failed.stderr)
    return well


def asked(arguments: argparse.Namespace) -> list[Answer]:
    """The answers that are to be checked, made anew."""
    if arguments.task:
        return [answer for task in arguments.task for answer in of_task(task)]
    return of_lesson(arguments.lesson)


def here(arguments: argparse.Namespace) -> bool:
    """Check in this process; whether all went as the table says."""
    try:
        tables = [asked(arguments) for _ in range(arguments.times)]
    except (TableError, TaskMissing) as error:
        parser.error(str(error))
    first, step = arguments.part
    oracles = {random.SystemRandom().randrange(2**63): Oracle() for _ in range(arguments.times)}
    well = True
    for answers in list(zip(*tables))[first::step]:
        complaints, seconds = [], []
        for answer, (seed, oracle) in zip(answers, oracles.items()):
            start = perf_counter()
            told = complaint(answer, seed, oracle)
            seconds.append(perf_counter() - start)
            complaints += [f"{told} (seed {seed})"] if told else []
        found = {"answer": str(answer), "task": answer.task, "right": answer.right}
        print(json.dumps(found | {"complaints": complaints, "seconds": seconds}), flush=True)
        well &= not complaints
    return well


given = parser.parse_args()
sys.exit(not (in_processes(given.processes) if given.processes > 1 else here(given)))
