/**
 * What XLA dumps of the memory of a compiled module: buffer assignments with the heap simulator's
 * traces, as protobuf and as text.
 */
package stowage.importer.xla;
