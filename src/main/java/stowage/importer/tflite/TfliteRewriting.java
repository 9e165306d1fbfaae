package stowage.importer.tflite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.importer.flat.FlatFront;
import stowage.importer.flat.FlatFront.Data;
import stowage.importer.flat.FlatFront.Ints;
import stowage.importer.flat.FlatFront.Node;
import stowage.importer.flat.FlatFront.Old;
import stowage.importer.flat.FlatFront.Table;
import stowage.importer.flat.FlatFront.Tables;
import stowage.importer.flat.FlatFront.Text;
import stowage.importer.flat.FlatTable;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.RewrittenNames;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.ConstantOperands;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.TensorOrigin;

/**
 * Writer of a rewritten network as a TFLite file that the stock run-times execute: the main
 * subgraph is a new one in front of the old file, see {@link FlatFront}. Data of constants,
 * descriptions of quantisation, options and other subgraphs are those of the file; so is what is
 * appended to it. Pieces have the description of quantisation of the tensor they are part of.
 */
public final class TfliteRewriting {
  private static final int SUBGRAPH_FIELDS = 6;
  private static final int TENSOR_SHAPE = 0;
  private static final int TENSOR_QUANTIZATION = 4;
  private static final int CONCATENATION_OPTIONS = 10;

  /** Ops that TFLite Micro runs on unsigned bytes, too. */
  private static final Set<String> CONVERSIONS = Set.of("QUANTIZE", "DEQUANTIZE", "CAST");

  private final TfliteModel model;
  private final SubgraphLayout layout;
  private final Rewriting rewriting;
  private final RewrittenNames shown;
  private final FlatTable graph;
  private final List<FlatTable> oldTensors;
  private final List<FlatTable> oldOperators;

  private final TensorNumbers numbers;
  private final List<Node> buffers = new ArrayList<>();
  private final List<Node> codes = new ArrayList<>();
  private final Map<String, Integer> codeNumbers = new HashMap<>();
  private final Map<String, Integer> constants = new LinkedHashMap<>();

  private TfliteRewriting(
      TfliteModel model, SubgraphLayout layout, Rewriting rewriting, boolean planned) {
    this.model = model;
    this.layout = layout;
    this.rewriting = rewriting;
    this.shown = new RewrittenNames(rewriting);
    this.graph = model.root().tables(TfliteModel.SUBGRAPHS).get(0);
    this.oldTensors = graph.tables(0);
    this.oldOperators = graph.tables(3);
    this.numbers =
        new TensorNumbers(
            model,
            layout,
            rewriting.network().tensors().keySet(),
            planned ? OfflinePlan.shadowing(model) : Set.of(),
            name -> constantTable(name, new int[] {1}, 0));
  }

  /**
   * Writes a rewritten network.
   *
   * @param source the file the given network was read from
   * @param offsets bytes from the arena's start, by tensor of the rewritten network, for the plan
   *     that TFLite Micro follows: tensors may overlap, and all that are not there are left to it;
   *     null to leave all to it
   * @throws InputException when the file cannot be read or is not the given network's, when an
   *     offset is not a multiple of the element size, or when tensors are of a type that no
   *     run-time executes
   */
  public static void write(Path source, Rewriting rewriting, Map<String, Long> offsets, Path target)
      throws IOException {
    TfliteModel model = TfliteModel.read(source);
    SubgraphLayout layout = new SubgraphLayout(model);
    byte[] written =
        new TfliteRewriting(model, layout, rewriting, offsets != null).written(offsets);
    AtomicFiles.write(target, stream -> stream.write(written));
  }

  private byte[] written(Map<String, Long> offsets) {
    check();
    model.root().tables(TfliteModel.OPERATOR_CODES).forEach(code -> codes.add(new Old(code)));
    for (Tensor tensor : rewriting.network().tensors().values()) {
      if (!rewriting.given().tensors().containsKey(tensor.name())) {
        piece(tensor);
      }
    }
    List<Node> operators = new ArrayList<>();
    for (int k = 0; k < rewriting.ops().size(); k++) {
      Node operator = operator(rewriting.network().ops().get(k), rewriting.ops().get(k));
      if (operator != null) {
        operators.add(operator);
      }
    }
    numbers.end();
    Node main =
        new Table(
            new Tables(numbers.tensors),
            numbers.now(graph, 1),
            numbers.now(graph, 2),
            new Tables(operators),
            FlatFront.target(graph, 4),
            graph.place(5, Integer.BYTES) == 0 ? null : graph.int32(5, 0));
    List<Node> subgraphs = new ArrayList<>();
    model.root().tables(TfliteModel.SUBGRAPHS).forEach(old -> subgraphs.add(new Old(old)));
    subgraphs.set(0, main);
    return TfliteExport.write(
        model,
        Map.of(
            TfliteModel.SUBGRAPHS, new Tables(subgraphs),
            TfliteModel.OPERATOR_CODES, new Tables(codes),
            TfliteModel.SIGNATURES, numbers.signatures()),
        buffers,
        offsets == null ? null : plan(offsets));
  }

  private void check() {
    TfliteExport.checkFields(model, graph, SUBGRAPH_FIELDS, "its main subgraph");
    for (String tensor : rewriting.given().tensors().keySet()) {
      if (!layout.tensors.containsKey(tensor)) {
        throw model.fault("tensor \"" + tensor + "\"", "is in the network, but not in the model");
      }
    }
    checkTypes(model.file(), rewriting.network());
  }

  /** Refuses a network of tensors that TFLite Micro does not execute, naming one. O(ops). */
  public static void checkTypes(Path file, Network network) {
    for (Op op : network.ops()) {
      for (String result : CONVERSIONS.contains(op.type()) ? List.<String>of() : op.outputs()) {
        if (!result.isEmpty() && network.tensor(result).type() == ElementType.U8) {
          String what =
              "is of unsigned bytes: TFLite Micro has no kernels for such tensors, so the model can"
                  + " be planned and drawn, but not written; quantise it to int8";
          throw new InputException(file, "tensor \"" + result + "\"", what);
        }
      }
    }
  }

  /** The number of a tensor of the rewritten network. */
  private int number(String tensor) {
    return numbers.of(shown.of(tensor));
  }

  private void piece(Tensor tensor) {
    TensorOrigin origin = rewriting.tensors().get(tensor.name());
    FlatTable old = oldTensors.get(oldNumber(origin.tensor()));
    FlatTable quantization = old.table(TENSOR_QUANTIZATION);
    if (quantization != null && quantization.count(2, Float.BYTES) > 1) {
      int dim = quantization.int32(6, 0);
      Tensor whole = rewriting.given().tensor(origin.tensor());
      if (tensor.extent(dim) != whole.extent(dim)) {
        throw model.fault(
            "tensor \"" + origin.tensor() + "\"", "is quantised along the axis that is cut");
      }
    }
    Object[] fields = new Object[9];
    fields[TENSOR_SHAPE] = new Ints(shape(tensor.shape()));
    fields[1] = (byte) old.int8(1, 0);
    fields[2] = 0;
    fields[3] = new Text(tensor.name());
    fields[TENSOR_QUANTIZATION] = FlatFront.target(old, TENSOR_QUANTIZATION);
    fields[8] = old.flag(8) ? (byte) 1 : null;
    numbers.add(tensor.name(), new Table(fields));
  }

  private int oldNumber(String name) {
    return IntStream.range(0, oldTensors.size())
        .filter(t -> layout.name(0, t).equals(name))
        .findFirst()
        .orElseThrow(() -> model.fault("tensor \"" + name + "\"", "is not in the main subgraph"));
  }

  private static int[] shape(List<Long> extents) {
    return extents.stream().mapToInt(Math::toIntExact).toArray();
  }

  /** The operator of an op; null where the op is not in the main subgraph. */
  private Node operator(Op op, OpOrigin origin) {
    Op from = rewriting.given().ops().get(origin.op());
    Integer number = layout.operators.get(from.name());
    List<TfliteModel.Operator> given = model.subgraphs().get(0).operators();
    return switch (origin.kind()) {
      case GIVEN, PIECE, COPY -> {
        if (shown.isUnchanged(op, from)
            && (number == null || !numbers.isMoved(from, given.get(number)))) {
          yield number == null ? null : new Old(oldOperators.get(number));
        }
        if (number == null) {
          throw model.fault(
              "op \"" + from.name() + "\"", "is in the network, not in the main subgraph");
        }
        yield changed(op, from, number);
      }
      default -> added(op);
    };
  }

  /** An operator of the file with other tensors, and with the options of a piece. */
  private Node changed(Op op, Op from, int number) {
    FlatTable old = oldOperators.get(number);
    TfliteExport.checkFields(model, old, 13, "an operator");
    TfliteModel.Operator operator = model.subgraphs().get(0).operators().get(number);
    int[] inputs = operator.inputs().clone();
    List<String> attributes = ConstantOperands.of(rewriting.network(), op);
    for (int k = 0; k < inputs.length; k++) {
      String read = k < op.inputs().size() ? op.inputs().get(k) : "";
      boolean own = k < attributes.size() && !attributes.get(k).isEmpty();
      if (!read.isEmpty()) {
        inputs[k] = number(read);
      } else if (own && !from.inputs().get(k).isEmpty()) {
        inputs[k] = constant(op, attributes.get(k));
      }
    }
    int[] outputs = operator.outputs().clone();
    Arrays.setAll(outputs, k -> outputs[k] < 0 ? -1 : number(op.outputs().get(k)));
    Object[] fields = new Object[13];
    for (int field : new int[] {4, 5, 7, 12}) {
      fields[field] = FlatFront.target(old, field);
    }
    fields[TfliteModel.INTERMEDIATES] = numbers.now(old, TfliteModel.INTERMEDIATES);
    fields[0] = operator.code();
    fields[1] = new Ints(inputs);
    fields[2] = new Ints(outputs);
    for (int field : new int[] {3, 6, 11}) {
      fields[field] = (byte) old.int8(field, 0);
    }
    if (!op.attributes().equals(from.attributes()) && operator.options() != null) {
      fields[4] = options(op, operator.options());
    }
    return new Table(fields);
  }

  /** Options where the padding or the shape differ from what the file has; else the file's. */
  private static Node options(Op op, FlatTable old) {
    if (op.type().equals("RESHAPE")) {
      return new Table(new Ints(shape(op.integers("shape"))));
    }
    if (!op.text("padding", "").equals("VALID")) {
      return new Old(old);
    }
    String[] names = TfliteOps.options(op.type()).split(" ");
    Object[] fields = new Object[Math.max(names.length, old.fields())];
    for (int k = 0; k < fields.length; k++) {
      boolean small = k >= names.length || names[k].startsWith("!");
      if (old.place(k, small ? 1 : Integer.BYTES) != 0) {
        fields[k] = small ? (Object) (byte) old.int8(k, 0) : (Object) old.int32(k, 0);
      }
    }
    fields[0] = (byte) 1;
    return new Table(fields);
  }

  /** A slice, a pad or a concatenation. */
  private Node added(Op op) {
    List<Integer> inputs = new ArrayList<>();
    op.inputs().forEach(input -> inputs.add(number(input)));
    for (String attribute : ConstantOperands.of(rewriting.network(), op)) {
      if (!attribute.isEmpty()) {
        inputs.add(constant(op, attribute));
      }
    }
    ElementType type = rewriting.network().tensor(op.outputs().get(0)).type();
    Object[] fields = new Object[5];
    fields[0] = code(op.type(), type);
    fields[1] = new Ints(inputs.stream().mapToInt(Integer::intValue).toArray());
    fields[2] = new Ints(number(op.outputs().get(0)));
    if (op.type().equals("CONCATENATION")) {
      fields[3] = (byte) CONCATENATION_OPTIONS;
      fields[4] = new Table((int) op.integer("axis", 0), (byte) 0);
    }
    return new Table(fields);
  }

  /** The number of a code of the version that a type needs; full TFLite looks kernels up by it. */
  private int code(String type, ElementType element) {
    int wide = type.equals("SLICE") ? 4 : 3;
    int wanted = element == ElementType.I8 ? 2 : element == ElementType.I16 ? wide : 1;
    int number = TfliteOps.number(type);
    return codeNumbers.computeIfAbsent(
        type + wanted,
        absent -> {
          List<FlatTable> known = model.root().tables(TfliteModel.OPERATOR_CODES);
          for (int k = 0; k < known.size(); k++) {
            if (model.codes().get(k).equals(type) && known.get(k).int32(2, 1) == wanted) {
              return k;
            }
          }
          codes.add(new Table((byte) number, null, wanted, number));
          return codes.size() - 1;
        });
  }

  /** The constant that an attribute stands for; equal ones are one tensor. */
  private int constant(Op op, String attribute) {
    List<Long> values = op.integers(attribute);
    boolean pads = attribute.equals("pads");
    List<Long> data = pads ? TfliteOps.turned(values, values.size() / 2) : values;
    String name = attribute + values;
    Integer known = constants.get(pads + "" + data);
    if (known != null) {
      return known;
    }
    buffers.add(new Table(new Data(OfflinePlan.integers(shape(data)))));
    int buffer = Math.max(1, model.buffers().size()) + buffers.size() - 1;
    int[] extents = pads ? new int[] {values.size() / 2, 2} : new int[] {values.size()};
    String unused = name;
    while (numbers.contains(unused)) {
      unused += "@2";
    }
    int number = numbers.add(unused, constantTable(unused, extents, buffer));
    constants.put(pads + "" + data, number);
    return number;
  }

  private Node constantTable(String name, int[] extents, int buffer) {
    int filled = buffer;
    if (filled == 0) {
      buffers.add(new Table(new Data(new byte[Integer.BYTES])));
      filled = Math.max(1, model.buffers().size()) + buffers.size() - 1;
    }
    return new Table(new Ints(extents), (byte) TfliteOps.INT32, filled, new Text(name));
  }

  private int[] plan(Map<String, Long> offsets) {
    List<String> names = new ArrayList<>(numbers.names);
    names.addAll(layout.names().subList(oldTensors.size(), layout.names().size()));
    Set<String> known = Set.copyOf(names);
    Map<String, Long> planned = new HashMap<>();
    offsets.forEach(
        (name, offset) -> {
          Tensor tensor = rewriting.network().tensors().get(name);
          if (tensor == null || !known.contains(shown.of(name))) {
            throw model.fault(
                "tensor \"" + name + "\"", "is in the plan, but not in the rewritten network");
          }
          int unit = Math.max(1, tensor.type().bits() / 8);
          if (offset < 0 || offset > Integer.MAX_VALUE || offset % unit != 0) {
            String what = "lies at %s; it should be a multiple of %s below 2 GiB";
            throw model.fault("tensor \"" + name + "\"", what, offset, unit);
          }
          if (tensor.kind() == Tensor.Kind.ACTIVATION) {
            planned.put(shown.of(name), offset);
          }
        });
    return OfflinePlan.of(names, planned);
  }
}
