package stowage.exact.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import stowage.Refusals;
import stowage.Thorough;
import stowage.exact.RandomProblems;
import stowage.exact.bound.window.WindowBounds;
import stowage.importer.own.CertificateReader;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Certificate;
import stowage.packing.CertificateFields;
import stowage.packing.ConflictPairs;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;
import stowage.packing.ReuseProof;

/** What every certificate can do: check, explain and write itself, and be read again. */
class CertificateTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static Certificate read(PackingProblem problem, Map<String, Object> fields) {
    return new CertificateReader(Path.of("plan.json"), problem).read(MAPPER.valueToTree(fields));
  }

  @Test
  void everyKindIsReadAsItIsWritten() {
    Set<String> kinds = new TreeSet<>();
    for (long seed = 0; seed < Thorough.of(1_500, 3_000); seed++) {
      PackingProblem problem = RandomProblems.of(seed, 8);
      List<Bound> bounds = new ArrayList<>(LowerBounds.of(problem));
      Bound window =
          WindowBounds.above(problem, bounds.get(0).value(), WindowBounds.QUICK, () -> false);
      if (window != null) {
        bounds.add(window);
      }
      for (Bound bound : bounds) {
        Certificate why = bound.certificate();
        kinds.add(why.getClass().getSimpleName());
        String which = "seed " + seed + ", " + why;
        Map<String, Object> fields = CertificateFields.of(problem, why, true, "reason");
        Certificate read = read(problem, fields);
        assertEquals(why.getClass(), read.getClass(), which);
        assertEquals(fields, CertificateFields.of(problem, read, true, "reason"), which);
        Bound again = new Bound(bound.figure(), bound.value(), read);
        assertTrue(BoundVerifier.fault(problem, again).isEmpty(), which);
        Bound higher = new Bound(bound.figure(), bound.value() + 1, read);
        // These two are decided again at the value asked, which may be less than they could show.
        boolean decided = why instanceof Certificate.Energy || why instanceof Certificate.Window;
        assertTrue(decided || BoundVerifier.fault(problem, higher).isPresent(), which);
        assertFalse(ProofText.of(problem, read, bound.value()).isBlank(), which);
      }
    }
    Set<String> all = new TreeSet<>();
    for (Class<?> kind : Certificate.class.getPermittedSubclasses()) {
      all.add(kind.getSimpleName());
    }
    all.remove("SolverClaim");
    all.remove("Contradiction"); // holds at every capacity and bounds no peak
    all.remove("ReuseProof"); // a bound of the price, not of a peak: ReuseEngineTest checks it
    assertEquals(all, kinds);
  }

  @Test
  void anUnknownKindIsRefused() {
    PackingProblem problem = RandomProblems.of(1, 3);
    Refusals.input(() -> read(problem, Map.of("kind", "magic")), "kind \"magic\" is not known");
  }

  @Test
  void cutsOfAPriceAreReadAsTheyAreWritten() {
    PackingProblem problem = Buffers.problem("a:6[0,1) b:5[1,2) c:4[2,3)").withCapacity(0, 10);
    int[] all = {0, 1, 2};
    List<ReuseCut> cuts =
        List.of(new ReuseCut.Turan(0, all, 2), new ReuseCut.Hide(0, all, new int[] {1}, 5));
    ReuseProof proof = new ReuseProof(cuts, new long[] {3, 4}, 8, new int[] {0, 7});
    Map<String, Object> fields = CertificateFields.of(problem, proof, true, "reason");
    Map<?, ?> turan = (Map<?, ?>) ((List<?>) fields.get("cuts")).get(0);
    assertEquals(2, turan.get("apartAtMost"));
    assertEquals(List.of("a", "b", "c"), turan.get("buffers"));
    Certificate read = read(problem, fields);
    assertEquals(fields, CertificateFields.of(problem, read, true, "reason"));
    JsonNode forged = MAPPER.valueToTree(fields);
    ((ObjectNode) forged.at("/cuts/0")).put("apartAtMost", 0);
    Refusals.input(
        () -> new CertificateReader(Path.of("plan.json"), problem).read(forged),
        "apartAtMost 0 should be a number of 1 or more");
  }

  /** y is exclusive with x and may use its bytes, so x takes no offset from it. */
  @Test
  void aFixedBufferThatMayShareTakesNoOffset() {
    List<Buffer> buffers =
        List.of(new Buffer("x", 8, 0, 2).withFixedOffset(0), new Buffer("y", 4, 0, 2));
    PackingProblem apart = PackingProblem.of("p", buffers);
    Certificate energy = new Certificate.Energy(0, 0, new int[] {1});
    assertEquals(12, energy.proves(apart, 12));
    ConflictPairs pair = ConflictPairs.of(2, List.of(new int[] {0, 1}));
    PackingProblem either = apart.withRelations(Relations.none().withExclusive(pair));
    assertEquals(0, energy.proves(either, 9));
    assertEquals(12, energy.proves(either.withConflicts(pair), 12));
  }
}
