/**
 * Stretches of ops in pieces: what is live while one runs, and the cheapest path over those between
 * cuts of the order.
 */
package stowage.planning.fit.piece;
