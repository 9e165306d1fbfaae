package stowage.liveness;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** A small program with loops and branches, laid out as importers do, and its structure. */
final class RandomProgram {

  /** A part of a program. */
  sealed interface Item {}

  /** One op, by index. */
  record Single(int op) implements Item {}

  /** An op's code: its parts, of which a branch runs one and a loop all, any number of times. */
  record Nested(int enter, int exit, boolean loop, List<List<Item>> parts) implements Item {}

  private final Random random;
  private final List<Op> ops = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Item> items;
  private final Network network;
  private int budget;
  private int loops;

  RandomProgram(long seed) {
    random = new Random(seed);
    budget = 3 + random.nextInt(5);
    List<String> known = new ArrayList<>();
    List<String> inputs = new ArrayList<>();
    for (int k = 0; k < 1 + random.nextInt(2); k++) {
      inputs.add(tensor());
    }
    known.addAll(inputs);
    items = items(known, 2, 5);
    List<String> outputs = new ArrayList<>();
    for (String name : known) {
      if (random.nextInt(4) == 0) {
        outputs.add(name);
      }
    }
    network = new Network("seed " + seed, "test", tensors, ops, inputs, outputs, List.of());
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
    ops.forEach(op -> text.append(op.name() + op.inputs() + " -> " + op.outputs() + "\n"));
    return text.append(network.inputs() + " -> " + network.outputs()).toString();
  }

  private String tensor() {
    return tensor(1 + random.nextInt(3));
  }

  private String tensor(long bytes) {
    String name = "t" + tensors.size();
    tensors.add(new Tensor(name, List.of(bytes), ElementType.I8, Tensor.Kind.ACTIVATION));
    return name;
  }

  private List<String> tensors(int count) {
    List<String> made = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      made.add(tensor());
    }
    return made;
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

  private int op(String name, String type, List<String> inputs, List<String> outputs) {
    ops.add(new Op(name, type, Map.of(), inputs, outputs, 0));
    return ops.size() - 1;
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
    String name = "op" + ops.size();
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
      ops.add(
          new Op(
              name,
              "Slice",
              Map.of("starts", List.of(start), "axes", List.of(0L)),
              List.of(x),
              List.copyOf(made),
              0));
      return ops.size() - 1;
    } else if (kind == 5 && !x.equals(y)) {
      made.add(tensor(bytes + bytes(y)));
      return op(name, "Concat", List.of(x, y), made);
    }
    made.addAll(tensors(random.nextInt(6) == 0 ? 2 : 1));
    long scratch = random.nextInt(6) == 0 ? 2 : 0;
    ops.add(new Op(name, "Op", Map.of(), some(known, 2), List.copyOf(made), scratch));
    return ops.size() - 1;
  }

  private long bytes(String name) {
    return tensors.get(Integer.parseInt(name.substring(1))).bytes();
  }

  private Item nested(List<String> known, int depth, boolean loop) {
    budget--;
    loops += loop ? 1 : 0;
    String name = (loop ? "loop" : "if") + ops.size();
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
