/** Searches for the order of least load: beam, best-first over downsets, neighbourhoods. */
package stowage.schedule.search;
