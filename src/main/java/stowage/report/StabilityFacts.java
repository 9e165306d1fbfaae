package stowage.report;

/**
 * How far a plan is from an earlier one.
 *
 * @param from the earlier plan's file
 * @param byId buffers that were found there by their id
 * @param byShape others that were found by size and life
 * @param known buffers that need memory and have an earlier place
 * @param knownBytes their bytes
 * @param moved how many of them are elsewhere now
 * @param movedBytes the bytes of these
 * @param movedAtLeast bytes that every plan below the same peaks moves; -1 where that was not asked
 * @param pinned whether everything that could stay was pinned
 * @param pinnedBound with pins: no plan that keeps them has a lower peak; -1 otherwise
 */
public record StabilityFacts(
    String from,
    int byId,
    int byShape,
    int known,
    long knownBytes,
    int moved,
    long movedBytes,
    long movedAtLeast,
    boolean pinned,
    long pinnedBound) {}
