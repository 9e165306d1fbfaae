"""Verifier of plans, from the problem's own words: it shares no code with the planner."""

from __future__ import annotations

from typing import Any, Iterator, Mapping, Sequence

Json = Mapping[str, Any]


def faults(problem: Json, placements: Sequence[Json]) -> list[str]:
    """What is wrong with placements of a problem, both as in Stowage's JSON; empty when valid."""
    memories = {m["name"]: m for m in problem.get("memories") or [{"name": "main"}]}
    buffers = {b["id"]: b for b in problem["buffers"]}
    at = {p["id"]: (p["offset"], p.get("memory") or next(iter(memories))) for p in placements}
    if at.keys() != buffers.keys() or len(at) != len(placements):
        return ["the plan does not place every buffer of the problem once"]
    found = []
    for name, buffer in buffers.items():
        if at[name][1] not in memories or at[name][1] not in (buffer.get("memories") or memories):
            found.append(f'buffer "{name}" may not lie in memory "{at[name][1]}"')
        else:
            found += [f'buffer "{name}" {why}' for why in _alone(buffer, *at[name], memories)]
    events = []  # ends sort before starts at one step: ranges are half-open
    for name, buffer in buffers.items():
        for start, end, low, high in _spans(buffer):
            events += [(start, 1, name, at[name][0] + low, at[name][0] + high), (end, 0, name, 0, 0)]
    live: dict[str, tuple[int, int]] = {}
    for step, starts, name, low, high in sorted(events):
        for other, (bottom, top) in live.items() if starts else ():
            if low < top and bottom < high and at[name][1] == at[other][1]:
                found.append(f'buffers "{name}" and "{other}" overlap at step {step}')
        live.update({name: (low, high)}) if starts else live.pop(name)
    for a, b in problem.get("conflicts") or []:
        (low, here), (bottom, there), one, two = at[a], at[b], buffers[a], buffers[b]
        if low < bottom + two["size"] and bottom < low + one["size"] and here == there and _alive(one) and _alive(two):
            found.append(f'buffers "{a}" and "{b}" conflict and share bytes')
    return found


def _alone(buffer: Json, offset: int, where: str, memories: Mapping[str, Json]) -> list[str]:
    memory, end = memories[where], offset + buffer["size"]
    capacity = memory.get("capacity") if _alive(buffer) else None
    bank = memory.get("bankSize", 0) if buffer.get("withinBank") and buffer["size"] else 0
    rules = {
        "cannot be addressed": not 0 <= offset <= end < 1 << 63,
        "is not at its fixed offset": buffer.get("offset", -1) not in (-1, offset),
        "is not aligned": offset % buffer.get("alignment", 1) or offset % memory.get("alignment", 1),
        f"ends beyond the capacity {capacity}": capacity is not None and end > capacity,
        "crosses a border between banks": bank and offset // bank != (end - 1) // bank,
    }
    return [f"at {offset} {rule}" for rule, broken in rules.items() if broken]


def _alive(buffer: Json) -> bool:
    return bool(buffer["size"] > 0 and buffer["lower"] < buffer["upper"])


def _spans(buffer: Json) -> Iterator[tuple[int, int, int, int]]:
    """Steps [start, end) in which the same bytes [low, high) of the buffer are needed."""
    gaps = sorted((g["lower"], g["upper"], *(g.get("window") or (0, 0))) for g in buffer.get("gaps") or [])
    starts = [buffer["lower"], *(g[1] for g in gaps)]
    whole = [(s, e, 0, buffer["size"]) for s, e in zip(starts, [*(g[0] for g in gaps), buffer["upper"]])]
    yield from (s for s in whole + gaps if s[0] < s[1] and s[2] < s[3])
