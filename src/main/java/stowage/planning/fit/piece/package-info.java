/** Stretches of ops in pieces: what is live while one runs, and the cheapest path over them. */
package stowage.planning.fit.piece;
