package stowage.cli.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;
import stowage.importer.own.NetworkJson;
import stowage.network.Network;

/**
 * Proofs of {@code fit --levers recompute}: by the definition, and as {@code verify} reads them.
 */
class FitProofTest extends RecomputeFolder {
  /**
   * What the multipliers of an answer prove, by the definition: of ops o0, o1, ... with one result
   * each, in the given order or in all.
   */
  private static double proven(Network network, JsonNode proof, boolean all, long limit) {
    int ops = network.ops().size();
    double[] lambda = new double[ops];
    for (JsonNode row : proof.get("multipliers")) {
      lambda[Integer.parseInt(row.get("op").asText().substring(1))] =
          row.get("multiplier").asDouble() / proof.get("scale").asDouble();
    }
    boolean[][] before = new boolean[ops][ops + 1];
    for (int v = ops - 1; v >= 0; v--) {
      before[v][ops] = true;
      for (int u = v + 1; u < ops; u++) {
        for (int w = v; w < u; w++) {
          before[v][u] |=
              !all || (w == v || before[v][w]) && network.ops().get(u).inputs().contains("t" + w);
        }
      }
    }
    double sum = 0;
    for (int v = 0; v < ops; v++) {
      double own = network.tensor("t" + v).bytes() - limit;
      for (String operand : network.ops().get(v).inputs()) {
        own += network.tensor(operand).bytes();
      }
      sum += lambda[v] * own;
      int last = v;
      for (int u = v + 1; u <= ops; u++) {
        boolean touch =
            u == ops
                ? network.outputs().contains("t" + v)
                : network.ops().get(u).inputs().contains("t" + v);
        if (touch && before[last][u]) {
          double within = 0;
          for (int w = last + 1; w < u; w++) {
            within += before[last][w] && before[w][u] ? lambda[w] : 0;
          }
          double held = within * network.tensor("t" + v).bytes();
          sum += Math.min(held, network.ops().get(v).cost());
          last = u;
        }
      }
    }
    return sum;
  }

  @Test
  void theMultipliersOfAnAnswerProveItsBoundForTheOrdersThatItNames() throws IOException {
    Path given = training(3);
    Network network = NetworkJson.read(given);
    int checked = 0;
    for (boolean all : new boolean[] {false, true}) {
      for (long limit = 20; limit < 36; limit += 3) {
        String used = all ? "order,recompute" : "recompute";
        JsonNode answer = levers(given, used, "--load-limit", limit, "--alignment", 1);
        JsonNode proof = answer.get("extraProof");
        if (!proof.get("kind").asText().equals("gaps") || answer.get("extraBound").asLong() == 0) {
          continue;
        }
        assertVerified(given, answer);
        checked++;
        assertEquals(all ? "all" : "given", proof.get("orders").asText());
        double proven = Math.min(proof.get("below").asDouble(), proven(network, proof, all, limit));
        assertTrue(proven > answer.get("extraBound").asLong() - 1 + 1e-6, answer.toString());
        if (!all) {
          assertTrue(proven(network, proof, true, limit) <= proven + 1e-6, answer.toString());
        }
      }
    }
    assertTrue(checked > 0, checked + " proofs");
  }

  /** The plan of a curve that is written need not be the last point of it. */
  @Test
  void theProofOfACurveIsThatOfThePlanWritten() throws IOException {
    int checked = 0;
    for (int seed = 0; seed < 4; seed++) {
      Path given = training(seed);
      Network network = NetworkJson.read(given);
      JsonNode answer =
          levers(given, "order,recompute", "--curve", "--alignment", 1, "--time-limit", 1);
      long bound = answer.get("extraBound").asLong();
      JsonNode proof = answer.get("extraProof");
      if (proof.get("kind").asText().equals("gaps")) {
        checked++;
        double proven = proven(network, proof, true, answer.get("peak").asLong());
        assertTrue(proven > bound - 1 + 1e-6, answer.toString());
      }
    }
    assertTrue(checked > 0, checked + " proofs");
  }

  @Test
  void setsOfAnExhaustiveSearchAreVerified() throws IOException {
    Path given = training(7);
    int checked = 0;
    for (long limit = 16; limit < 36; limit += 4) {
      JsonNode answer = levers(given, "recompute", "--load-limit", limit, "--alignment", 1);
      if (answer.get("extraProof").path("sets").size() > 0) {
        checked++;
        assertEquals("exhaustion", answer.get("extraProof").get("kind").asText());
        assertVerified(given, answer);
        ObjectNode less = answer.deepCopy();
        ((ObjectNode) less.get("extraProof")).put("kind", "sets");
        Path other = file("other.json", less.toString());
        Stowage.run("verify", given, other, "--alignment", 1)
            .ends(6)
            .prints("the proof has no certificate");
        less = answer.deepCopy();
        // The closure of all ops may prove as much alone, as it does where it came to nothing
        // before.
        ((ObjectNode) less.get("extraProof")).putArray("beginnings");
        for (Iterator<JsonNode> sets = less.get("extraProof").get("sets").elements();
            sets.hasNext(); ) {
          if (sets.next().get("spent").asLong() == 0) {
            sets.remove();
          }
        }
        Path file = file("short.json", less.toString());
        Stowage run = Stowage.run("verify", given, file, "--alignment", 1, "--json");
        assertTrue(run.code() != 0, run.out());
      }
    }
    assertTrue(checked > 0, checked + " proofs");
  }

  @Test
  void pricesAreVerifiedForTheAlignmentThatTheyAreOf() throws IOException {
    Path given = training(3);
    Path out = folder.resolve("out");
    List<Object> options = List.of("--levers", "recompute", "--load-limit", 24, "--alignment", 1);
    JsonNode answer = Stowage.run("fit", given, options, "--out", out, "--json").json();
    Path file = Files.writeString(out.resolve("answer.json"), answer.toString());
    assertEquals(ExitCode.OK, Stowage.run("verify", given, file).code());
    ObjectNode forged = answer.deepCopy();
    ((ObjectNode) forged.at("/network/plannedAs")).put("alignment", 2);
    Files.writeString(file, forged.toString());
    String said = Stowage.run("verify", given, file).out();
    assertTrue(said.contains("multiples of 2 bytes; its plan is of multiples of 1"), said);
    forged.remove("network");
    Path alone = file("alone.json", forged.toString());
    said = Stowage.run("verify", given, alone).out();
    assertTrue(said.contains("is no multiple of 4096"), said);
  }

  /** Changes after which an answer for ops computed again claims what its proof does not say. */
  private static final List<String> FORGED =
      List.of(
          "{'levers': ['recompute', 'sharing']}",
          "{'levers': ['recompute', 'split']}",
          "{'levers': ['order']}",
          "{'status': 'INFEASIBLE'}",
          "{'loadLimit': 30.5}",
          "{'extraProof': {'kind': 'gathering'}}",
          "{'extraProof': {'kind': 'cp-sat'}, 'levers': ['order', 'recompute']}");

  /** Verifies an answer with a proof, and that a larger bound and other forgeries are refused. */
  private void assertVerified(Path given, JsonNode answer) throws IOException {
    Path file = folder.resolve("answer.json");
    ObjectNode forged = answer.deepCopy();
    for (boolean more : new boolean[] {false, true}) {
      forged.put("extraBound", answer.get("extraBound").asLong() + (more ? 1 : 0));
      Files.writeString(file, forged.toString());
      Stowage run = Stowage.run("verify", given, file, "--alignment", 1, "--json");
      JsonNode bound = run.json().get("extraBound");
      assertEquals(!more, bound.get("proven").asBoolean(), run.out());
      assertEquals(!more, run.code() == 0, run.out());
    }
    List<String> changes = new ArrayList<>(FORGED);
    if (!answer.get("extraProof").get("orders").asText().equals("all")) {
      changes.add("{'levers': ['order', 'recompute']}");
    }
    for (String change : changes) {
      ObjectNode other = answer.deepCopy();
      ObjectNode fields = JsonChecks.read(change.replace('\'', '"'));
      Files.writeString(file, other.setAll(fields) + "");
      Stowage run = Stowage.run("verify", given, file, "--alignment", 1);
      run.ends(ExitCode.INVALID_PLAN).prints("invalid: ");
    }
  }
}
