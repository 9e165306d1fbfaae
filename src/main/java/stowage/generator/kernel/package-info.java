/** Generators of kernel graphs of neural processors. */
package stowage.generator.kernel;
