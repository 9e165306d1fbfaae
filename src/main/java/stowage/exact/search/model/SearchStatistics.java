package stowage.exact.search.model;

/**
 * What a search has done.
 *
 * @param nodes states explored by all workers
 * @param nogoodHits states cut off because they had failed before
 * @param restarts searches begun
 * @param finder the worker that found the placement, such as {@code search TWA}; empty for none
 * @param prover the worker that proved the bound, or that nothing fits; empty where none did
 */
public record SearchStatistics(
    long nodes, long nogoodHits, long restarts, String finder, String prover) {}
