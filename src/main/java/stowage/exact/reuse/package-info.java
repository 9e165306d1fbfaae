/** Placements under relations between buffers, and with a price on reuse: search and bounds. */
package stowage.exact.reuse;
