/** Sequences within the limit: the exact search, insertions, annealing. */
package stowage.rewrite.recompute.search;
