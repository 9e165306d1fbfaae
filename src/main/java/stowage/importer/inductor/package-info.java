/** Graphs that PyTorch Inductor's scheduler writes down when it reorders for a lower peak. */
package stowage.importer.inductor;
