/**
 * Schedules of kernel graphs of a neural processor: the order of its ops, what is spilled, and
 * addresses in its caches.
 */
package stowage.kernel;
