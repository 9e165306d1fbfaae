package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.planning.fit.price.PriceCheck;
import stowage.planning.fit.price.PriceProof;

/** Proofs of prices, forged ones among them. */
class PriceProofTest {
  private static PriceProof with(PriceProof proof, int path, List<String> ops, List<Long> reached) {
    List<PriceProof.Path> paths = new ArrayList<>(proof.paths());
    paths.set(path, new PriceProof.Path(ops, reached));
    return new PriceProof(proof.within(), paths);
  }

  private static void assertRefused(Network network, PriceProof forged, String label) {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new PriceCheck(network, FitRunTest.request(network, -1, true).liveness())
                .proven(forged),
        label);
  }

  @Test
  void forgedProofsAreRefused() {
    int proofs = 0;
    int drawn = 0;
    int cases = Thorough.of(200, 500);
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      int ops = 3 + random.nextInt(6);
      Network network =
          switch (seed % 4) {
            case 0, 1 -> RandomChains.of(random, seed % 4 == 0, ops, 9);
            case 2 -> RandomChains.dense(random, random.nextBoolean(), 9);
            default -> RandomChains.forked(random, random.nextBoolean(), ops, 9);
          };
      FitRequest request = FitRunTest.request(network, -1, true);
      FitBound bound = new FitBound(request);
      List<Tensor> tensors = List.copyOf(network.tensors().values());
      long within = 1 + tensors.get(random.nextInt(tensors.size())).bytes() * 3 / 2;
      PriceProof proof = bound.proof(within);
      if (proof.paths().isEmpty()) {
        continue;
      }
      proofs++;
      String label = "seed " + seed + " within " + within;
      PriceCheck check = new PriceCheck(network, request.liveness());
      long proven = check.proven(proof);
      assertEquals(bound.extra(within), proven, label);
      int p = random.nextInt(proof.paths().size());
      PriceProof.Path path = proof.paths().get(p);
      int last = path.ops().size() - 1;

      List<Long> more = new ArrayList<>(path.reached());
      more.set(last, more.get(last) + 1);
      assertRefused(network, with(proof, p, path.ops(), more), label + ": one more");

      List<Long> deep = new ArrayList<>(Collections.nCopies(last, Long.MIN_VALUE));
      deep.add(path.reached().get(last) + 1);
      assertRefused(network, with(proof, p, path.ops(), deep), label + ": beyond 64 bits");

      List<PriceProof.Path> twice = new ArrayList<>(proof.paths());
      twice.add(path);
      assertRefused(network, new PriceProof(within, twice), label + ": a path twice");

      List<String> turned = new ArrayList<>(path.ops());
      Collections.reverse(turned);
      assertRefused(network, with(proof, p, turned, path.reached()), label + ": turned");

      List<String> other = new ArrayList<>(path.ops());
      other.set(last, "nothing");
      assertRefused(network, with(proof, p, other, path.reached()), label + ": unknown");

      for (int k = 0; k < 5; k++) {
        List<Long> any = new ArrayList<>(path.reached());
        int at = random.nextInt(last + 1);
        any.set(at, any.get(at) + random.nextInt(2000) - 1000);
        PriceProof forged = with(proof, p, path.ops(), any);
        if (check.accepts(forged)) {
          drawn++;
          assertTrue(check.proven(forged) <= proven, label + ": " + any);
        }
      }
      PriceProof wider = new PriceProof(2 * within, proof.paths());
      assertTrue(
          !check.accepts(wider) || check.proven(wider) <= bound.extra(2 * within),
          label + ": said of twice the bytes");
    }
    assertTrue(
        proofs > 2 * cases / 25 && drawn > cases / 25,
        proofs + " proofs, " + drawn + " changed ones hold");
  }
}
