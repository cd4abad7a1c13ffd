"""Answers to ordered_map."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed

from answers import AnswersTo

answers = AnswersTo("ordered_map")
answers.exception("the slow loop itself", "correct", says="computed in this process")


@answers.right("ProcessPoolExecutor.map")
def by_executor(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(fn, items))


@answers.right("Pool.map")
def by_pool(fn, items, workers):
    with multiprocessing.Pool(workers) as pool:
        return pool.map(fn, items)


@answers.right("a list of futures")
def by_futures(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        futures = [pool.submit(fn, item) for item in items]
        return [future.result() for future in futures]


@answers.wrong("a loop in this process", "correct", says="computed in this process")
def one_by_one(fn, items, workers):
    return [fn(item) for item in items]


@answers.wrong("a pool only if each worker has an item", "correct", says="a single item")
def pool_for_many(fn, items, workers):
    if len(items) < workers:
        return [fn(item) for item in items]
    with multiprocessing.Pool(workers) as pool:
        return pool.map(fn, items)


@answers.wrong("a loop after an error", "correct", says="raises ValueError: Some results were computed in this process")
def loop_after_an_error(fn, items, workers):
    try:
        return by_executor(fn, items, workers)
    except ValueError:
        return one_by_one(fn, items, workers)


@answers.wrong("threads", "correct", says="perhaps in a thread")
def by_threads(fn, items, workers):
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(fn, items))


@answers.wrong("the order of completion", "correct", says="not in the order of the items")
def as_they_complete(fn, items, workers):
    with ProcessPoolExecutor(2) as pool:
        return [future.result() for future in as_completed([pool.submit(fn, item) for item in items])]


@answers.wrong("a lambda", "correct", says="write it with def at the top level")
def by_lambda(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(lambda item: fn(item), items))


@answers.wrong("an iterator", "correct", says="return a list")
def an_iterator(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        return pool.map(fn, items)


@answers.wrong("a new process per item", "correct", says="`workers` is 2")
def a_process_per_item(fn, items, workers):
    results = []
    for item in items:
        with ProcessPoolExecutor(1) as pool:
            results.append(pool.submit(fn, item).result())
    return results


@answers.wrong("a pool that is never closed", "correct", says="still run")
def never_closed_pool(fn, items, workers):
    pool = multiprocessing.Pool(workers)
    never_closed_pool.pools = [pool]
    return pool.map(fn, items)


@answers.wrong("drops errors", "correct", says="should raise ValueError")
def without_errors(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        futures = [pool.submit(fn, item) for item in items]
        return [future.result() for future in futures if future.exception() is None]


@answers.wrong("results sorted by item", "correct", says="not in the order of the items")
def sorted_by_items(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        results = dict(zip(items, pool.map(fn, items)))
    return [results[item] for item in sorted(items)]


@answers.wrong("items as keys", "correct", says="unhashable type")
def items_as_keys(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        results = dict(zip(dict.fromkeys(items), pool.map(fn, items)))
    return [results[item] for item in items]


@answers.wrong("drops results that are False", "correct", says="Expected 4 results")
def without_false(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        return [result for result in pool.map(fn, items) if result]


@answers.wrong("drops results that are None", "correct", says="Expected 4 results")
def without_none(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        return [result for result in pool.map(fn, items) if result is not None]


@answers.wrong("ValueError for every error", "correct", says="should raise TypeError")
def another_error(fn, items, workers):
    try:
        return by_executor(fn, items, workers)
    except (ValueError, TypeError) as error:
        raise ValueError(str(error)) from None


@answers.wrong("another message", "correct", says="raise the same error")
def another_message(fn, items, workers):
    try:
        return by_executor(fn, items, workers)
    except (ValueError, TypeError) as error:
        raise type(error)("an item failed") from None


@answers.wrong("equal items once", "correct", says="many are equal")
def equal_items_once(fn, items, workers):
    with ProcessPoolExecutor(workers) as pool:
        results = {str(item): pool.submit(fn, item) for item in items}
        return [each.result() for each in results.values()]
