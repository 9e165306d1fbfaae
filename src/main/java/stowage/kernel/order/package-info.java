/**
 * Searches over the order of a kernel's ops, its spills and its addresses: constructions, local
 * search, and the simulators that judge an order.
 */
package stowage.kernel.order;
