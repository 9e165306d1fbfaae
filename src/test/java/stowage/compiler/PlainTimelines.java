package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.packing.PackingProblem;

/**
 * Planners that follow a program in time, and those of clusters, each written down from its rule
 * alone for comparison with the ones in use. Gaps are read off an array with an entry a byte.
 */
final class PlainTimelines extends PlainRules {
  PlainTimelines(PackingProblem problem) {
    super(problem);
  }

  /** The same with sizes rounded up to a multiple. */
  PlainTimelines(PackingProblem problem, long granule) {
    super(problem, granule);
  }

  private int steps() {
    return Arrays.stream(end).max().orElse(0);
  }

  /** The tightest gap, the higher of equal ones; what is above the highest live byte is last. */
  long[] ggml() {
    return ggmlInChunks(Arrays.stream(size).sum() + 1);
  }

  /**
   * The same in chunks of so many bytes that an array says byte by byte who is in; the sixteenth
   * has no end. Each chunk follows the one before it where that was ever used.
   */
  long[] ggmlInChunks(long limit) {
    List<boolean[]> chunks = new ArrayList<>();
    List<Long> used = new ArrayList<>();
    int[] chunk = new int[count];
    int all = (int) Arrays.stream(size).sum() + 1;
    for (int step = 0; step < steps(); step++) {
      for (int r = 0; r < count; r++) {
        if (end[r] == step) {
          mark(chunks.get(chunk[r]), r, false);
        }
      }
      for (int r = 0; r < count; r++) {
        if (start[r] == step) {
          long[] best = null;
          long[] open = null;
          for (int c = 0; c < chunks.size(); c++) {
            List<long[]> runs = freeRuns(chunks.get(c));
            long tightest = Long.MAX_VALUE;
            for (int k = 0; k < runs.size(); k++) {
              long[] run = runs.get(k);
              long spare = used.get(c) - run[0] - size[r];
              if (k < runs.size() - 1 && run[1] >= size[r] && run[1] <= tightest) {
                best = new long[] {c, run[0]};
                tightest = run[1];
              } else if (k == runs.size() - 1
                  && run[1] >= size[r]
                  && (open == null
                      || (open[2] < 0 ? spare > open[2] : spare >= 0 && spare < open[2]))) {
                open = new long[] {c, run[0], spare};
              }
            }
          }
          if (best == null && open == null) {
            chunks.add(new boolean[chunks.size() == 15 ? all : (int) Math.max(size[r], limit)]);
            used.add(0L);
            open = new long[] {chunks.size() - 1, 0, 0};
          }
          long[] place = best == null ? open : best;
          chunk[r] = (int) place[0];
          offset[r] = place[1];
          mark(chunks.get(chunk[r]), r, true);
          used.set(chunk[r], Math.max(used.get(chunk[r]), offset[r] + size[r]));
        }
      }
    }
    for (int r = 0; r < count; r++) {
      offset[r] += used.subList(0, chunk[r]).stream().mapToLong(Long::longValue).sum();
    }
    return offset;
  }

  private void mark(boolean[] bytes, int r, boolean taken) {
    Arrays.fill(bytes, (int) offset[r], (int) (offset[r] + size[r]), taken);
  }

  /** Maximal runs of bytes that are free, each with its start and length. */
  private static List<long[]> freeRuns(boolean[] taken) {
    List<long[]> runs = new ArrayList<>();
    for (int at = 0; at < taken.length; at++) {
      if (!taken[at] && (at == 0 || taken[at - 1])) {
        runs.add(new long[] {at, 0});
      }
      if (!taken[at]) {
        runs.get(runs.size() - 1)[1]++;
      }
    }
    return runs;
  }

  /** The tightest gap, the lowest of equal ones; below the arena's end so far is a gap too. */
  long[] mlir() {
    long highest = 0;
    for (int r : order(Comparator.comparingInt(r -> start[r]))) {
      boolean[] taken = new boolean[(int) Arrays.stream(size).sum() + 1];
      long top = 0;
      for (int o : placed) {
        if (end[o] > start[r]) {
          mark(taken, o, true);
          top = Math.max(top, offset[o] + size[o]);
        }
      }
      offset[r] = top;
      long tightest = Long.MAX_VALUE;
      for (long[] gap : freeRuns(Arrays.copyOf(taken, (int) Math.max(top, highest)))) {
        if (gap[1] >= size[r] && gap[1] < tightest) {
          offset[r] = gap[0];
          tightest = gap[1];
        }
      }
      placed.add(r);
      highest = Math.max(highest, offset[r] + size[r]);
    }
    return offset;
  }

  /** The place of a dead buffer of the same size in the stack, the topmost; else the top. */
  long[] nntrainerV1() {
    List<Integer> stack = new ArrayList<>();
    for (int r : order(Comparator.comparingInt((Integer r) -> 1000 * start[r] + end[r]))) {
      while (!stack.isEmpty() && end[stack.get(stack.size() - 1)] <= start[r]) {
        stack.remove(stack.size() - 1);
      }
      int found = -1;
      for (int k = 0; k < stack.size(); k++) {
        int o = stack.get(k);
        found = end[o] <= start[r] && size[o] == size[r] ? k : found;
      }
      int top = stack.isEmpty() ? -1 : stack.get(stack.size() - 1);
      if (found >= 0) {
        offset[r] = offset[stack.get(found)];
        stack.set(found, r);
      } else {
        offset[r] = top < 0 ? 0 : offset[top] + size[top];
        stack.add(r);
      }
    }
    return offset;
  }

  /** Lists of free blocks by bucket, each in the order in which blocks were put in. */
  long[] tinygrad() {
    TreeMap<String, Map<Long, Long>> buckets = new TreeMap<>();
    insert(buckets, 0, 2 * Arrays.stream(size).sum());
    for (int step = 0; step <= steps(); step++) {
      for (int r : order(Comparator.comparingInt(r -> start[r]))) {
        if (end[r] == step) {
          long[] block = {offset[r], size[r]};
          insert(buckets, block[0], block[1]);
          long[] next = takeFree(buckets, block[0], true);
          while (next != null) {
            block = new long[] {next[0], next[1] + block[1]};
            next = takeFree(buckets, block[0], true);
          }
          // The blocks below are joined first, then all of them with what is above.
          buckets.values().forEach(list -> list.remove(offset[r]));
          insert(buckets, block[0], block[1]);
          next = takeFree(buckets, block[0] + block[1], false);
          if (next != null) {
            takeFree(buckets, block[0], false);
            insert(buckets, block[0], block[1] + next[1]);
          }
        }
      }
      for (int r = 0; r < count; r++) {
        if (start[r] == step) {
          long wanted = size[r];
          while (bucket(wanted).equals(bucket(wanted - 1))) {
            wanted++;
          }
          for (Map<Long, Long> list : buckets.tailMap(bucket(wanted)).values()) {
            if (!list.isEmpty()) {
              long at = list.keySet().iterator().next();
              long whole = list.remove(at);
              offset[r] = at;
              if (whole > size[r]) {
                insert(buckets, at + size[r], whole - size[r]);
              }
              break;
            }
          }
        }
      }
    }
    return offset;
  }

  /** Takes the free block that ends, or begins, at a place out of the lists. */
  private static long[] takeFree(Map<String, Map<Long, Long>> buckets, long place, boolean ends) {
    for (Map<Long, Long> list : buckets.values()) {
      for (Map.Entry<Long, Long> block : list.entrySet()) {
        if (place == (ends ? block.getKey() + block.getValue() : block.getKey())) {
          long[] found = {block.getKey(), block.getValue()};
          list.remove(found[0]);
          return found;
        }
      }
    }
    return null;
  }

  private static void insert(Map<String, Map<Long, Long>> buckets, long at, long bytes) {
    String key = bucket(bytes);
    buckets.computeIfAbsent(key, k -> new LinkedHashMap<>()).put(at, bytes);
  }

  /** Length in bits and the next five of them, as text that sorts. */
  private static String bucket(long bytes) {
    String bits = Long.toBinaryString(bytes);
    return String.format("%02d", bits.length()) + (bits.substring(1) + "00000").substring(0, 5);
  }

  /** Storages: what each holds in order of release; the nearest in size, larger ones first. */
  long[] relax() {
    List<Long> bytes = new ArrayList<>();
    List<Integer> pool = new ArrayList<>();
    int[] storage = new int[count];
    walk(r -> storage[r] = storage(pool, bytes, size[r]), r -> pool.add(storage[r]));
    return endToEnd(storage, bytes);
  }

  private static int storage(List<Integer> pool, List<Long> bytes, long wanted) {
    int enough = -1;
    int less = -1;
    for (int s : pool) {
      long has = bytes.get(s);
      if (has >= wanted && has <= 16 * wanted && (enough < 0 || has < bytes.get(enough))) {
        enough = s;
      }
      if (has < wanted && has >= wanted / 16 && (less < 0 || has >= bytes.get(less))) {
        less = s;
      }
    }
    int chosen = enough >= 0 ? enough : less;
    if (chosen < 0) {
      bytes.add(wanted);
      return bytes.size() - 1;
    }
    pool.remove((Integer) chosen);
    bytes.set(chosen, Math.max(wanted, bytes.get(chosen)));
    return chosen;
  }

  /** Each variable without a cluster opens one and collects all later ones that fit. */
  long[] paddleLite() {
    List<Integer> order = order(Comparator.comparing(r -> name[r]));
    int[] cluster = new int[count];
    Arrays.fill(cluster, -1);
    List<Long> bytes = new ArrayList<>();
    for (int r : order) {
      if (cluster[r] < 0) {
        List<Integer> members = new ArrayList<>();
        for (int o : order.subList(order.indexOf(r), count)) {
          if (cluster[o] < 0 && members.stream().noneMatch(m -> together(m, o))) {
            cluster[o] = bytes.size();
            members.add(o);
          }
        }
        bytes.add(members.stream().mapToLong(m -> size[m]).max().orElse(0));
      }
    }
    return endToEnd(cluster, bytes);
  }

  private long[] endToEnd(int[] object, List<Long> bytes) {
    for (int r = 0; r < count; r++) {
      offset[r] = bytes.subList(0, object[r]).stream().mapToLong(b -> b).sum();
    }
    return offset;
  }
}
