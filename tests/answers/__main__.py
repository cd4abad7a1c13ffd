"""Tests the check on all answers of one lesson, or of some tasks, and prints one line of JSON per answer.

The exit code is 1 if a check did not do what the table expects, and 2 if there is nothing to check.
"""

import argparse
import json
import random
import sys
from time import perf_counter

from answers import Answer, TableError, complaint, lesson_answers, lessons, task_answers
from course_utils.core.processes import ChildProcess, ChildProcessFailed
from course_utils.judging import Oracle
from course_utils.judging.fast import RACE_S
from course_utils.tasks import TaskMissing

SEED = 11

parser = argparse.ArgumentParser(prog="python -m answers", description=__doc__.split("\n")[0])
what = parser.add_mutually_exclusive_group(required=True)
what.add_argument("lesson", nargs="?", choices=lessons(), metavar="lesson", help="such as 03_element_loops")
what.add_argument("--task", action="append", help="one task, such as tiled_add; can be repeated")
parser.add_argument("--times", type=int, default=1, help="how many times each answer is checked")
parser.add_argument("--processes", type=int, default=1, help="the number of processes that share the answers")
parser.add_argument(
    "--part", type=int, nargs=2, default=(0, 1), metavar=("K", "N"), help="every N-th answer, from the K-th"
)


def check_in_processes(count: int) -> bool:
    """Check a part of the answers in each of ``count`` processes; return whether there were no complaints."""
    rest = [*sys.argv[1:], "--processes", "1", "--part"]
    children = [ChildProcess(["-m", "answers", *rest, str(part), str(count)]) for part in range(count)]
    passed = True
    for child in children:
        with child:
            try:
                for report in child.answers():
                    print(json.dumps(report), flush=True)
            except ChildProcessFailed as failed:
                passed = False
                sys.stderr.write(failed.stderr)
    return passed


def load_answers(arguments: argparse.Namespace) -> list[Answer]:
    """Return the answers that the command line names, as new functions."""
    if arguments.task:
        return [answer for task in arguments.task for answer in task_answers(task)]
    return lesson_answers(arguments.lesson)


def check_here(arguments: argparse.Namespace) -> bool:
    """Check in this process; return whether there were no complaints."""
    try:
        tables = [load_answers(arguments) for _ in range(arguments.times)]
    except (TableError, TaskMissing) as error:
        parser.error(str(error))
    first, step = arguments.part
    # One check always draws the same inputs, so the tests are repeatable; repeated checks draw new inputs.
    seeds = [SEED] if arguments.times == 1 else [random.SystemRandom().randrange(2**63) for _ in range(arguments.times)]
    oracles = {seed: Oracle() for seed in seeds}
    passed = True
    for answers in list(zip(*tables))[first::step]:
        complaints, seconds = [], []
        for answer, (seed, oracle) in zip(answers, oracles.items()):
            start = perf_counter()
            # Right answers race only in repeated checks and in the solutions' notebooks.
            race_s = 0.0 if answer.right and arguments.times == 1 else RACE_S
            message = complaint(answer, seed, oracle, race_s)
            seconds.append(perf_counter() - start)
            complaints += [f"{message} (seed {seed})"] if message else []
        report = {"answer": str(answer), "task": answer.task, "right": answer.right}
        print(json.dumps(report | {"complaints": complaints, "seconds": seconds}), flush=True)
        passed &= not complaints
    return passed


arguments = parser.parse_args()
sys.exit(not (check_in_processes(arguments.processes) if arguments.processes > 1 else check_here(arguments)))
