/** A search that learns: ranges of offsets, rules that narrow them, clauses from every failure. */
package stowage.exact.search.clause;
