/** Residency: what is in which memory, and when, where the fast memory is too small. */
package stowage.residency;
