package stowage.kernel.model;

/**
 * What a plan of a kernel costs.
 *
 * @param residency the largest sum of sizes of buffers between ALLOC and FREE, over all caches
 * @param traffic units moved by spills
 * @param cycles when the last node ends; -1 for an order without addresses
 */
public record KernelFigures(long residency, long traffic, long cycles, int spills) {}
