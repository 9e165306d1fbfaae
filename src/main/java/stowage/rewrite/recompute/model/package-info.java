/**
 * What may be computed again, as arrays: sequences and their bytes, the gap bound, its certificate.
 */
package stowage.rewrite.recompute.model;
