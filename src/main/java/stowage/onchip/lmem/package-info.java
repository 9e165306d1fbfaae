/** Addresses in local memory (LMEM): the problem, its figures, allocators and verifier. */
package stowage.onchip.lmem;
