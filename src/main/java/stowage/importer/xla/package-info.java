/** XLA's dumps of memory: buffer assignments, heap simulator's traces; as protobuf and text. */
package stowage.importer.xla;
