package stowage.importer.tflite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import stowage.importer.flat.FlatFront;
import stowage.importer.flat.FlatFront.Ints;
import stowage.importer.flat.FlatFront.Node;
import stowage.importer.flat.FlatFront.Old;
import stowage.importer.flat.FlatFront.Table;
import stowage.importer.flat.FlatFront.Tables;
import stowage.importer.flat.FlatTable;
import stowage.network.Op;

/**
 * The tensors of a rewritten main subgraph by number. Those that are left keep the numbers that
 * they have in the file; new ones take the numbers of those that are not needed any more, and the
 * rest follow.
 *
 * <p>Some numbers are for constants alone: TFLite Micro gives a variable of a later subgraph no
 * memory where the tensor that has its number here has an offset (see {@link
 * OfflinePlan#shadowed}). A tensor that has such a number in the file gets another.
 */
final class TensorNumbers {
  private final TfliteModel model;
  private final Set<Integer> reserved;
  private final Function<String, Node> constant;
  final List<Node> tensors = new ArrayList<>();
  final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Deque<Integer> free = new ArrayDeque<>();
  private final Set<String> moved = new HashSet<>();

  /** The file's number of each tensor that it names. */
  private final List<String> before = new ArrayList<>();

  /**
   * Declares the file's tensors.
   *
   * @param needed names of those that the rewritten network has
   * @param reserved numbers of constants alone
   * @param constant makes a constant of a name, with some data
   */
  TensorNumbers(
      TfliteModel model,
      SubgraphLayout layout,
      Set<String> needed,
      Set<Integer> reserved,
      Function<String, Node> constant) {
    this.model = model;
    this.reserved = reserved;
    this.constant = constant;
    List<FlatTable> old = model.root().tables(TfliteModel.SUBGRAPHS).get(0).tables(0);
    for (int t = 0; t < old.size(); t++) {
      String name = layout.name(0, t);
      before.add(name);
      boolean leaves = reserved.contains(t) && !hasData(t);
      if (leaves) {
        leaveUnused(t);
      } else {
        put(t, name, new Old(old.get(t)));
      }
      if (leaves && needed.contains(name)) {
        moved.add(name);
      } else if (!leaves && !needed.contains(name)) {
        free.add(t);
      }
    }
    for (int t = 0; t < old.size(); t++) {
      if (moved.contains(before.get(t))) {
        add(before.get(t), new Old(old.get(t)));
      }
    }
  }

  private boolean hasData(int number) {
    int buffer = model.subgraphs().get(0).tensors().get(number).buffer();
    return buffer < model.buffers().size() && model.buffers().get(buffer).length() > 0;
  }

  private void put(int number, String name, Node tensor) {
    if (number == tensors.size()) {
      tensors.add(tensor);
      names.add(name);
    } else {
      numbers.remove(names.get(number));
      tensors.set(number, tensor);
      names.set(number, name);
    }
    numbers.put(name, number);
  }

  /** Adds a tensor of a new name; returns its number. */
  int add(String name, Node tensor) {
    while (free.isEmpty() && reserved.contains(tensors.size())) {
      leaveUnused(tensors.size());
    }
    int number = free.isEmpty() ? tensors.size() : free.remove();
    put(number, name, tensor);
    return number;
  }

  /** Numbers that nothing took get an empty constant, which takes no memory of the arena. */
  void end() {
    while (!free.isEmpty()) {
      int number = free.remove();
      if (!hasData(number)) { // a constant that no op reads does no harm
        leaveUnused(number);
      }
    }
    int last = reserved.stream().mapToInt(Integer::intValue).max().orElse(-1);
    while (tensors.size() <= last) {
      leaveUnused(tensors.size());
    }
  }

  /** Gives a number to a constant that nothing reads. */
  private void leaveUnused(int number) {
    put(number, "unused " + number, constant.apply("unused " + number));
  }

  boolean contains(String name) {
    return numbers.containsKey(name);
  }

  int of(String name) {
    return numbers.get(name);
  }

  /** Whether an op of the file touches a tensor whose number is another now. */
  boolean isMoved(Op op, TfliteModel.Operator operator) {
    Stream<String> between =
        Arrays.stream(operator.intermediates()).filter(t -> t >= 0).mapToObj(before::get);
    return Stream.of(op.inputs().stream(), op.outputs().stream(), between)
        .flatMap(names -> names)
        .anyMatch(moved::contains);
  }

  /** The file's numbers of tensors as they are now. */
  Node now(FlatTable table, int field) {
    int[] values = table.ints(field);
    return moved.isEmpty() || table.place(field, Integer.BYTES) == 0
        ? FlatFront.target(table, field)
        : new Ints(Arrays.stream(values).map(this::now).toArray());
  }

  private int now(int number) {
    return number < 0 ? number : numbers.get(before.get(number));
  }

  /** The model's signatures: what they name of the main subgraph has its number of now. */
  Node signatures() {
    List<Node> signatures = new ArrayList<>();
    for (FlatTable signature : model.root().tables(TfliteModel.SIGNATURES)) {
      if (signature.int32(4, 0) == 0) {
        Node inputs = named(signature.tables(0));
        Node outputs = named(signature.tables(1));
        signatures.add(new Table(inputs, outputs, FlatFront.target(signature, 2), null, 0));
      } else {
        signatures.add(new Old(signature));
      }
    }
    return new Tables(signatures);
  }

  private Node named(List<FlatTable> tensors) {
    return new Tables(
        tensors.stream()
            .map(tensor -> new Table(FlatFront.target(tensor, 0), now(tensor.int32(1, 0))))
            .toList());
  }
}
