/** Slicing of a group: cuts of its results, and what each op before them then needs. */
package stowage.onchip.slice;
