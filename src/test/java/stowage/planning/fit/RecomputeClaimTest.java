package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.RecomputeProblem;

/** Proofs of answers are read as they were written. */
class RecomputeClaimTest {
  private static final Network NETWORK =
      NetworkJson.read(Path.of("models/networks/train_mlp.json"));
  private static final LivenessOptions OPTIONS =
      LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.NONE);
  private static final RecomputeProblem PROBLEM = RecomputeValues.of(NETWORK, OPTIONS).problem();
  private static final List<String> OPS = NETWORK.ops().stream().map(Op::name).toList();

  private static ClosureCertificate closure(long limit, int[] marks, int... splits) {
    RunControl control = RunControl.unlimited();
    return ClosureLinear.solve(PROBLEM, limit, Long.MAX_VALUE, marks, splits, null, control, 60);
  }

  /** The fields of a proof, which are held to prove as much as it does, and more than nothing. */
  private static ObjectNode proof(String kind, Map<String, Object> fields, long limit, long bound) {
    assertTrue(bound > 0);
    ObjectNode proof = new ObjectMapper().valueToTree(fields);
    proof.put("kind", kind);
    assertEquals(bound, RecomputeClaim.proven(NETWORK, OPTIONS, proof, limit));
    return proof;
  }

  @Test
  void aClosureProvesAsMuchAsWhenItWasFound() {
    long limit = 90_000_000;
    ClosureCertificate found = closure(limit, PROBLEM.once(), PROBLEM.ops / 2);
    long bound = found.bound(PROBLEM, limit);
    ObjectNode proof = proof("closure", found.fields(PROBLEM, OPS), limit, bound);
    ObjectNode row = (ObjectNode) proof.get("multipliers").get(0);
    row.put("multiplier", -1.0);
    Executable read = () -> RecomputeClaim.proven(NETWORK, OPTIONS, proof, limit);
    assertThrows(IllegalArgumentException.class, read);
    row.put("row", 1 << 30);
    assertThrows(IllegalArgumentException.class, read);
  }

  @Test
  void casesProveAsMuchAsWhenTheyWereFound() {
    long limit = 75_000_000;
    int[] marks = new GapProblem(PROBLEM, limit).rows;
    double[] multipliers = closure(limit, marks).multipliers();
    double[] longer = Arrays.copyOf(multipliers, multipliers.length + 1);
    BranchCertificate.Case leaf = BranchCertificate.Case.leaf(longer);
    BranchCertificate.Case root = new BranchCertificate.Case(null, 3, 2, 0, List.of(leaf, leaf));
    BranchCertificate found = new BranchCertificate(marks, new int[0], Long.MAX_VALUE, root);
    long bound = found.bound(PROBLEM, limit);
    ObjectNode proof = proof("cases", found.fields(PROBLEM, OPS), limit, bound);
    Executable read = () -> RecomputeClaim.proven(NETWORK, OPTIONS, proof, limit);
    ObjectNode node = (ObjectNode) proof.get("root");
    node.put("first", -1);
    assertThrows(IllegalArgumentException.class, read);
    node.put("first", 3).put("count", Integer.MAX_VALUE);
    assertThrows(IllegalArgumentException.class, read);
    node.put("count", 2 + (1L << 32)); // not wrapped around
    assertThrows(IllegalArgumentException.class, read);
  }
}
