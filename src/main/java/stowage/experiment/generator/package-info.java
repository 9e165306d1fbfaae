/**
 * Generators of packing problems: a name, documented parameters and a seed give the same problem on
 * every machine, byte for byte.
 */
package stowage.experiment.generator;
