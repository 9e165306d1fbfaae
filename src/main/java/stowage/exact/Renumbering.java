package stowage.exact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;

/**
 * A problem with its buffers in an order that does not depend on the file's: by first step, last
 * step, size (the largest first) and id. Ids are unique, so there is one such order.
 *
 * <p>Example: buffers c [0, 9), a [3, 4), b [0, 9) of equal size become b, c, a in every file. The
 * placement [0, 8, 16] of these is [8, 16, 0] of the file's c, a, b.
 */
final class Renumbering {
  private final PackingProblem original;
  private final PackingProblem problem;

  /** The original index of each buffer in the new order. */
  private final int[] order;

  private final int[] position;

  private Renumbering(PackingProblem original) {
    this.original = original;
    Comparator<Buffer> wanted =
        Comparator.comparingInt((Buffer buffer) -> buffer.live().start())
            .thenComparingInt(buffer -> buffer.live().end())
            .thenComparingLong(buffer -> -buffer.size())
            .thenComparing(Buffer::id);
    Comparator<Integer> byBuffer = Comparator.comparing(original::buffer, wanted);
    this.order =
        IntStream.range(0, original.size()).boxed().sorted(byBuffer).mapToInt(i -> i).toArray();
    this.position = new int[order.length];
    for (int k = 0; k < order.length; k++) {
      position[order[k]] = k;
    }
    this.problem = isSame() ? original : renumbered();
  }

  /** The problem in the order that does not depend on the file's. O(n log n). */
  static Renumbering of(PackingProblem problem) {
    return new Renumbering(problem);
  }

  /** Whether the order was that already. */
  boolean isSame() {
    for (int k = 0; k < order.length; k++) {
      if (order[k] != k) {
        return false;
      }
    }
    return true;
  }

  /** The problem in the new order. */
  PackingProblem problem() {
    return problem;
  }

  private PackingProblem renumbered() {
    List<Buffer> buffers = Arrays.stream(order).mapToObj(original::buffer).toList();
    Relations given = original.relations();
    Relations relations =
        Relations.none()
            .withReuse(
                given.reuse().stream()
                    .map(
                        pair ->
                            new Relations.Reuse(
                                position[pair.first()],
                                position[pair.second()],
                                pair.weight(),
                                pair.reason()))
                    .toList())
            .withTogether(
                given.together().stream()
                    .map(
                        pair ->
                            new Relations.Together(
                                position[pair.first()], position[pair.second()], pair.distance()))
                    .sorted(
                        Comparator.comparingInt(Relations.Together::first)
                            .thenComparingInt(Relations.Together::second))
                    .toList())
            .withExclusive(pairs(given.exclusive()))
            .withOtherBank(pairs(given.otherBank()));
    return new PackingProblem(
            original.name(), buffers, original.memories(), pairs(original.conflicts()), relations)
        .withGoals(original.goals());
  }

  private ConflictPairs pairs(ConflictPairs given) {
    if (given.isEmpty()) {
      return given;
    }
    List<int[]> pairs = new ArrayList<>();
    for (int i = 0; i < original.size(); i++) {
      for (int j : given.of(i)) {
        if (i < j) {
          pairs.add(new int[] {position[i], position[j]});
        }
      }
    }
    return ConflictPairs.of(original.size(), pairs);
  }

  /** A placement of the original problem, as one of the new order. */
  Placement there(Placement placement) {
    return permuted(placement, order);
  }

  /** A placement of the new order, as one of the original problem. */
  Placement back(Placement placement) {
    return permuted(placement, position);
  }

  private static Placement permuted(Placement placement, int[] from) {
    long[] offsets = new long[from.length];
    int[] memories = new int[from.length];
    for (int i = 0; i < from.length; i++) {
      offsets[i] = placement.offset(from[i]);
      memories[i] = placement.memory(from[i]);
    }
    return Placement.of(offsets, memories);
  }

  /** A bound of the new order's problem, as one of the original problem. */
  Bound back(Bound bound) {
    return new Bound(bound.figure(), bound.value(), back(bound.certificate()));
  }

  /** The same certificate with the original problem's numbers of buffers. */
  Certificate back(Certificate certificate) {
    return certificate instanceof Certificate.SolverClaim
        ? certificate
        : Certificate.read(certificate.kind(), new Numbers(certificate));
  }

  /** The fields of a certificate, or of a part of one, with the original numbers. */
  private final class Numbers implements Certificate.Source {
    private final Map<String, Object> fields;
    private final int memory;
    private final int[] buffers;

    Numbers(Certificate certificate) {
      this.fields = certificate.fields(problem);
      this.memory = certificate.memory();
      this.buffers = Arrays.stream(certificate.buffers()).map(k -> order[k]).toArray();
    }

    /** A part of a certificate, which names its memory and buffers itself. */
    Numbers(Map<String, Object> fields) {
      this.fields = fields;
      this.memory = names().indexOf(fields.get("memory"));
      this.buffers = buffers("buffers");
    }

    private List<String> names() {
      return original.memories().stream().map(Memory::name).toList();
    }

    @Override
    public boolean has(String field) {
      return fields.containsKey(field);
    }

    @Override
    public int memory() {
      return memory;
    }

    @Override
    public int[] buffers() {
      return buffers;
    }

    @Override
    public int[] buffers(String field) {
      List<?> ids = (List<?>) fields.getOrDefault(field, List.of());
      return ids.stream().mapToInt(id -> indexOf((String) id)).toArray();
    }

    private int indexOf(String id) {
      int i = 0;
      while (!original.buffer(i).id().equals(id)) {
        i++;
      }
      return i;
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Certificate.Source> list(String field) {
      List<Certificate.Source> parts = new ArrayList<>();
      for (Object part : (List<?>) fields.getOrDefault(field, List.of())) {
        parts.add(new Numbers((Map<String, Object>) part));
      }
      return parts;
    }

    @Override
    public long natural(String field) {
      return positive(field);
    }

    @Override
    public int step(String field) {
      return ((Number) fields.get(field)).intValue();
    }

    @Override
    public long positive(String field) {
      return ((Number) fields.get(field)).longValue();
    }

    @Override
    public long memories(String field) {
      List<?> names = (List<?>) fields.getOrDefault(field, List.of());
      List<String> all = names();
      return names.stream().mapToLong(name -> 1L << all.indexOf(name)).reduce(0, (a, b) -> a | b);
    }

    @Override
    public RuntimeException wrong(String what) {
      return new IllegalStateException("a certificate of its own cannot be read: " + what);
    }
  }
}
