package stowage.planning.fit.piece;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.Buffer;

/** Bytes that live across a stretch of ops, which does not touch them. */
public final class Crossing {
  private final PlanningCase base;
  private final Network network;
  private final Map<String, Integer> lastRead;

  /** Looks at the buffers of a network as it is, with the last op that reads each tensor. */
  public Crossing(PlanningCase base, Map<String, Integer> lastRead) {
    this.base = base;
    this.network = base.network();
    this.lastRead = lastRead;
  }

  /** The bytes that live across the ops {@code [from, to)}, given what these touch. O(buffers). */
  public long bytes(int from, int to, Set<String> touched) {
    long sum = 0;
    for (int b = 0; b < base.contents().size(); b++) {
      Buffer buffer = base.problem().buffer(b);
      if (buffer.size() == 0 || buffer.live().start() >= to || buffer.live().end() <= from) {
        continue;
      }
      List<PlanningCase.Part> parts = base.contents().get(b).parts();
      if (parts.size() == 1) {
        sum += touched.contains(parts.get(0).tensor()) ? 0 : buffer.size();
      } else {
        sum += untouched(parts, from, to, touched);
      }
    }
    return sum;
  }

  /** Bytes of one buffer, without those that the stretch touches. */
  private long untouched(List<PlanningCase.Part> parts, int from, int to, Set<String> touched) {
    TreeMap<Long, int[]> changes = new TreeMap<>(); // of parts that live, and of those touched
    for (PlanningCase.Part part : parts) {
      Tensor tensor = network.tensor(part.tensor());
      boolean own = touched.contains(part.tensor());
      if (own
          || tensor.kind() != Tensor.Kind.ACTIVATION
          || network.producer(tensor.name()) < from
              && lastRead.getOrDefault(tensor.name(), -1) >= to) {
        changes.computeIfAbsent(part.offset(), at -> new int[2])[own ? 1 : 0]++;
        changes.computeIfAbsent(part.offset() + tensor.bytes(), at -> new int[2])[own ? 1 : 0]--;
      }
    }
    long sum = 0;
    long before = 0;
    int live = 0;
    int others = 0;
    for (Map.Entry<Long, int[]> change : changes.entrySet()) {
      sum += live > 0 && others == 0 ? change.getKey() - before : 0;
      live += change.getValue()[0];
      others += change.getValue()[1];
      before = change.getKey();
    }
    return sum;
  }
}
