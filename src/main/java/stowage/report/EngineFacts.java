package stowage.report;

/**
 * What a complete engine did in a run.
 *
 * @param name its name
 * @param version the solver behind it and its version
 * @param seconds how long it ran, by the clock; one that came twice counts together
 * @param found the first figure of the last plan that was the best when it found it; null for none
 * @param proved the last bound of the first figure that was the best when it proved it; null for
 *     none
 * @param branches branches or nodes it explored
 * @param conflicts conflicts or failures it met
 * @param bound the bound it answers for, in bytes; null when it has none
 */
public record EngineFacts(
    String name,
    String version,
    double seconds,
    Long found,
    Long proved,
    long branches,
    long conflicts,
    Long bound) {}
