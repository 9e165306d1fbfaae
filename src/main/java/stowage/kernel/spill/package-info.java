/**
 * Spills of a kernel: the question at a fixed order, and exact searches over all orders of small
 * graphs; stopped early they give bounds.
 */
package stowage.kernel.spill;
