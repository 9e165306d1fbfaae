package stowage.exact.reuse;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;
import stowage.packing.Rounding;

/**
 * A problem as pairs of items: for every two, whether they may share addresses, and at what cost.
 *
 * <p>An item is a buffer, or a group of buffers kept together, with the whole of its bytes; where
 * members of groups or windows leave room that others could use, the item does not offer it. So
 * every placement of the items is one of the buffers, and it costs the buffers no more. Reserved
 * ranges are items of their own that are fixed. Sizes and offsets are bytes.
 */
public final class ReuseItems {
  /** The weight of a pair that must not share addresses; sums of it do not overflow. */
  static final long HARD = 1L << 48;

  /** The number of items, without the reserved ranges that follow them. */
  final int count;

  /** The number of items and reserved ranges. */
  final int all;

  final long[] size;
  final long[][] step;
  final long[] bank;
  final boolean[] withinBank;
  final long[] fixed;
  final long[] mask;
  final long[] capacity;

  /** For every two items 0, the price of sharing, or {@link #HARD}. */
  final long[][] weight;

  /** For each item the others with which it has a weight below {@link #HARD}. */
  final int[][] soft;

  /** The weights of these, in the same order. */
  final long[][] price;

  /** For each item the others, reserved ranges among them, with which it must not share. */
  final int[][] hard;

  /** The memory of a reserved range, by item index. */
  final int[] reservedIn;

  /** Why the problem cannot be held, or null. */
  final String refusal;

  private final boolean[][] endsAlone;
  private final PackingProblem problem;
  private final int[] itemOf;
  private final long[] shiftOf;
  private final int[] bufferOf;

  /** The items of a problem; see {@link #refusal} before anything else. O(n^2). */
  public ReuseItems(PackingProblem problem) {
    this(problem, false);
  }

  private ReuseItems(PackingProblem problem, boolean relaxed) {
    this.problem = problem;
    int n = problem.size();
    Relations.Groups groups = problem.relations().groups(n);
    itemOf = new int[n];
    shiftOf = groups.shift();
    int items = 0;
    for (int i = 0; i < n; i++) {
      itemOf[i] = groups.leader()[i] == i ? items++ : itemOf[groups.leader()[i]];
    }
    count = items;
    bufferOf = new int[items];
    Arrays.fill(bufferOf, -2);
    for (int i = 0; i < n; i++) {
      boolean only = bufferOf[itemOf[i]] == -2 && !problem.buffer(i).hasWindows();
      bufferOf[itemOf[i]] = only ? i : -1;
    }
    all = items + problem.memories().stream().mapToInt(memory -> memory.reserved().size()).sum();
    int memories = problem.memories().size();
    size = new long[all];
    step = new long[count][memories];
    withinBank = new boolean[count];
    fixed = new long[all];
    mask = new long[all];
    capacity = new long[memories];
    bank = new long[memories];
    reservedIn = new int[all];
    Arrays.fill(fixed, -1);
    Arrays.fill(mask, -1);
    for (long[] row : step) {
      Arrays.fill(row, 1);
    }
    String fault = null;
    for (int i = 0; i < n; i++) {
      String wrong = addBuffer(i);
      fault = fault == null ? wrong : fault;
    }
    for (int m = 0, at = count; m < memories; m++) {
      capacity[m] = problem.memories().get(m).capacity();
      bank[m] = problem.memories().get(m).bankSize();
      for (ReservedRange range : problem.memories().get(m).reserved()) {
        size[at] = range.to() - range.from();
        fixed[at] = range.from();
        mask[at] = 1L << m;
        reservedIn[at++] = m;
      }
    }
    if (!problem.relations().otherBank().isEmpty()) {
      fault = "buffers that must use other banks than others";
    }
    refusal = fault;
    endsAlone = endsAlone();
    weight = new long[count][all];
    soft = new int[count][];
    price = new long[count][];
    hard = new int[count][];
    if (fault == null) {
      addWeights(relaxed);
    }
  }

  /** The same items with a price of 1 on every hard pair and none on others: what repairs count. */
  ReuseItems relaxed() {
    return new ReuseItems(problem, true);
  }

  private String addBuffer(int i) {
    Buffer buffer = problem.buffer(i);
    int item = itemOf[i];
    mask[item] &= problem.allowedMask(i);
    for (int m = 0; m < problem.memories().size(); m++) {
      long wanted = problem.alignment(i, m);
      if (shiftOf[i] % wanted != 0) {
        return "distances that are no multiple of an alignment";
      }
      step[item][m] = Rounding.lcm(step[item][m], wanted);
    }
    if (buffer.isFixed()) {
      fixed[item] = buffer.fixedOffset() - shiftOf[i];
    }
    withinBank[item] |= buffer.withinBank();
    if (buffer.needsMemory()) {
      size[item] = Math.max(size[item], shiftOf[i] + buffer.size());
    }
    return null;
  }

  private void addWeights(boolean relaxed) {
    int n = problem.size();
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        if (itemOf[i] != itemOf[j]
            && problem.buffer(i).needsMemory()
            && problem.buffer(j).needsMemory()
            && (problem.meet(i, j) || problem.conflicts().contains(i, j))) {
          weight[itemOf[i]][itemOf[j]] = HARD;
          weight[itemOf[j]][itemOf[i]] = HARD;
        }
      }
    }
    for (Relations.Reuse pair : problem.relations().reuse()) {
      int a = itemOf[pair.first()];
      int b = itemOf[pair.second()];
      if (a != b && problem.isPayable(pair) && weight[a][b] < HARD) {
        weight[a][b] += pair.weight();
        weight[b][a] = weight[a][b];
      }
    }
    for (int i = 0; i < count; i++) {
      long[] row = weight[i];
      for (int j = 0; relaxed && j < count; j++) {
        row[j] /= HARD;
      }
      Arrays.fill(row, count, all, HARD);
      soft[i] = IntStream.range(0, count).filter(j -> row[j] > 0 && row[j] < HARD).toArray();
      price[i] = IntStream.of(soft[i]).mapToLong(j -> row[j]).toArray();
      hard[i] = IntStream.range(0, all).filter(j -> row[j] >= HARD && size[j] > 0).toArray();
    }
  }

  /** Why the problem cannot be held, as part of a sentence; null when it can. */
  public String refusal() {
    return refusal;
  }

  int[] buffers(int[] items) {
    return Arrays.stream(items).map(item -> bufferOf[item]).toArray();
  }

  /** The only buffer of an item, or -1 where it has several, or one with windows. */
  int buffer(int item) {
    return bufferOf[item];
  }

  /** The problem it was made from. */
  public PackingProblem problem() {
    return problem;
  }

  public int item(int buffer) {
    return itemOf[buffer];
  }

  /** The placement of all buffers that items at given offsets and memories represent. */
  public Placement placement(long[] at, int[] in) {
    long[] offsets = new long[itemOf.length];
    int[] memories = new int[itemOf.length];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = at[itemOf[i]] + shiftOf[i];
      memories[i] = in[itemOf[i]];
    }
    return Placement.of(offsets, memories);
  }

  /**
   * Whether an item may start wherever another one ends, as far as steps and banks go: all ends are
   * multiples of its step.
   */
  boolean endsAlone(int item, int memory) {
    return endsAlone[item][memory];
  }

  private boolean[][] endsAlone() {
    long unit = 0;
    for (int i = 0; i < all; i++) {
      unit = Rounding.gcd(Rounding.gcd(unit, size[i]), Math.max(0, fixed[i]));
    }
    boolean[][] answers = new boolean[count][bank.length];
    for (int i = 0; i < count; i++) {
      for (int m = 0; m < bank.length; m++) {
        answers[i][m] = unit % step[i][m] == 0 && !(withinBank[i] && bank[m] > 0);
      }
    }
    return answers;
  }

  /** The least multiple of an item's step from a place on that its bank admits in a memory. */
  long admissible(int item, int memory, long from) {
    long within = withinBank[item] ? bank[memory] : 0;
    long at = Rounding.up(from, size[item], step[item][memory], within);
    return at < 0 ? Long.MAX_VALUE / 4 : at;
  }
}
