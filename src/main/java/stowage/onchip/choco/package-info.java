/** What Choco decides on chip: addresses in LMEM, as a second opinion. */
package stowage.onchip.choco;
