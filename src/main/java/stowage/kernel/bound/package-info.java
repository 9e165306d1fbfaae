/** Lower bounds of residency, spill traffic and makespan, over all orders and at a fixed order. */
package stowage.kernel.bound;
