/** Suites of instances, runs over them, and what comes of it. */
package stowage.experiment;
