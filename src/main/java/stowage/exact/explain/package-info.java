/** Explanations: irreducible sets of buffers that do not fit, and chains that hold a peak up. */
package stowage.exact.explain;
