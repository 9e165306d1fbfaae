/** Generators of kernel graphs of neural processors. */
package stowage.experiment.generator.kernel;
