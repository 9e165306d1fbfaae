/** Layer groups over many networks, chips and ways of grouping. */
package stowage.experiment.groups;
