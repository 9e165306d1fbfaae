/** Exact searches over all orders of a kernel, for small graphs; stopped early they give bounds. */
package stowage.residency.exact;
