/**
 * Generators of lists of buffers and networks: a name, documented parameters and a seed give the
 * same one on every machine, byte for byte.
 */
package stowage.generator;
