package stowage.importer.own;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonCursor;
import stowage.importer.io.Suggestion;
import stowage.packing.ConflictPairs;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;

/**
 * Pairs of buffers in a file of {@link PackingJson}, which may come before their buffers.
 *
 * @param indices those of the buffers by id, complete once all is read
 * @param pairs by field, those read so far
 */
record PackingJsonPairs(
    Path file, JsonCursor json, Map<String, Integer> indices, Map<String, List<Pair>> pairs) {
  private static final String OTHER_BANK = "otherBankThan";

  /** A pair as a field has it, with a weight or distance (0: none) and a reason (empty: none). */
  record Pair(String first, String second, int line, String field, long number, String reason) {}

  void read(String field) {
    switch (field) {
      case "reuse" -> json.array(() -> add(numbered(field, PackingJson.REUSE_FIELDS, 1)));
      case "together" -> json.array(() -> add(numbered(field, PackingJson.TOGETHER_FIELDS, 0)));
      default -> json.array(() -> add(plain(field)));
    }
  }

  void otherBank(String first, String second, int line) {
    add(new Pair(first, second, line, OTHER_BANK, 0, ""));
  }

  private void add(Pair pair) {
    pairs.computeIfAbsent(pair.field(), field -> new ArrayList<>()).add(pair);
  }

  private Pair plain(String field) {
    String what = field.equals("exclusive") ? "an exclusive pair" : "a conflict";
    List<String> ids = new ArrayList<>(2);
    json.array(() -> ids.add(json.label()));
    if (ids.size() != 2) {
      throw json.fault("%s should name two buffers, not %s", what, ids.size());
    }
    if (ids.get(0).equals(ids.get(1))) {
      throw json.fault(what + " should name two different buffers");
    }
    return new Pair(ids.get(0), ids.get(1), json.line(), field, 0, "");
  }

  /** A reuse pair or a pair kept together. */
  private Pair numbered(String field, List<String> known, long otherwise) {
    Map<String, Object> read =
        json.fields(
            known,
            name ->
                switch (name) {
                  case "a", "b" -> json.label();
                  case "weight" -> json.integer(1, Relations.MOST_WEIGHT);
                  case "reason" -> json.text();
                  default -> json.integer(-PackingProblem.LARGEST_SUM, PackingProblem.LARGEST_SUM);
                });
    json.require(read, "a", "b");
    if (read.get("a").equals(read.get("b"))) {
      throw json.fault("a and b should be two different buffers");
    }
    long number = (long) read.getOrDefault("weight", read.getOrDefault("distance", otherwise));
    String reason = (String) read.getOrDefault("reason", "");
    return new Pair(
        (String) read.get("a"), (String) read.get("b"), json.line(), field, number, reason);
  }

  ConflictPairs conflicts() {
    return resolved("conflicts", "apart");
  }

  Relations relations() {
    return Relations.none()
        .withReuse(each("reuse", (a, b, p) -> new Relations.Reuse(a, b, p.number(), p.reason())))
        .withTogether(each("together", (a, b, p) -> new Relations.Together(a, b, p.number())))
        .withExclusive(resolved("exclusive"))
        .withOtherBank(resolved(OTHER_BANK));
  }

  private interface Maker<T> {
    T of(int first, int second, Pair pair);
  }

  private <T> List<T> each(String field, Maker<T> maker) {
    return pairs.getOrDefault(field, List.of()).stream()
        .map(pair -> maker.of(index(pair, pair.first()), index(pair, pair.second()), pair))
        .toList();
  }

  private ConflictPairs resolved(String... fields) {
    List<int[]> resolved = new ArrayList<>();
    for (String field : fields) {
      resolved.addAll(each(field, (a, b, pair) -> new int[] {a, b}));
    }
    return ConflictPairs.of(indices.size(), resolved);
  }

  private int index(Pair pair, String id) {
    Integer index = indices.get(id);
    if (index == null) {
      String hint = indices.size() > 10_000 ? "" : Suggestion.hint(id, indices.keySet());
      String where = "line " + pair.line() + ", field \"" + pair.field() + "\"";
      throw new InputException(file, where, "no buffer has the id \"%s\"%s", id, hint);
    }
    return index;
  }
}
