"""Times `stowage serve` on random problems: python3 python/tests/bench_serve.py --help."""

import argparse
import os
import random
import statistics
import time
from typing import Dict

import stowage


def problem(chance: random.Random, buffers: int) -> stowage.Problem:
    made = stowage.Problem("random")
    for _ in range(buffers):
        start = chance.randrange(buffers)
        made.buffer(chance.randrange(1, 100_000), start, start + 1 + chance.randrange(max(1, buffers // 8)))
    return made


def resident(pid: int) -> int:
    """Megabytes of memory of a process, where Linux tells."""
    path = f"/proc/{pid}/statm"
    if not os.path.exists(path):
        return 0
    with open(path) as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--buffers", type=int, default=100)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--effort", default="fast")
    parser.add_argument("--time-limit", type=float)
    chosen = parser.parse_args()
    chance = random.Random(5)
    seconds, runs = [], []
    statuses: Dict[str, int] = {}
    with stowage.Planner() as planner:
        pid = planner._process.pid
        for k in range(chosen.count):
            asked = problem(chance, chosen.buffers)
            begin = time.perf_counter()
            plan = planner.plan(asked, effort=chosen.effort, time_limit=chosen.time_limit)
            seconds.append(time.perf_counter() - begin)
            runs.append(plan.answer["seconds"])
            statuses[plan.status] = statuses.get(plan.status, 0) + 1
            if k + 1 in (chosen.count // 10, chosen.count // 2, chosen.count):
                print(f"after {k + 1}: {resident(pid)} MB")
        time.sleep(4)
        print(f"idle: {resident(pid)} MB")
    print(f"request to verified plan: median {1e3 * statistics.median(seconds):.1f} ms, first {1e3 * seconds[0]:.0f} ms")
    print(f"the run alone: median {1e3 * statistics.median(runs):.1f} ms, longest {1e3 * max(runs[1:] or runs):.0f} ms")
    print(", ".join(f"{count} {status}" for status, count in sorted(statuses.items())))


if __name__ == "__main__":
    main()
