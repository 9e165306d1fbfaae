package stowage.liveness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.IndexOrder;

/**
 * The code inside of ops, as importers lay it out: an op {@code T.enter} named {@code N.enter}, the
 * ops of the code, and the op of type {@code T} named {@code N}, between which the code is. An op
 * {@code T.call} in it begins the next part of the code: for a branch the alternatives, of which
 * one runs, for a loop what every turn runs one after the other. Code without an {@code N.enter}
 * counts as ops like others.
 *
 * <p>No runtime runs an op of the code alongside one outside: these ops are barriers. What a part
 * of a branch makes for the branch's op is taken over before another part would run: it is needed
 * to the next {@code T.call}, and then once more while the op writes its results. In an order that
 * takes the code of a branch apart nothing says which ops are alternatives, and all count.
 */
final class ControlFlow {
  private static final Set<String> BRANCHES = Set.of("IF", "CASE");
  private static final Set<String> ONCE = Set.of("CALL", "CALLONCE", "STABLEHLOCOMPOSITE");
  private static final String ENTER = ".enter";
  private static final String CALL = ".call";

  /** What becomes of the code of an op. */
  enum Kind {
    /** It runs any number of times, at least once. */
    LOOP,
    /** One of its parts runs. */
    BRANCH,
    /** It runs once. */
    ONCE
  }

  /**
   * An op's code.
   *
   * @param enter the step before it
   * @param exit the step after it, that of the op itself
   * @param outer the index of the code around it, -1 for none
   */
  record Region(Kind kind, int enter, int exit, int outer) {}

  private final List<Region> regions = new ArrayList<>();
  private final int[] innermost;
  private final int[] part;
  private final int[] stretch;

  /** By region the steps that begin its parts. */
  private final List<List<Integer>> calls = new ArrayList<>();

  /** Finds the code in a network whose ops run in an order. O(steps). */
  ControlFlow(Network network, int[] order) {
    innermost = new int[order.length];
    part = new int[order.length];
    stretch = new int[order.length];
    Map<String, Integer> stepOf = new HashMap<>();
    for (int step = 0; step < order.length; step++) {
      stepOf.put(network.ops().get(order[step]).name(), step);
    }
    Deque<Integer> open = new ArrayDeque<>();
    List<Integer> parts = new ArrayList<>();
    int[] given = network.executionOrder();
    int[] place = IndexOrder.places(given, given.length);
    int stretches = 0;
    for (int step = 0; step < order.length; step++) {
      Op op = network.ops().get(order[step]);
      boolean border = false;
      if (!open.isEmpty() && regions.get(open.peek()).exit() == step) {
        open.pop();
        border = true;
      }
      int around = open.isEmpty() ? -1 : open.peek();
      if (around >= 0 && op.type().endsWith(CALL)) {
        parts.set(around, step);
        calls.get(around).add(step);
        border = true;
      }
      int exit = op.type().endsWith(ENTER) ? exit(op, stepOf, step) : -1;
      boolean inside = around < 0 || exit < regions.get(around).exit();
      border |= exit >= 0 && inside;
      innermost[step] = around;
      part[step] = around < 0 ? -1 : parts.get(around);
      stretch[step] = border ? ++stretches : stretches;
      stretches += border ? 1 : 0;
      if (exit >= 0 && inside) {
        open.push(regions.size());
        parts.add(-1);
        calls.add(new ArrayList<>());
        boolean apart = kind(op) != Kind.BRANCH || isAsGiven(order, place, step, exit);
        Kind kind = apart ? kind(op) : Kind.ONCE;
        regions.add(new Region(kind, step, exit, around));
      }
    }
  }

  /** Whether the code between two steps is in the network's own order, so that parts are apart. */
  private static boolean isAsGiven(int[] order, int[] place, int enter, int exit) {
    return IntStream.rangeClosed(enter, exit)
        .allMatch(step -> place[order[step]] - place[order[enter]] == step - enter);
  }

  private static int exit(Op enter, Map<String, Integer> stepOf, int step) {
    int cut = enter.name().lastIndexOf(ENTER);
    Integer exit = cut < 0 ? null : stepOf.get(enter.name().substring(0, cut));
    return exit == null || exit <= step ? -1 : exit;
  }

  private static Kind kind(Op enter) {
    String type = enter.type().substring(0, enter.type().length() - ENTER.length());
    String plain = type.substring(type.lastIndexOf('.') + 1).replace("_", "");
    String key = plain.toUpperCase(Locale.ROOT);
    return BRANCHES.contains(key) ? Kind.BRANCH : ONCE.contains(key) ? Kind.ONCE : Kind.LOOP;
  }

  /** All code, outer before inner. */
  List<Region> regions() {
    return regions;
  }

  boolean isPlain() {
    return regions.isEmpty();
  }

  /** Whether a step is in a region's code; its enter and exit are not. */
  boolean contains(int region, int step) {
    return step > regions.get(region).enter() && step < regions.get(region).exit();
  }

  /** The regions around a step, from the innermost outwards. */
  int[] around(int step) {
    return IntStream.iterate(innermost[step], at -> at >= 0, at -> regions.get(at).outer())
        .toArray();
  }

  /** Whether no border of any code is between two steps, so that they may run in any order. */
  boolean together(int a, int b) {
    return stretch[a] == stretch[b];
  }

  /** Whether two steps are in different parts of one branch, so that no turn runs both. */
  boolean exclusive(int a, int b) {
    return IntStream.of(around(a))
        .anyMatch(
            region ->
                regions.get(region).kind() == Kind.BRANCH
                    && contains(region, b)
                    && partIn(region, a) != partIn(region, b));
  }

  /** The part of a region's code that a step is in. */
  private int partIn(int region, int step) {
    // A step deeper inside counts as the step that enters the code it is in.
    int at = step;
    while (innermost[at] != region) {
      int inner = innermost[at];
      at = regions.get(inner).enter();
    }
    return part[at];
  }

  /**
   * The step at which a value made at a step, -1 for what is given, and read at another is needed
   * for the last time: the end of the outermost loop that the reader is in and the maker is not,
   * since every turn reads it; else the reader's own step.
   */
  int lastRead(int made, int read) {
    int loop = outermostLoop(made, -1, read);
    return loop < 0 ? read : regions.get(loop).exit();
  }

  /**
   * The step at which the next part of a branch begins, where a value is made in one part and read
   * by the branch's op; -1 where it is not so, or the part is the last.
   */
  int handedOver(int made, int read) {
    for (int r = 0; r < regions.size(); r++) {
      boolean branch = regions.get(r).kind() == Kind.BRANCH && regions.get(r).exit() == read;
      for (int call : branch && contains(r, made) ? calls.get(r) : List.<Integer>of()) {
        if (call > made) {
          return call;
        }
      }
    }
    return -1;
  }

  private IntStream needed(int made, int read) {
    int call = handedOver(made, read);
    return call >= 0 ? IntStream.of(call) : IntStream.of(read, lastRead(made, read));
  }

  /**
   * The steps at which a value is needed: those that read it, the ends of loops whose every turn
   * reads it, and the end of the loop that hands it from one turn to the next. For what a branch's
   * op reads of a part that is not the last, the beginning of the next part takes its place.
   *
   * @param made the step that makes it, -1 for what is given
   * @param reads ascending
   * @return ascending, each once
   */
  int[] needed(int made, int[] reads) {
    int carrier = carrier(made);
    IntStream ends = IntStream.of(reads).flatMap(read -> needed(made, read));
    IntStream all =
        carrier < 0 ? ends : IntStream.concat(ends, IntStream.of(regions.get(carrier).exit()));
    return all.sorted().distinct().toArray();
  }

  /** The loop before whose first turn a step makes what every turn makes again; -1 if none. */
  int carrier(int made) {
    return IntStream.range(0, regions.size())
        .filter(r -> regions.get(r).kind() == Kind.LOOP && regions.get(r).enter() == made)
        .findFirst()
        .orElse(-1);
  }

  /**
   * The outermost loop that a step is in and the maker of a value is not; -1 for none.
   *
   * @param carrier a loop that makes the value again for each turn, -1 for none
   */
  int outermostLoop(int made, int carrier, int read) {
    int found = -1;
    for (int region : around(read)) {
      boolean makes = region == carrier || made >= 0 && contains(region, made);
      if (regions.get(region).kind() == Kind.LOOP && !makes) {
        found = region;
      }
    }
    return found;
  }
}
