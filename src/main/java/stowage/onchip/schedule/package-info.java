/** Time steps of a sliced group, its cost, and the LMEM problem that follows. */
package stowage.onchip.schedule;
