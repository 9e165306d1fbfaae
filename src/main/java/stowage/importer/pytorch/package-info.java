/** Memory snapshots of PyTorch's caching allocators: what was allocated when, and from what. */
package stowage.importer.pytorch;
