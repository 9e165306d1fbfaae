/** CP-SAT, the constraint solver of Google's OR-Tools; the only package that imports it. */
package stowage.exact.cpsat;
