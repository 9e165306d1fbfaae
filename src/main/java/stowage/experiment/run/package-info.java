/** Runs a suite: guarded worker processes, a folder of answers, clusters. */
package stowage.experiment.run;
