package stowage.report;

import stowage.onchip.Grouping;
import stowage.packing.Status;

/**
 * What {@code stowage group} tells of a run.
 *
 * @param grouping the network in groups
 * @param baseline as the file's compiler grouped and placed it; null when the file does not tell
 * @param lmem how addresses were found: {@code document}, {@code today}, {@code exact}
 * @param gmemPeak bytes of GMEM for the tensors between groups; -1 when none was planned
 * @param gmemBound its proven lower bound
 * @param gmemStatus what is known of it
 * @param seconds of planning
 */
public record GroupReport(
    Grouping grouping,
    Grouping baseline,
    String lmem,
    long gmemPeak,
    long gmemBound,
    Status gmemStatus,
    double seconds) {}
