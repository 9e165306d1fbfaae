/** Bounds by OR-Tools: the linear programme of the gaps and the integer form. */
package stowage.rewrite.recompute.cpsat;
