package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import stowage.importer.own.NetworkJson;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.cpsat.ClosureLinear;
import stowage.rewrite.recompute.model.BranchCertificate;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.Cover;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.RecomputeProblem;

/** Proofs of answers are read as they were written. */
class RecomputeClaimTest {

  @Test
  void aClosureProvesAsMuchAsWhenItWasFound() {
    Network network = NetworkJson.read(Path.of("models/networks/train_mlp.json"));
    LivenessOptions options = LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.NONE);
    RecomputeProblem problem = RecomputeValues.of(network, options).problem();
    long limit = 90_000_000;
    int[] ops = {problem.ops / 2};
    RunControl control = RunControl.unlimited();
    ClosureCertificate found =
        ClosureLinear.solve(problem, limit, Long.MAX_VALUE, problem.once(), ops, null, control, 60);
    long bound = found.bound(problem, limit);
    assertTrue(bound > 0);
    List<String> names = network.ops().stream().map(Op::name).toList();
    ObjectNode proof = new ObjectMapper().valueToTree(found.fields(problem, names));
    proof.put("kind", "closure");
    assertEquals(bound, RecomputeClaim.proven(network, options, proof, limit));
    ObjectNode row = (ObjectNode) proof.get("multipliers").get(0);
    row.put("multiplier", -1.0);
    Executable read = () -> RecomputeClaim.proven(network, options, proof, limit);
    assertThrows(IllegalArgumentException.class, read);
    row.put("row", 1 << 30);
    assertThrows(IllegalArgumentException.class, read);
  }

  @Test
  void casesProveAsMuchAsWhenTheyWereFound() {
    Network network = NetworkJson.read(Path.of("models/networks/train_mlp.json"));
    LivenessOptions options = LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.NONE);
    RecomputeProblem problem = RecomputeValues.of(network, options).problem();
    long limit = 75_000_000;
    int[] marks = new GapProblem(problem, limit).rows;
    double[] multipliers =
        ClosureLinear.solve(
                problem, limit, Long.MAX_VALUE, marks, new int[0], null, RunControl.unlimited(), 60)
            .multipliers();
    double[] longer = Arrays.copyOf(multipliers, multipliers.length + 2);
    BranchCertificate.Case leaf = BranchCertificate.Case.leaf(longer);
    BranchCertificate.Case root = new BranchCertificate.Case(null, 3, 2, 0, List.of(leaf, leaf));
    List<Cover> covers = List.of(firstCover(problem, limit, marks));
    BranchCertificate found =
        new BranchCertificate(marks, new int[0], covers, Long.MAX_VALUE, root);
    long bound = found.bound(problem, limit);
    assertTrue(bound > 0);
    List<String> names = network.ops().stream().map(Op::name).toList();
    ObjectNode proof = new ObjectMapper().valueToTree(found.fields(problem, names));
    proof.put("kind", "cases");
    assertEquals(bound, RecomputeClaim.proven(network, options, proof, limit));
    Executable read = () -> RecomputeClaim.proven(network, options, proof, limit);
    ObjectNode cover = (ObjectNode) proof.get("covers").get(0);
    for (String name : List.of("most", "row")) {
      int right = cover.get(name).asInt();
      cover.put(name, right == 0 ? 1 << 20 : 0);
      assertThrows(IllegalArgumentException.class, read, name);
      cover.put(name, right);
    }
    assertEquals(bound, RecomputeClaim.proven(network, options, proof, limit));
    ((ObjectNode) proof.get("root")).put("first", -1);
    assertThrows(IllegalArgumentException.class, read);
  }

  /** Not all values of the first row of bytes that asks for some to be absent are held. */
  private static Cover firstCover(RecomputeProblem problem, long limit, int[] marks) {
    List<Cover> found = new ArrayList<>();
    ClosureRows.Sink rows =
        new ClosureRows.Sink() {
          private int seen;

          @Override
          public void row(boolean ofBytes, long least, int[] listed, long[] weights, int terms) {
            if (ofBytes && least > 0 && terms > 1) {
              int[] ones = IntStream.generate(() -> 1).limit(terms).toArray();
              found.add(new Cover(seen, Arrays.copyOf(listed, terms), ones, terms - 1));
            }
            seen += ofBytes ? 1 : 0;
          }
        };
    ClosureRows.visit(problem, limit, marks, new int[0], rows);
    return found.get(0);
  }
}
