package stowage.liveness;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import stowage.network.Graphs;
import stowage.network.Network;

/** A small program with loops and branches, laid out as importers do, and its structure. */
final class RandomProgram {
  /** A part of a program. */
  sealed interface Item {}

  /** One op, by index. */
  record Single(int op) implements Item {}

  /** An op's code: its parts, of which a branch runs one and a loop all, any number of times. */
  record Nested(int enter, int exit, boolean loop, List<List<Item>> parts) implements Item {}

  private final Random random;
  private final Graphs graph = Graphs.of("format test");
  private final List<Long> bytes = new ArrayList<>();
  private final List<Item> items;
  private final Network network;
  private int ops;
  private int budget;
  private int loops;

  RandomProgram(long seed) {
    random = new Random(seed);
    budget = 3 + random.nextInt(5);
    List<String> known = tensors(1);
    if (random.nextBoolean()) {
      known.addAll(tensors(1));
    }
    graph.and(typed(known));
    items = items(known, 2, 5);
    known.removeIf(name -> random.nextInt(4) > 0);
    network = graph.and("-> " + String.join(" ", known)).network();
  }

  Network network() {
    return network;
  }

  List<Item> items() {
    return items;
  }

  int loops() {
    return loops;
  }

  /** The ops, one a line. */
  String text() {
    StringBuilder text = new StringBuilder();
    network
        .ops()
        .forEach(op -> text.append(op.name() + op.inputs() + " -> " + op.outputs() + "\n"));
    return text.append(network.inputs() + " -> " + network.outputs()).toString();
  }

  private String tensor(long size) {
    bytes.add(size);
    return "t" + (bytes.size() - 1);
  }

  private List<String> tensors(int count) {
    List<String> made = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      made.add(tensor(1 + random.nextInt(3)));
    }
    return made;
  }

  private String typed(List<String> names) {
    return names.stream().map(name -> name + ":" + bytes(name)).collect(Collectors.joining(" "));
  }

  private List<String> some(List<String> known, int most) {
    List<String> some = new ArrayList<>();
    for (int k = random.nextInt(most + 1); k > 0 && !known.isEmpty(); k--) {
      String name = known.get(random.nextInt(known.size()));
      if (!some.contains(name)) {
        some.add(name);
      }
    }
    return some;
  }

  /** Adds an op; its index. More are attributes and scratch memory. */
  private int op(String name, String type, List<String> reads, List<String> made, String... more) {
    String words = String.join(" ", reads) + " " + String.join(" ", more) + " name=" + name;
    graph.and((typed(made) + " = " + type + " " + words).trim());
    return ops++;
  }

  private List<Item> items(List<String> known, int depth, int most) {
    List<Item> list = new ArrayList<>();
    for (int k = 1 + random.nextInt(most); k > 0 && budget > 0; k--) {
      int kind = depth == 0 ? 9 : random.nextInt(6);
      if (kind == 0 && loops < 2) {
        list.add(nested(known, depth, true));
      } else if (kind == 1) {
        list.add(nested(known, depth, false));
      } else {
        budget--;
        List<String> made = new ArrayList<>();
        list.add(new Single(step(known, made)));
        known.addAll(made);
      }
    }
    return list;
  }

  /** An op that may be in place or a view, or any other; with scratch memory perhaps. */
  private int step(List<String> known, List<String> made) {
    String name = "op" + ops;
    int kind = known.isEmpty() ? 9 : random.nextInt(12);
    String x = known.isEmpty() ? "" : known.get(random.nextInt(known.size()));
    String y = known.isEmpty() ? "" : known.get(random.nextInt(known.size()));
    long bytes = x.isEmpty() ? 0 : bytes(x);
    if (kind < 2) {
      made.add(tensor(bytes));
      return op(name, "Relu", List.of(x), made);
    } else if (kind == 2 && !x.equals(y) && bytes(y) == bytes) {
      made.add(tensor(bytes));
      return op(name, "Add", List.of(x, y), made);
    } else if (kind == 3) {
      made.add(tensor(bytes));
      return op(name, "Reshape", List.of(x), made);
    } else if (kind == 4 && bytes > 1) {
      long length = 1 + random.nextInt((int) bytes - 1);
      long start = random.nextInt((int) (bytes - length) + 1);
      made.add(tensor(length));
      return op(name, "Slice", List.of(x), made, "starts=[" + start + "]", "axes=[0]");
    } else if (kind == 5 && !x.equals(y)) {
      made.add(tensor(bytes + bytes(y)));
      return op(name, "Concat", List.of(x, y), made);
    }
    made.addAll(tensors(random.nextInt(6) == 0 ? 2 : 1));
    String scratch = random.nextInt(6) == 0 ? "+2" : "";
    return op(name, "Op", some(known, 2), made, scratch);
  }

  private long bytes(String name) {
    return bytes.get(Integer.parseInt(name.substring(1)));
  }

  private Item nested(List<String> known, int depth, boolean loop) {
    budget--;
    loops += loop ? 1 : 0;
    String name = (loop ? "loop" : "if") + ops;
    String type = loop ? "Loop" : "IF";
    List<String> carried = loop ? tensors(random.nextInt(3)) : List.of();
    int enter = op(name + ".enter", type + ".enter", some(known, 1), carried);
    List<String> yields = new ArrayList<>(some(known, 1));
    List<List<Item>> parts = new ArrayList<>();
    for (int p = 0; p < (loop ? 1 : 2); p++) {
      List<String> inside = new ArrayList<>(known);
      inside.addAll(carried);
      List<Item> part = new ArrayList<>();
      if (!loop) {
        part.add(new Single(op(name + ".call" + p, "IF.call", List.of(), List.of())));
      }
      part.addAll(items(inside, depth - 1, 3));
      parts.add(part);
      for (String result : some(inside, 2)) {
        if (!yields.contains(result)) {
          yields.add(result);
        }
      }
    }
    List<String> results = tensors(random.nextInt(3));
    int exit = op(name, type, yields, results);
    known.addAll(results);
    return new Nested(enter, exit, loop, parts);
  }
}
