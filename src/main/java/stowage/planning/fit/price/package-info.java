/** Lower bounds of what runs in pieces cost: bounds by paths, their proofs, and a check. */
package stowage.planning.fit.price;
