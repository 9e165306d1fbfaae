/** CP-SAT on problems with relations between buffers, and as the master of bounds on reuse. */
package stowage.exact.reuse.cpsat;
