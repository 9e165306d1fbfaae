/** OR-Tools on what is in the fast memory at which step: a path model with a bound. */
package stowage.residency.cpsat;
