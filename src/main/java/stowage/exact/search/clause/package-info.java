/**
 * A search that learns: lowest and highest offsets, the rules that narrow them, and clauses about
 * them drawn from every failure.
 */
package stowage.exact.search.clause;
