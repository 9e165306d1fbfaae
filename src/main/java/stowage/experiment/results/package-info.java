/** Results of experiments: from the journal of runs to one table, as CSV, Parquet and database. */
package stowage.experiment.results;
