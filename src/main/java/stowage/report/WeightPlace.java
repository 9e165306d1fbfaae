package stowage.report;

/**
 * A weight in memory.
 *
 * @param tensor its name
 * @param offset bytes from the weights' base
 * @param bytes its size
 */
public record WeightPlace(String tensor, long offset, long bytes) {}
