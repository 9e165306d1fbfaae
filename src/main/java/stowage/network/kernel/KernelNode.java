package stowage.network.kernel;

import java.util.List;

/**
 * A node of a kernel graph.
 *
 * @param kind an operation, or the begin or end of a buffer
 * @param op the operation's name as the file has it, such as {@code MATMUL}
 * @param buffer the index of an ALLOC's or FREE's buffer, -1 for an operation
 * @param pipe the pipe an operation runs on; null for ALLOC and FREE
 * @param cycles how long an operation runs; 0 for ALLOC and FREE
 * @param uses indices of the buffers that an operation reads or writes; an edge from an ALLOC or to
 *     a FREE counts as such a use
 */
public record KernelNode(
    Kind kind, String op, int buffer, String pipe, long cycles, List<Integer> uses) {

  /** What a node does. */
  public enum Kind {
    /** Takes addresses for a buffer. */
    ALLOC,
    /** Gives a buffer's addresses back. */
    FREE,
    /** Computes or copies. */
    OPERATION
  }

  /** Whether it computes or copies. */
  public boolean isOperation() {
    return kind == Kind.OPERATION;
  }
}
