/** Readers of kernel graphs of neural processors: JSON, and the pair of CSV files. */
package stowage.importer.kernel;
