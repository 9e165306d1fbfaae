package stowage.onchip.lmem;

/** A way to give the buffers of a group their addresses. Implementations are stateless. */
public interface LmemAllocator {
  /** The name on the command line: {@code document}, {@code today}, {@code exact}. */
  String name();

  /** A placement of all buffers within the lane, or null when this way finds none. */
  LmemPlacement allocate(LmemProblem problem);
}
