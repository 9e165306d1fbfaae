/** What CP-SAT decides on chip: addresses in LMEM, which weights stay, which ops form groups. */
package stowage.onchip.cpsat;
