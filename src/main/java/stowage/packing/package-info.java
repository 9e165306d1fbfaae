/**
 * The packing problem and its answer: buffers with fixed live ranges, the memories they may be in,
 * placements, plans, bounds with certificates, and a verifier that shares no code with planners.
 *
 * <p>Sizes, offsets and capacities are bytes ({@code long}); steps are positions in the execution
 * order ({@code int}); every range is half-open. This package knows nothing of the others.
 */
package stowage.packing;
