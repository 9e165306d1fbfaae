/** Generators: a name, parameters and a seed give the same bytes on every machine. */
package stowage.generator;
