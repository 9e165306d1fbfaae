/**
 * Presolving: sizes by their common divisor, steps by maximal live sets, independent components
 * apart, and the way back to the user's units.
 */
package stowage.exact.presolve;
