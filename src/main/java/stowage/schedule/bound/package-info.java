/** Bounds of the load over all orders by minimum cuts, their certificates, and the checker. */
package stowage.schedule.bound;
