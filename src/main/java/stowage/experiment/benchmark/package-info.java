/** The benchmark that anyone can run: sets of instances, timed runs, and their tables. */
package stowage.experiment.benchmark;
