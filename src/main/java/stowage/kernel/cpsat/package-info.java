/** OR-Tools on the spills of a fixed order: minimum-cost flow, and CP-SAT. */
package stowage.kernel.cpsat;
