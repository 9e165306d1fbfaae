package stowage.network;

import java.util.List;
import java.util.Map;

/**
 * What another compiler chose: a network whose ops run in layer groups, with the slices, steps and
 * on-chip addresses it gave them. A reader of files fills it; the on-chip planner verifies it and
 * compares it with its own choices.
 *
 * @param network all ops, those inside of groups among them, in the order in which they run; what a
 *     group loads or stores is one tensor, in GMEM and on chip
 * @param chip the chip it was compiled for, lower case
 * @param groups the groups; an op in none runs by itself
 */
public record CompiledNetwork(Network network, String chip, List<CompiledGroup> groups) {

  public CompiledNetwork {
    groups = List.copyOf(groups);
  }

  /** What an event of a group is. */
  public enum Kind {
    /** An op computes. */
    COMPUTE,
    /** A tensor or constant comes from GMEM. */
    LOAD,
    /** A tensor goes to GMEM. */
    STORE
  }

  /**
   * A group.
   *
   * @param members positions of its ops in the network
   * @param slices into how many slices it is cut: n, c, d, h, w
   * @param stages of its pipeline: 1 or 3
   * @param events all that happens in a step
   */
  public record CompiledGroup(
      List<Integer> members, List<Integer> slices, int stages, int steps, List<Event> events) {
    public CompiledGroup {
      members = List.copyOf(members);
      slices = List.copyOf(slices);
      events = List.copyOf(events);
    }
  }

  /**
   * An op, a load or a store, and where its result is in a lane.
   *
   * @param op position in the network of an op that computes, else -1
   * @param tensor what is computed, loaded or stored
   * @param stage of the pipeline
   * @param offset of the tensor, bytes
   * @param size of the tensor, bytes
   * @param scratchOffset of the op's scratch, bytes
   * @param scratchSize of the op's scratch, bytes, 0 for none
   * @param aligned whether each image of the tensor is rounded up to the execution unit
   * @param slices by axis ({@code n}, {@code c}, {@code d}, {@code h}, {@code w}), of each slice
   *     its begin and size; axes that the file does not say are absent
   */
  public record Event(
      Kind kind,
      int op,
      String tensor,
      int step,
      int stage,
      long offset,
      long size,
      long scratchOffset,
      long scratchSize,
      boolean aligned,
      Map<String, List<Part>> slices) {
    public Event {
      slices = Map.copyOf(slices);
    }

    /** The same at other addresses, for the tensor and for the op's scratch. */
    public Event at(long other, long otherScratch) {
      return new Event(
          kind, op, tensor, step, stage, other, size, otherScratch, scratchSize, aligned, slices);
    }
  }

  /** A slice along an axis: its first index and its size. */
  public record Part(long begin, long size) {}
}
