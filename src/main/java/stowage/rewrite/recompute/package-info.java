/** The least extra cost of computing values again under a limit of the bytes alive. */
package stowage.rewrite.recompute;
