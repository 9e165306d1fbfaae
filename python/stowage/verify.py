"""Verifier of plans, from the problem definition: it shares no code with the planner."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

Json = Mapping[str, Any]
FOREVER = 1 << 40  # beyond every step


def faults(problem: Json, placements: Sequence[Json]) -> List[str]:
    """What is wrong with placements of a problem, both as in Stowage's JSON; empty when valid."""
    from . import relations

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
        for start, end, low, high in spans(buffer):
            events += [(start, 1, name, at[name][0] + low, at[name][0] + high), (end, 0, name, 0, 0)]
    may_share = relations.sharing(problem)
    live: Dict[str, Tuple[int, int]] = {}
    for step, starts, name, low, high in sorted(events):
        for other, (bottom, top) in live.items() if starts else ():
            if low < top and bottom < high and at[name][1] == at[other][1] and not may_share(name, other):
                found.append(f'buffers "{name}" and "{other}" overlap at step {step}')
        live.update({name: (low, high)}) if starts else live.pop(name)
    return found + list(relations.broken(problem, at, memories))


def _alone(buffer: Json, offset: int, where: str, memories: Mapping[str, Json]) -> List[str]:
    memory, end = memories[where], offset + buffer["size"]
    capacity = memory.get("capacity") if alive(buffer) else None
    reserved = (memory.get("reserved") or []) if alive(buffer) else []
    bank = memory.get("bankSize", 0) if buffer.get("withinBank") and buffer["size"] else 0
    rules = {
        "cannot be addressed": not 0 <= offset <= end < 1 << 63,
        "is not at its fixed offset": buffer.get("offset", -1) not in (-1, offset),
        "is not aligned": offset % buffer.get("alignment", 1) or offset % memory.get("alignment", 1),
        f"ends beyond the capacity {capacity}": capacity is not None and end > capacity,
        "is in a reserved range": any(offset < r["to"] and r["from"] < end for r in reserved),
        "crosses a border between banks": bank and offset // bank != (end - 1) // bank,
    }
    return [f"at {offset} {rule}" for rule, broken in rules.items() if broken]


def alive(buffer: Json) -> bool:
    """Whether the buffer needs memory: it has a size, and a step in its life, gaps included."""
    lives = buffer.get("intervals") or [[buffer.get("lower"), buffer.get("upper")]]
    return bool(buffer["size"] > 0 and (buffer.get("holdsPlace") or min(i[0] for i in lives) < max(i[1] for i in lives)))


def spans(buffer: Json) -> Iterator[Tuple[int, int, int, int]]:
    """Steps [start, end) in which the same bytes [low, high) of the buffer are needed."""
    gaps = [(g["lower"], g["upper"], *(g.get("window") or (0, 0))) for g in buffer.get("gaps") or []]
    lives = sorted(buffer.get("intervals") or [[buffer.get("lower"), buffer.get("upper")]])
    start = end = lives[0][0]
    for lower, upper in lives:  # between two intervals nothing is needed
        gaps += [(end, lower, 0, 0)] if lower > end else []
        end = max(end, upper)
    gaps.sort()
    whole = [(s, e, 0, buffer["size"]) for s, e in zip([start, *(g[1] for g in gaps)], [*(g[0] for g in gaps), end])]
    found = [(-FOREVER, FOREVER, 0, buffer["size"])] if buffer.get("holdsPlace") else whole + gaps
    yield from (s for s in found if s[0] < s[1] and s[2] < s[3])
