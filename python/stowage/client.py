"""Client of `stowage serve`: problems in, verified plans out."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Dict, Mapping, Optional, Sequence, Set, Tuple, Type, Union

from .verify import faults

Json = Dict[str, Any]


class StowageError(Exception):
    """What Stowage refused or failed at; `code` is an exit code of its command line."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class InvalidPlanError(Exception):
    """An answer that the verifier here does not accept."""


class Problem:
    """A list of buffers with given live ranges; sizes are bytes, ranges of steps half-open."""

    def __init__(self, name: str = "problem") -> None:
        self._json: Json = {"schemaVersion": 1, "name": name, "buffers": []}
        self._ids: Set[str] = set()

    def memory(
        self, name: str, capacity: Optional[int] = None, alignment: int = 1, base: int = 0, bank_size: int = 0
    ) -> str:
        """Adds a memory, the most wanted first; without any there is one, without a capacity."""
        row = {"name": name, "capacity": capacity, "alignment": alignment, "base": base, "bankSize": bank_size}
        self._json.setdefault("memories", []).append(row)
        return name

    def buffer(
        self,
        size: int,
        lower: int,
        upper: int,
        *,
        id: Optional[str] = None,
        alignment: int = 1,
        offset: Optional[int] = None,
        gaps: Sequence[Tuple[int, int]] = (),
        memories: Sequence[str] = (),
        within_bank: bool = False,
    ) -> int:
        """Adds a buffer alive in steps [lower, upper) and returns its handle: 0, 1, 2, ..."""
        handle = len(self._json["buffers"])
        name = id or f"b{handle}"
        for field_name, value, least in (("size", size, 0), ("lower", lower, 0), ("alignment", alignment, 1)):
            if value < least:
                raise ValueError(f"buffer {name}: {field_name} {value} should be {least} or more")
        if upper < lower:
            raise ValueError(f"buffer {name}: upper {upper} should be at least lower, {lower}")
        if offset is not None and offset < 0:
            raise ValueError(f"buffer {name}: offset {offset} should be 0 or more")
        if name in self._ids:
            raise ValueError(f"buffer {name}: there is a buffer of this id already")
        known = {memory["name"] for memory in self._json.get("memories", [])}
        for memory in memories:
            if memory not in known:
                raise ValueError(f"buffer {name}: memory {memory} should be one of {', '.join(sorted(known)) or 'none'}")
        row: Json = {"id": name, "lower": lower, "upper": upper, "size": size}
        if alignment != 1:
            row["alignment"] = alignment
        if offset is not None:
            row["offset"] = offset
        if gaps:
            row["gaps"] = [{"lower": start, "upper": end} for start, end in gaps]
        if memories:
            row["memories"] = list(memories)
        if within_bank:
            row["withinBank"] = True
        self._ids.add(name)
        self._json["buffers"].append(row)
        return handle

    def __repr__(self) -> str:
        return f"Problem({self._json['name']!r}, {len(self._json['buffers'])} buffers)"

    def conflict(self, first: int, second: int) -> None:
        """Forbids two buffers to share an address, although their live ranges may be disjoint."""
        ids = [self._json["buffers"][handle]["id"] for handle in (first, second)]
        self._json.setdefault("conflicts", []).append(ids)

    def json(self) -> Json:
        """The problem in Stowage's packing format."""
        return json.loads(json.dumps(self._json))  # type: ignore[no-any-return]


@dataclass(frozen=True, repr=False)
class Plan:
    """The answer to a problem; `answer` is all of it as JSON."""

    answer: Json
    _places: Mapping[str, Json] = field(repr=False)

    def __repr__(self) -> str:
        return f"Plan({self.status}, peak={self.peak}, {len(self._places)} buffers)"

    @property
    def status(self) -> str:
        """OPTIMAL, FEASIBLE, INFEASIBLE (proven) or UNKNOWN."""
        return str(self.answer["status"])

    @property
    def peak(self) -> Optional[int]:
        """Bytes, of the memory whose peak counts first; None without a placement."""
        return self.answer["peak"]  # type: ignore[no-any-return]

    @property
    def lower_bound(self) -> int:
        """Bytes that no plan is below."""
        return self.answer["lowerBound"]  # type: ignore[no-any-return]

    @property
    def gap(self) -> Optional[float]:
        """(peak - bound) / bound; None where either is missing."""
        return self.answer["gap"]  # type: ignore[no-any-return]

    @property
    def proof(self) -> str:
        """Why no plan is below the bound, or why none fits."""
        why = self.answer.get("infeasibility") or self.answer.get("certificate")
        return str(why["reason"]) if why else "No lower bound is proven."

    @property
    def has_placement(self) -> bool:
        return bool(self.answer["peak"] is not None)

    def offset(self, buffer: Union[int, str]) -> int:
        """Bytes from the start of its memory, of a buffer by handle or id."""
        return self._place(buffer)["offset"]  # type: ignore[no-any-return]

    def memory(self, buffer: Union[int, str]) -> Optional[str]:
        """The name of the memory a buffer lies in; None where the problem has only one."""
        return self._place(buffer).get("memory")

    def _place(self, buffer: Union[int, str]) -> Json:
        if not self.has_placement:
            raise StowageError(5, f"there is no placement; the status is {self.status}")
        place = self.answer["placements"][buffer] if isinstance(buffer, int) else self._places[buffer]
        return place


class Task:
    """A question under way."""

    def __init__(self, planner: "Planner", number: int, problem: Optional[Json]) -> None:
        self._planner = planner
        self._number = number
        self._problem = problem
        self._answer: "Future[Json]" = Future()

    def cancel(self) -> None:
        """Ends the run with its best plan so far; `result` returns it."""
        self._planner._send({"cancel": self._number})

    def done(self) -> bool:
        """Whether the answer is there."""
        return self._answer.done()

    def result(self, timeout: Optional[float] = None) -> Plan:
        """Waits for the plan, verified; raises StowageError where Stowage refused."""
        said = self._answer.result(timeout)
        if "error" in said:
            raise StowageError(said["error"]["code"], said["error"]["message"])
        answer: Json = said["result"]
        if self._problem is not None and answer["peak"] is not None:
            _check(self._problem, answer)
        return Plan(answer, {place["id"]: place for place in answer["placements"]})


def _check(problem: Json, answer: Json) -> None:
    wrong = faults(problem, answer["placements"])
    if wrong:
        raise InvalidPlanError(f"{problem.get('name')}: {wrong[0]}")
    last = (problem.get("memories") or [{"name": None}])[-1]["name"]
    ends = [
        place["offset"] + place["size"]
        for place in answer["placements"]
        if place["size"] > 0 and place["lower"] < place["upper"] and place.get("memory") in (None, last)
    ]
    if max(ends, default=0) != answer["peak"] or answer["lowerBound"] > answer["peak"]:
        raise InvalidPlanError(f"{problem.get('name')}: peak {answer['peak']} or bound {answer['lowerBound']} is wrong")


class Planner:
    """A running `stowage serve`; any number of threads may share one."""

    def __init__(self, command: Optional[Sequence[str]] = None) -> None:
        """Starts the command: given in parts, or $STOWAGE, or `stowage` on the PATH."""
        if command is None:
            found = os.environ.get("STOWAGE") or shutil.which("stowage")
            if not found:
                raise StowageError(2, "no stowage command: set STOWAGE to its path, or put it on the PATH")
            command = [found]
        try:
            self._process = subprocess.Popen(
                [*command, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
            )
        except OSError as missing:
            raise StowageError(
                2, f"{command[0]} cannot be run ({missing.strerror}): set STOWAGE to the path of the stowage command"
            ) from missing
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._tasks: Dict[int, Task] = {}
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def submit(
        self,
        problem: Union[Problem, Json, str, "os.PathLike[str]"],
        *,
        time_limit: Optional[float] = None,
        work_limit: Optional[float] = None,
        threads: Optional[int] = None,
        seed: Optional[int] = None,
        capacity: Optional[int] = None,
        first_fit: Optional[bool] = None,
        effort: Optional[str] = None,
        engines: Optional[Sequence[str]] = None,
    ) -> Task:
        """Asks for a plan in the background; the options are those of `plan`."""
        options = _options(
            time_limit=time_limit,
            work_limit=work_limit,
            threads=threads,
            seed=seed,
            capacity=capacity,
            first_fit=first_fit,
            effort=effort,
            engines=engines,
        )
        known: Optional[Json] = None
        if isinstance(problem, Problem):
            known = problem.json()
        elif isinstance(problem, dict):
            known = problem
        request: Json = {"options": options}
        if known is None:
            request["path"] = os.path.abspath(os.fspath(problem))  # type: ignore[arg-type]
        else:
            request["problem"] = known
        if known is not None and capacity is not None:
            known = json.loads(json.dumps(known))
            known.setdefault("memories", [{"name": "main"}])[-1]["capacity"] = capacity
        task = Task(self, next(self._numbers), known)
        with self._lock:
            if self._ended:
                raise StowageError(1, "stowage serve has ended")
            self._tasks[task._number] = task
        self._send({"id": task._number, **request})
        return task

    def plan(
        self,
        problem: Union[Problem, Json, str, "os.PathLike[str]"],
        *,
        time_limit: Optional[float] = None,
        work_limit: Optional[float] = None,
        threads: Optional[int] = None,
        seed: Optional[int] = None,
        capacity: Optional[int] = None,
        first_fit: Optional[bool] = None,
        effort: Optional[str] = None,
        engines: Optional[Sequence[str]] = None,
    ) -> Plan:
        """Plans and waits; as the function of this name."""
        return self.submit(
            problem,
            time_limit=time_limit,
            work_limit=work_limit,
            threads=threads,
            seed=seed,
            capacity=capacity,
            first_fit=first_fit,
            effort=effort,
            engines=engines,
        ).result()

    def close(self) -> None:
        """Waits for what is under way, and ends the process."""
        assert self._process.stdin
        with self._lock:
            self._process.stdin.close()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout
        self._process.stdout.close()

    def __enter__(self) -> "Planner":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if kind is not None:
            self._process.terminate()
        self.close()

    def _send(self, request: Json) -> None:
        assert self._process.stdin
        line = json.dumps(request, separators=(",", ":"))
        with self._lock:
            try:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass  # the process has ended; the reader answers what is open

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            said = json.loads(line)
            with self._lock:
                task = self._tasks.pop(said["id"], None)
            if task is not None:
                task._answer.set_result(said)
        with self._lock:
            left, self._tasks, self._ended = list(self._tasks.values()), {}, True
        for task in left:
            task._answer.set_result({"error": {"code": 1, "message": "stowage serve ended without an answer"}})


def _options(**given: Any) -> Json:
    """The options that are set, by the names of the request."""
    words = {key: key.split("_") for key in given}
    names = {key: parts[0] + "".join(part.title() for part in parts[1:]) for key, parts in words.items()}
    return {names[key]: value for key, value in given.items() if value is not None}


def plan(
    problem: Union[Problem, Json, str, "os.PathLike[str]"],
    *,
    time_limit: Optional[float] = None,
    work_limit: Optional[float] = None,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    capacity: Optional[int] = None,
    first_fit: Optional[bool] = None,
    effort: Optional[str] = None,
    engines: Optional[Sequence[str]] = None,
) -> Plan:
    """Plans one problem and waits for it.

    Options: time_limit (seconds), work_limit (work units, deterministic), threads, seed, capacity
    (bytes of the last memory), first_fit (end at the first plan that fits), effort ("fast",
    "normal", "proof"), engines (names).
    """
    with Planner() as planner:
        return planner.plan(
            problem,
            time_limit=time_limit,
            work_limit=work_limit,
            threads=threads,
            seed=seed,
            capacity=capacity,
            first_fit=first_fit,
            effort=effort,
            engines=engines,
        )
