/** Lower bounds of the peak, each with its certificate. */
package stowage.exact.bound;
