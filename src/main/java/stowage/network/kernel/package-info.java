/** Kernel graphs of neural processors: operations on pipes, and buffers in typed caches. */
package stowage.network.kernel;
