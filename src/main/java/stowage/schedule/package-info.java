/**
 * The order in which ops run: the least load over all orders of a network, with a bound over all of
 * them, and the orders of real systems next to it.
 */
package stowage.schedule;
