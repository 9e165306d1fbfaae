/** Exact ranges of slices: what of its operands an op needs for a part of its result. */
package stowage.rewrite.range;
