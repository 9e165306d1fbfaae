/**
 * From a network and an execution order to a packing problem: live ranges, in-place and view
 * classes, weights, and conflicts between ops that may run side by side.
 */
package stowage.liveness;
