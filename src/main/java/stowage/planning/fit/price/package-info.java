/**
 * What runs of ops in pieces cost at least: bounds by paths, their proofs, and the check of these.
 */
package stowage.planning.fit.price;
