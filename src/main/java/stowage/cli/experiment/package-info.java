/** Commands that run experiments and benchmarks. */
package stowage.cli.experiment;
