/** The least total of whole objects that buffers may reuse: bounds, heuristics, engines. */
package stowage.exact.object;
