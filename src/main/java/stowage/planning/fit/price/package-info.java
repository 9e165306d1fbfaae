/**
 * Lower bounds of what runs of ops in pieces cost: bounds by paths, their proofs, and a check of
 * the proofs.
 */
package stowage.planning.fit.price;
