package stowage.network.kernel;

/**
 * A buffer of a kernel: one piece of one cache between its ALLOC and its FREE node.
 *
 * @param id the buffer's number in the file
 * @param size in units of the cache
 * @param cache the cache's name, such as {@code UB}
 * @param alloc the id of its ALLOC node
 * @param free the id of its FREE node
 * @param backed whether a COPY_IN uses it, so its data is off chip already: a spill of it moves its
 *     size once instead of twice
 */
public record KernelBuffer(int id, long size, String cache, int alloc, int free, boolean backed) {}
