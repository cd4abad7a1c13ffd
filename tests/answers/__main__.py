"""Checks all answers of one lesson in this process and prints one line of JSON for each."""

import argparse
import json
from time import perf_counter

from answers import complaint, of

parser = argparse.ArgumentParser(prog="python -m answers", description=__doc__)
parser.add_argument("lesson", help="such as 03_element_loops")
parser.add_argument("--times", type=int, default=1, help="how often each answer is checked")
arguments = parser.parse_args()

for answer in of(arguments.lesson):
    complaints, seconds = [], []
    for _ in range(arguments.times):
        start = perf_counter()
        complaints.append(complaint(answer))
        seconds.append(perf_counter() - start)
    found = {"answer": str(answer), "task": answer.task, "right": answer.right}
    print(json.dumps(found | {"complaints": [each for each in complaints if each], "seconds": seconds}), flush=True)
