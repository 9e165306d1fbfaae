/** Kernel graphs of neural processors in files: JSON, and the pair of CSV files. */
package stowage.importer.kernel;
