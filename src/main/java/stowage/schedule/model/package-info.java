/** The problem of ordering ops by memory: loads of downsets, and a downset that moves. */
package stowage.schedule.model;
