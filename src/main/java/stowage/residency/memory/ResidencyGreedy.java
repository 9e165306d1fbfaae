package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.network.memory.MemoryMap;
import stowage.packing.IndexOrder;

/** Rules of compilers and run-times for what a fast memory holds, as choices by volume. */
public enum ResidencyGreedy {
  /** Nothing but what has to be is in the fast memory. */
  NONE("none"),
  /**
   * A buffer has one memory for its whole live range: buffers take the fast memory in order of size
   * while they fit alongside those that have it.
   */
  WHOLE_LIFE("whole-life"),
  /** ExecuTorch's banked greedy: results fill the fastest bank that can hold them throughout. */
  EXECUTORCH_BANKS("executorch-banks"),
  /**
   * All or nothing: the fast memory holds all results and scratch where they fit together, else
   * only what fits throughout, from the earliest on.
   */
  FIRST_COME("first-come"),
  /** Vela's memory mode Sram_Only: everything is in the fast memory throughout, or nothing fits. */
  SRAM_ONLY("vela-sram-only"),
  /**
   * Vela's memory mode Shared_Sram: all results and scratch are in the fast memory throughout, or
   * they do not fit; weights stay in their home.
   */
  SHARED_SRAM("vela-shared-sram"),
  /**
   * Vela's memory mode Dedicated_Sram: the arena is in its home, and the fast memory holds the
   * results whose accesses are most bytes, each for its whole live range.
   */
  DEDICATED_SRAM("vela-dedicated-sram"),
  /** At each step what is used comes in; the buffer whose next use is farthest leaves. */
  BELADY("belady"),
  /** The same, but the buffer used longest ago leaves. */
  LRU("lru");

  private final String label;

  ResidencyGreedy(String label) {
    this.label = label;
  }

  /** The name that tables show. */
  public String label() {
    return label;
  }

  /**
   * The rule's choice, in the innermost memory unless the rule knows others, which are else used
   * only where an op or a link needs them; its loads there keep the capacity wherever what has to
   * be there fits, unless it is all or nothing.
   *
   * @param table the ways to use the problem's buffers
   */
  public ResidencyChoice choose(AccessTable table) {
    Residents chosen = residents(table.problem());
    return ResidencyChoice.like(table, chosen.fast(), chosen.kept(), chosen.memory());
  }

  /** The events at and between which each buffer is in a fast memory, and that one's number. */
  private record Residents(boolean[][] fast, boolean[][] kept, int[] memory) {
    Residents(boolean[][] fast, boolean[][] kept) {
      this(fast, kept, new int[fast.length]);
    }

    /** Bytes in use at each step. */
    long[] loads(ResidencyProblem problem) {
      long[] loads = problem.pinned(0);
      for (int i = 0; i < fast.length; i++) {
        HeldBuffer item = problem.items().get(i);
        for (int e = 0; e < fast[i].length && item.home() > 0; e++) {
          int step = item.events().get(e).step();
          loads[step] += fast[i][e] ? item.bytes() : 0;
          int next = kept[i][e] ? item.events().get(e + 1).step() : step;
          for (int t = step + 1; t < next; t++) {
            loads[t] += item.bytes();
          }
        }
      }
      return loads;
    }
  }

  private Residents residents(ResidencyProblem problem) {
    return switch (this) {
      case NONE -> forced(problem);
      case WHOLE_LIFE -> wholeLife(problem, sorted(problem, item -> -item.bytes()));
      case FIRST_COME -> wholeLife(problem, sorted(problem, HeldBuffer::first));
      case EXECUTORCH_BANKS -> banks(problem);
      case SRAM_ONLY -> resident(problem, allBut(problem, null));
      case SHARED_SRAM -> resident(problem, allBut(problem, MemoryMap.Kind.WEIGHTS));
      case DEDICATED_SRAM -> {
        long[] fixed = forced(problem).loads(problem);
        yield resident(problem, VelaFastStorage.choose(problem, fixed));
      }
      default -> paged(problem);
    };
  }

  private static boolean[] allBut(ResidencyProblem problem, MemoryMap.Kind kind) {
    boolean[] in = new boolean[problem.items().size()];
    for (int i = 0; i < in.length; i++) {
      in[i] = problem.items().get(i).kind() != kind;
    }
    return in;
  }

  /**
   * Items that are in the fast memory from their first use to their last, alongside what has to.
   */
  private static Residents resident(ResidencyProblem problem, boolean[] in) {
    Residents choice = forced(problem);
    for (int i = 0; i < in.length; i++) {
      if (in[i]) {
        Arrays.fill(choice.fast()[i], true);
        Arrays.fill(choice.kept()[i], 0, choice.kept()[i].length - 1, true);
      }
    }
    return choice;
  }

  private static Residents banks(ResidencyProblem problem) {
    int[] memory = ExecutorchBanks.choose(problem);
    boolean[] in = new boolean[memory.length];
    for (int i = 0; i < in.length; i++) {
      in[i] = memory[i] >= 0;
      memory[i] = Math.max(0, memory[i]);
    }
    Residents chosen = resident(problem, in);
    return new Residents(chosen.fast(), chosen.kept(), memory);
  }

  private static int[] sorted(ResidencyProblem problem, ToLongFunction<HeldBuffer> key) {
    return IndexOrder.of(
        IntStream.range(0, problem.items().size()),
        Comparator.comparingLong(i -> key.applyAsLong(problem.items().get(i))));
  }

  /** Nothing but what has to be in the fast memory. */
  private static Residents forced(ResidencyProblem problem) {
    Residents made = new Residents(problem.none(), problem.none());
    for (int i = 0; i < made.fast.length; i++) {
      for (int e = 0; e < made.fast[i].length; e++) {
        made.fast[i][e] = problem.isForced(problem.items().get(i), e);
      }
    }
    return made;
  }

  private static Residents wholeLife(ResidencyProblem problem, int[] order) {
    Residents made = forced(problem);
    long[] loads = made.loads(problem);
    for (int i : order) {
      HeldBuffer item = problem.items().get(i);
      if (item.events().size() < 2 || problem.isForced(item)) {
        continue;
      }
      long room = problem.map().fast().capacity() - item.bytes();
      int end = item.last() + 1;
      if (Arrays.stream(loads, item.first(), end).allMatch(load -> load <= room)) {
        Arrays.fill(made.fast[i], true);
        Arrays.fill(made.kept[i], 0, made.kept[i].length - 1, true);
        for (int t = item.first(); t < end; t++) {
          loads[t] += item.bytes();
        }
      }
    }
    return made;
  }

  /**
   * Demand paging of whole buffers; those with one use, or that do not fit, stay at home. O(events
   * * log(buffers)).
   */
  private Residents paged(ResidencyProblem problem) {
    Residents base = forced(problem);
    boolean[][] fast = base.fast();
    boolean[][] kept = base.kept();
    List<HeldBuffer> items = problem.items();
    List<List<Integer>> users = users(problem);
    long[] fixed = base.loads(problem);
    int[] at = new int[items.size()];
    int[] usedAt = new int[items.size()];
    TreeSet<Integer> in =
        new TreeSet<>(
            Comparator.<Integer>comparingInt(
                    i -> this == LRU ? usedAt[i] : -items.get(i).events().get(at[i]).step())
                .thenComparingInt(i -> i));
    long capacity = problem.map().fast().capacity();
    long used = 0;
    for (int t = 0; t < problem.steps(); t++) {
      used = evict(items, in, used, capacity - fixed[t]);
      List<Integer> stay = new ArrayList<>();
      Set<Integer> there = users.get(t).stream().filter(in::remove).collect(Collectors.toSet());
      for (int i : users.get(t)) {
        int e = at[i]++;
        usedAt[i] = t;
        long bytes = items.get(i).bytes();
        fast[i][e] = there.contains(i);
        if (fast[i][e]) {
          kept[i][e - 1] = true;
        } else if (at[i] < fast[i].length) {
          used = evict(items, in, used, capacity - fixed[t] - bytes);
          fast[i][e] = used + bytes <= capacity - fixed[t];
          used += fast[i][e] ? bytes : 0;
        }
        if (fast[i][e]) {
          stay.add(i);
        }
      }
      for (int i : stay) {
        if (at[i] < fast[i].length) {
          in.add(i);
        } else {
          used -= items.get(i).bytes();
        }
      }
    }
    return base;
  }

  /** The buffers that each step uses, except for those that have to be in the fast memory. */
  private static List<List<Integer>> users(ResidencyProblem problem) {
    List<List<Integer>> users = new ArrayList<>();
    for (int t = 0; t < problem.steps(); t++) {
      users.add(new ArrayList<>());
    }
    for (int i = 0; i < problem.items().size(); i++) {
      HeldBuffer item = problem.items().get(i);
      if (!problem.isForced(item)) {
        int user = i;
        item.events().forEach(event -> users.get(event.step()).add(user));
      }
    }
    return users;
  }

  /** Lets buffers leave, in their order, until the others keep the room. */
  private static long evict(List<HeldBuffer> items, TreeSet<Integer> in, long used, long room) {
    long left = used;
    while (left > room && !in.isEmpty()) {
      left -= items.get(in.pollFirst()).bytes();
    }
    return left;
  }
}
