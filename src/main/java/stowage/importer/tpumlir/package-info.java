/**
 * TPU-MLIR's text: a parser for the generic form of MLIR with the top and tpu dialects, the plan of
 * memory such a file carries, and plans written back into it.
 */
package stowage.importer.tpumlir;
