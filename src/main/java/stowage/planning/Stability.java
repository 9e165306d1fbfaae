package stowage.planning;

import stowage.heuristic.EarlierPlaces;

/**
 * Distance of a plan from an earlier one.
 *
 * @param from the earlier plan's file
 * @param byId buffers that were found there by their id
 * @param byShape others that were found by size and live range
 * @param moves the buffers that have an earlier place, and those of them that are elsewhere now
 * @param movedAtLeast bytes that every plan below the same peaks moves; -1 where that was not asked
 * @param pinned whether everything that could stay was pinned
 * @param pinnedBound with pins: no plan that keeps them has a lower peak; -1 otherwise
 */
public record Stability(
    String from,
    int byId,
    int byShape,
    EarlierPlaces.Moves moves,
    long movedAtLeast,
    boolean pinned,
    long pinnedBound) {}
