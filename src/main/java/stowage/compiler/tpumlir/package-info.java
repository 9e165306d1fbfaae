/** TPU-MLIR's GMEM planners. */
package stowage.compiler.tpumlir;
