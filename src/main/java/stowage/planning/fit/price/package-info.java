/**
 * What pieces and repetitions cost, and lower bounds of it: by paths, their proofs, and a check.
 */
package stowage.planning.fit.price;
