/** Fast constructive planners for very many buffers. */
package stowage.exact.search.greedy;
