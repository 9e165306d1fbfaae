package stowage.planning.fit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.network.Network;
import stowage.network.Op;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.TensorOrigin;

/**
 * The rewriting that {@code fit} wrote as network.json and order.csv, found again by the names of
 * its ops, and what an answer says of its runs.
 */
public final class FitOrigins {
  private static final Pattern PIECE = Pattern.compile("#(\\d+)(?:-\\d+)?of(\\d+)");

  private FitOrigins() {}

  /**
   * The rewriting of a given network into a written one.
   *
   * @param origins for each op of the written network the given op that it comes from, by name
   * @throws IllegalArgumentException naming an op without a given one
   */
  public static Rewriting of(Network given, Network written, Map<String, String> origins) {
    Map<String, Integer> indices = new HashMap<>();
    given.ops().forEach(op -> indices.put(op.name(), indices.size()));
    List<OpOrigin> ops = new ArrayList<>();
    for (Op op : written.ops()) {
      String origin = origins.get(op.name());
      if (!indices.containsKey(origin) || !op.name().startsWith(origin)) {
        throw new IllegalArgumentException(
            "order.csv says that op \"%s\" comes from \"%s\"".formatted(op.name(), origin));
      }
      ops.add(origin(indices.get(origin), op.name().substring(origin.length())));
    }
    Map<String, TensorOrigin> tensors = new LinkedHashMap<>();
    written.tensors().values().forEach(t -> tensors.put(t.name(), TensorOrigin.whole(t, 1)));
    return new Rewriting(given, written, ops, tensors);
  }

  private static OpOrigin origin(int op, String suffix) {
    Matcher piece = PIECE.matcher(suffix);
    boolean cut = piece.find();
    OpOrigin.Kind kind = cut ? OpOrigin.Kind.PIECE : OpOrigin.Kind.GIVEN;
    int copy = 1;
    for (OpOrigin.Kind added :
        List.of(OpOrigin.Kind.SLICE, OpOrigin.Kind.PAD, OpOrigin.Kind.CONCAT)) {
      kind = suffix.startsWith("." + added.name().toLowerCase(Locale.ROOT)) ? added : kind;
    }
    if (suffix.matches("@\\d+")) {
      kind = OpOrigin.Kind.COPY;
      copy = Integer.parseInt(suffix.substring(1));
    }
    return cut
        ? new OpOrigin(
            op, kind, 0, Integer.parseInt(piece.group(1)) - 1, Integer.parseInt(piece.group(2)), 1)
        : new OpOrigin(op, kind, -1, -1, 1, copy);
  }

  /** Which way pieces of an op run, in their order; without any as is said. */
  static String direction(List<OpOrigin> pieces, boolean otherwise) {
    int last = pieces.size() - 1;
    boolean down = last < 0 ? otherwise : pieces.get(0).piece() <= pieces.get(last).piece();
    return down ? "top-down" : "bottom-up";
  }

  /** What an answer's {@code runs} say of ops in pieces and is false, one sentence each. */
  public static List<String> contradictions(Rewriting rewriting, JsonNode runs) {
    Map<String, List<OpOrigin>> pieces = new TreeMap<>();
    for (OpOrigin origin : rewriting.ops()) {
      if (origin.kind() == OpOrigin.Kind.PIECE) {
        String op = rewriting.given().ops().get(origin.op()).name();
        pieces.computeIfAbsent(op, name -> new ArrayList<>()).add(origin);
      }
    }
    List<String> found = new ArrayList<>();
    for (JsonNode run : runs) {
      int said = 1;
      for (JsonNode count : run.path("pieces")) {
        said *= count.isInt() ? count.asInt() : 0; // no op runs in so many
      }
      String direction = run.path("direction").asText();
      for (JsonNode name : run.path("ops")) {
        List<OpOrigin> made = pieces.remove(name.asText());
        int are = made == null ? 1 : made.get(0).pieces();
        String is = direction(made == null ? List.of() : made, true);
        boolean directed = name == run.path("ops").get(0) && made != null && made.size() > 1;
        if (are != said || directed && !is.equals(direction)) {
          String what = "the answer says that op %s runs in %d pieces %s; it runs in %d %s";
          found.add(what.formatted(name, said, direction, are, is));
        }
      }
    }
    String what = "the answer says of no run that it has op \"%s\", which runs in pieces";
    pieces.keySet().forEach(op -> found.add(what.formatted(op)));
    return found;
  }
}
