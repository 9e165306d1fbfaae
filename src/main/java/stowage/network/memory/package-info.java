/** Memory maps: which memories a chip has, and what moving data between them costs. */
package stowage.network.memory;
