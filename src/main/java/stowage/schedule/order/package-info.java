/** The orders in which real systems run a network's ops, faithful to their rules for ties. */
package stowage.schedule.order;
