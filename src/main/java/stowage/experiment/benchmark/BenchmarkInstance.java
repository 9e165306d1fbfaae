package stowage.experiment.benchmark;

import java.util.function.Supplier;
import stowage.packing.PackingProblem;

/**
 * One instance of a benchmark, made or read only when its turn comes.
 *
 * @param name how the table names it
 * @param capacity the bytes to fit into, where the first plan within them ends the run; null where
 *     the peak is lowered as far as possible
 * @param problem makes or reads it
 */
public record BenchmarkInstance(String name, Long capacity, Supplier<PackingProblem> problem) {}
