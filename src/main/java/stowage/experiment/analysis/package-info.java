/** Tables, plots and tests over the results of experiments. */
package stowage.experiment.analysis;
