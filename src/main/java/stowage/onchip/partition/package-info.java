/** Partitioners: which ops of a network form groups. */
package stowage.onchip.partition;
