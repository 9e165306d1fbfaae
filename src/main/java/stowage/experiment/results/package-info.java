/**
 * Results of experiments: from the journal of runs to one table, as CSV, Parquet and a database.
 */
package stowage.experiment.results;
