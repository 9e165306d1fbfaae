/** Results of experiments: from the journal of runs to one table, as CSV, Parquet or a database. */
package stowage.experiment.results;
