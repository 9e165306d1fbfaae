/**
 * An exact method for problems of which few buffers are alive at a time, however long they last: it
 * sweeps over time and keeps every arrangement of the live buffers that matters.
 */
package stowage.exact.bound.sweep;
