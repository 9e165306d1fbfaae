/** Networks over the memories of a map: which buffer is in the fast memory when, and its price. */
package stowage.residency.memory;
