/** What may be computed again, as arrays: sequences, their bytes, the gap bound, its proof. */
package stowage.rewrite.recompute.model;
