package stowage.exact.engine;

import java.util.SortedMap;

/**
 * What an engine did in one run.
 *
 * @param seconds how long it ran, by the clock
 * @param version the solver behind it and its version
 * @param statistics figures by name: {@code branches}, {@code conflicts}, {@code solves}
 * @param bound the highest bound of the first figure that the engine itself can answer for, in
 *     bytes: its own word or the certificates it started from
 * @param log the engine's own log, beginning with the parameters as the engine echoes them
 */
public record EngineReport(
    String engine,
    double seconds,
    String version,
    SortedMap<String, Long> statistics,
    long bound,
    String log) {}
