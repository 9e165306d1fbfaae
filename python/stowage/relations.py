"""The part of the verifier that knows relations between buffers, and what a plan's reuse costs."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping, Sequence, Tuple

from .verify import alive, spans

Json = Mapping[str, Any]
Place = Tuple[int, str]


def sharing(problem: Json) -> Callable[[str, str], bool]:
    """Which pairs of ids may share bytes while both are alive: exclusive ones and those together."""
    pairs = {frozenset(pair) for pair in problem.get("exclusive") or []}
    pairs |= {frozenset((pair["a"], pair["b"])) for pair in problem.get("together") or []}
    held = {b["id"] for b in problem["buffers"] if b.get("holdsPlace")}
    return lambda a, b: a not in held and b not in held and frozenset((a, b)) in pairs


def broken(problem: Json, at: Mapping[str, Place], memories: Mapping[str, Json]) -> Iterator[str]:
    """Pairs that should be apart, in other banks or together, and are not."""
    buffers = {b["id"]: b for b in problem["buffers"]}
    for a, b in [*(problem.get("conflicts") or []), *(problem.get("apart") or [])]:
        if _share(buffers[a], at[a], buffers[b], at[b], 1):
            yield f'buffers "{a}" and "{b}" should be apart and share bytes'
    for a, buffer in buffers.items():
        bank = memories.get(at[a][1], {}).get("bankSize", 0)
        for b in buffer.get("otherBankThan") or []:
            if _share(buffer, at[a], buffers[b], at[b], bank):
                yield f'buffers "{a}" and "{b}" share a bank'
    for pair in problem.get("together") or []:
        (low, here), (high, there) = at[pair["a"]], at[pair["b"]]
        if here != there or high - low != pair.get("distance", 0):
            yield f'buffers "{pair["a"]}" and "{pair["b"]}" are not at their distance'


def reuse_cost(problem: Json, placements: Sequence[Json]) -> int:
    """What a plan pays: the weights of reuse pairs that share an address and are never alive at once."""
    first = (problem.get("memories") or [{"name": "main"}])[0]["name"]
    at = {p["id"]: (p["offset"], p.get("memory") or first) for p in placements}
    buffers = {b["id"]: b for b in problem["buffers"]}
    exclusive = {frozenset(pair) for pair in problem.get("exclusive") or []}
    cost = 0
    for pair in problem.get("reuse") or []:
        a, b = pair["a"], pair["b"]
        meet = any(s[0] < t[1] and t[0] < s[1] for s in spans(buffers[a]) for t in spans(buffers[b]))
        if _share(buffers[a], at[a], buffers[b], at[b], 1) and (not meet or frozenset((a, b)) in exclusive):
            cost += pair.get("weight", 1)
    return cost


def _share(one: Json, here: Place, two: Json, there: Place, unit: int) -> bool:
    """Whether both have bytes in the same unit of one memory; never where the unit is 0."""
    if unit == 0 or here[1] != there[1] or not (alive(one) and alive(two)):
        return False
    ends = (here[0] + one["size"] - 1) // unit, (there[0] + two["size"] - 1) // unit
    return here[0] // unit <= ends[1] and there[0] // unit <= ends[0]
