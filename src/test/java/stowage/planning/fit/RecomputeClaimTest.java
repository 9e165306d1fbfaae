package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import stowage.importer.own.NetworkJson;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.cpsat.ClosureLinear;
import stowage.rewrite.recompute.model.ClosureCertificate;
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
}
