package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.io.InputException;
import stowage.network.CompiledNetwork.CompiledGroup;
import stowage.network.CompiledNetwork.Event;
import stowage.network.TopologicalOrder;

/** Changes at known places of a TPU-MLIR text, and the text with all of them made. */
final class TpuMlirEdits {
  private static final Pattern SIZE = Pattern.compile("module\\.neuron_size = (\\d+)");
  private static final Pattern GROUP = Pattern.compile("\"tpu\\.Group\"\\(");
  private static final Pattern ADDRESSES =
      Pattern.compile(
          "#tpu\\.lg<out_addr = (-?\\d+), out_size = (\\d+), buffer_addr = (-?\\d+), buffer_size ="
              + " (\\d+)");

  private final String text;
  private final TreeMap<Integer, Edit> edits = new TreeMap<>();

  /** What is there instead of a place's text, up to an index. */
  private record Edit(int end, String text) {}

  private TpuMlirEdits(String text) {
    this.text = text;
  }

  /** Replaces a place; false where it is to be something else already. */
  private boolean replace(int start, int end, String with) {
    Edit edit = new Edit(end, with);
    Edit other = edits.put(start, edit);
    return other == null || other.equals(edit);
  }

  private String written() {
    StringBuilder written = new StringBuilder(text.length());
    int from = 0;
    for (Map.Entry<Integer, Edit> entry : edits.entrySet()) {
      written.append(text, from, entry.getKey()).append(entry.getValue().text());
      from = entry.getValue().end();
    }
    return written.append(text, from, text.length()).toString();
  }

  /** See {@link TpuMlirFile#withAddresses}. */
  static String addresses(TpuMlirFile file, Map<String, Long> offsets, long bytes) {
    OptionalLong base = file.module().neuronAddress();
    if (base.isEmpty()) {
      throw file.fault(
          "carries no addresses (module.neuron_addr); only a file that does can take others");
    }
    Map<String, TpuValue> values = new HashMap<>();
    file.module().values().forEach(value -> values.put(value.name(), value));
    Map<String, Long> addresses = new HashMap<>();
    offsets.forEach(
        (name, offset) -> {
          TpuValue value = values.get(name);
          if (value == null || !value.present()) {
            throw new InputException(
                file.path, "tensor \"" + name + "\"", "is in the plan, but not in the file");
          }
          addresses.put(value.id(), Math.addExact(base.getAsLong(), offset));
        });
    TpuMlirEdits edits = new TpuMlirEdits(file.text());
    for (TpuMlirFile.TypeUse use : file.uses) {
      MlirType type = use.type();
      Long address = addresses.get(use.value());
      if (address != null && !edits.replace(type.start(), type.end(), type.withAddress(address))) {
        throw file.fault(
            "a function is called more than once; its tensors can have one address only");
      }
    }
    Matcher size = SIZE.matcher(file.text());
    while (size.find()) {
      edits.replace(size.start(1), size.end(1), Long.toString(bytes));
    }
    return edits.written();
  }

  /**
   * See {@link TpuMlirFile#withGroupAddresses}. The ops of a group are in the text in the order of
   * the group's events, so that a group is one walk over its text; other files are refused.
   */
  static String groupAddresses(TpuMlirFile file, List<CompiledGroup> groups) {
    List<Integer> starts = GROUP.matcher(file.text()).results().map(m -> m.start()).toList();
    if (starts.size() != groups.size()) {
      throw file.fault("has %s groups in its text; %s were read", starts.size(), groups.size());
    }
    TpuMlirEdits edits = new TpuMlirEdits(file.text());
    for (int k = 0; k < groups.size(); k++) {
      int end = k + 1 < starts.size() ? starts.get(k + 1) : file.text().length();
      Matcher found = ADDRESSES.matcher(file.text()).region(starts.get(k), end);
      for (Event event : groups.get(k).events()) {
        if (!found.find()
            || Long.parseLong(found.group(2)) != event.size()
            || Long.parseLong(found.group(4)) != event.scratchSize()) {
          String what = "the ops in its text are not those that were read, at tensor \"%s\"";
          throw new InputException(file.path, "group " + k, what, event.tensor());
        }
        edits.replace(found.start(1), found.end(1), Long.toString(event.offset()));
        edits.replace(found.start(3), found.end(3), Long.toString(event.scratchOffset()));
      }
    }
    return edits.written();
  }

  /** See {@link TpuMlirFile#withOrder}. */
  static String order(TpuMlirFile file, Map<String, Integer> places) {
    if (!file.module().groups().isEmpty()) {
      throw file.fault("has its ops in groups already, which fix their order; order them before");
    }
    Map<Integer, Integer> rankOfLine = new HashMap<>();
    for (TpuOp op : file.module().ops()) {
      int rank = -1;
      for (TpuValue output : op.outputs()) {
        rank = Math.max(rank, places.getOrDefault(output.name(), -1));
      }
      if (rankOfLine.put(op.line(), rank) != null) {
        String what =
            "is several ops of the network: they share it, it holds code, or its function is called"
                + " more than once; ops can be ordered where each has a line of its own";
        throw file.fault(op.line(), what);
      }
    }
    TpuMlirEdits edits = new TpuMlirEdits(file.text());
    for (MlirOperation function : file.functions()) {
      function.walk(
          outer -> outer.regions().forEach(code -> edits.reorder(code.operations(), rankOfLine)));
    }
    return edits.written();
  }

  /** Puts ops that follow each other, without nested code, in the order of their ranks. */
  private void reorder(List<MlirOperation> code, Map<Integer, Integer> rankOfLine) {
    for (int from = 0; from < code.size(); from++) {
      int to = from;
      while (to < code.size() && moves(code.get(to))) {
        to++;
      }
      List<MlirOperation> moving = code.subList(from, to);
      int[] ranks = new int[moving.size()];
      List<List<Integer>> needed = new ArrayList<>();
      Map<String, Integer> maker = new HashMap<>();
      for (int k = 0; k < ranks.length; k++) {
        MlirOperation op = moving.get(k);
        ranks[k] = rankOfLine.getOrDefault(op.line(), -1);
        needed.add(op.operands().stream().filter(maker::containsKey).map(maker::get).toList());
        for (String result : op.results()) {
          maker.put(result, k);
        }
      }
      int[] order = TopologicalOrder.ofRanked(ranks, needed);
      for (int k = 0; k < order.length; k++) {
        MlirOperation op = moving.get(order[k]);
        replace(moving.get(k).start(), moving.get(k).end(), text.substring(op.start(), op.end()));
      }
      from = to;
    }
  }

  private static boolean moves(MlirOperation operation) {
    return !operation.results().isEmpty() && operation.regions().isEmpty();
  }
}
