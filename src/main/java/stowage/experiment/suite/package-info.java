/** What is to be run: suites as files, the instances they name, and the manifest they come to. */
package stowage.experiment.suite;
