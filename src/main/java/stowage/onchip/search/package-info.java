/** Evaluation of one candidate group: slicings, steps and addresses, by rules or exactly. */
package stowage.onchip.search;
