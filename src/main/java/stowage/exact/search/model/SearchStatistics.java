package stowage.exact.search.model;

/**
 * What a search has done.
 *
 * @param nodes states explored by all workers
 * @param nogoodHits states cut off because they had failed before
 * @param restarts searches begun
 * @param winner who found the answer, for example {@code search TWA}; empty where no one has
 */
public record SearchStatistics(long nodes, long nogoodHits, long restarts, String winner) {}
