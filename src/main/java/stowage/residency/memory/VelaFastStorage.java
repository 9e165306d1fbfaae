package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.network.memory.MemoryMap;

/**
 * Vela's choice of the feature maps that a dedicated SRAM holds (ethosu/vela/scheduler.py of
 * Ethos-U Vela 4, {@code use_fast_storage_for_feature_maps} and {@code
 * FastStorageComponentAllocator}), each for its whole live range; weights stay where they are.
 *
 * <p>Maps larger than the SRAM are out. Those at whose steps all maps together fit are in. The rest
 * compete: sorted by begin, end and size, those that live much longer than the ones after them are
 * out, and runs of at most 20 that overlap are decided one after another, each by the subset of
 * most bytes read and written that fits alongside what was decided before. Vela counts the accesses
 * of its blocks, which read some bytes twice; here each byte of an access counts once. A subset
 * that cannot beat the best any more is given up, which changes no answer.
 */
final class VelaFastStorage {
  private static final int MOST = 20;
  private static final int LONG_LIFE = 20;

  private record Life(int item, int from, int to, long bytes, long accesses) {}

  private final long limit;
  private final long[] base;
  private final long[] most;
  private final boolean[] in;

  private List<Life> run;
  private long[] rest;
  private boolean[] out;
  private boolean[] bestOut;
  private long bestScore;

  private VelaFastStorage(ResidencyProblem problem, long[] fixed) {
    limit = problem.map().fast().capacity();
    base = fixed.clone();
    most = fixed.clone();
    in = new boolean[problem.items().size()];
  }

  /** Which items live in the fast memory, alongside the bytes that are there at each step. */
  static boolean[] choose(ResidencyProblem problem, long[] fixed) {
    VelaFastStorage storage = new VelaFastStorage(problem, fixed);
    List<Life> lives = new ArrayList<>();
    for (int i = 0; i < problem.items().size(); i++) {
      HeldBuffer item = problem.items().get(i);
      if (item.kind() == MemoryMap.Kind.WEIGHTS
          || problem.isForced(item)
          || item.bytes() > storage.limit) {
        continue;
      }
      long accesses = item.events().stream().mapToLong(e -> e.readBytes() + e.writtenBytes()).sum();
      lives.add(new Life(i, item.first(), item.last(), item.bytes(), accesses));
    }
    lives.forEach(life -> add(storage.most, life, 1));
    storage.decide(lives);
    return storage.in;
  }

  private void decide(List<Life> lives) {
    List<Life> competing = new ArrayList<>();
    for (Life life : lives) {
      if (peak(most, life) <= limit) {
        keep(life);
      } else {
        competing.add(life);
      }
    }
    competing.sort(
        Comparator.comparingInt(Life::from)
            .thenComparingInt(Life::to)
            .thenComparingLong(Life::bytes));
    List<Life> open = new ArrayList<>(competing);
    for (int k = 0; competing.size() > MOST && k < competing.size(); k++) {
      Life life = competing.get(k);
      Life later = competing.get(Math.min(k + MOST, open.size() - 1));
      if (life.to() - life.from() >= LONG_LIFE && life.to() > later.to() + LONG_LIFE) {
        add(most, life, -1);
        open.remove(life);
      }
    }
    int begin = 0;
    int end = open.isEmpty() ? 0 : open.get(0).to();
    for (int k = 0; k <= open.size(); k++) {
      if (k < open.size() && open.get(k).from() <= end && k - begin < MOST) {
        end = Math.max(end, open.get(k).to());
      } else if (begin < k) {
        component(open.subList(begin, k));
        begin = k;
        end = k < open.size() ? open.get(k).to() : 0;
      }
    }
  }

  private void component(List<Life> lives) {
    run = lives;
    out = new boolean[lives.size()];
    bestOut = new boolean[lives.size()];
    Arrays.fill(bestOut, true);
    bestScore = -1;
    rest = new long[lives.size() + 1];
    for (int k = lives.size() - 1; k >= 0; k--) {
      rest[k] = rest[k + 1] + lives.get(k).accesses();
    }
    search(0, 0);
    for (int k = 0; k < lives.size(); k++) {
      if (bestOut[k]) {
        add(most, lives.get(k), -1);
      } else {
        keep(lives.get(k));
      }
    }
  }

  private void search(int k, long score) {
    if (k == run.size()) {
      if (score > bestScore) {
        bestScore = score;
        bestOut = out.clone();
      }
      return;
    }
    if (score + rest[k] <= bestScore) {
      return;
    }
    Life life = run.get(k);
    if (peak(base, life) + life.bytes() <= limit) {
      out[k] = false;
      add(base, life, 1);
      search(k + 1, score + life.accesses());
      add(base, life, -1);
    }
    if (peak(most, life) > limit) {
      out[k] = true;
      add(most, life, -1);
      search(k + 1, score);
      add(most, life, 1);
    }
  }

  private void keep(Life life) {
    add(base, life, 1);
    in[life.item()] = true;
  }

  private static long peak(long[] loads, Life life) {
    return Arrays.stream(loads, life.from(), life.to() + 1).max().orElse(0);
  }

  private static void add(long[] loads, Life life, int sign) {
    for (int t = life.from(); t <= life.to(); t++) {
      loads[t] += sign * life.bytes();
    }
  }
}
