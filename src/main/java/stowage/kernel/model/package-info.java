/** Kernel graphs of neural processors: the model over operations, plans, and their timing. */
package stowage.kernel.model;
