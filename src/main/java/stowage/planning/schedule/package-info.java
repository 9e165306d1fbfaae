/** One run from a network to the order of its ops and their placement, with the proofs. */
package stowage.planning.schedule;
