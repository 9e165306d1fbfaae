/** Pictures and pages of a network's plan over several memories. */
package stowage.report.memory;
