/**
 * Explanations: irreducible sets of buffers that do not fit, and the chain of buffers that holds a
 * peak up.
 */
package stowage.exact.explain;
