package stowage.exact.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import stowage.exact.RandomProblems;
import stowage.exact.bound.window.WindowBounds;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Certificate;
import stowage.packing.CertificateFields;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;

/** What every certificate can do: check, explain and write itself, and be read again. */
class CertificateTest {

  /** Fields as {@link CertificateFields} writes them. */
  private record Written(PackingProblem problem, Map<String, Object> fields)
      implements Certificate.Source {
    @Override
    public boolean has(String field) {
      return fields.containsKey(field);
    }

    @Override
    public int memory() {
      return memoryOf((String) fields.get("memory"));
    }

    private int memoryOf(String name) {
      for (int m = 0; m < problem.memories().size(); m++) {
        if (problem.memories().get(m).name().equals(name)) {
          return m;
        }
      }
      throw new IllegalArgumentException(name);
    }

    @Override
    public int[] buffers() {
      return buffers("buffers");
    }

    @Override
    public int[] buffers(String field) {
      return ((List<?>) fields.get(field))
          .stream().mapToInt(id -> Integer.parseInt(((String) id).substring(1))).toArray();
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Certificate.Source> list(String field) {
      return ((List<?>) fields.get(field))
          .stream()
              .map(part -> (Certificate.Source) new Written(problem, (Map<String, Object>) part))
              .toList();
    }

    @Override
    public long natural(String field) {
      return positive(field);
    }

    @Override
    public int step(String field) {
      return ((Number) fields.get(field)).intValue();
    }

    @Override
    public long positive(String field) {
      return ((Number) fields.get(field)).longValue();
    }

    @Override
    public long memories(String field) {
      long mask = 0;
      for (Object name : (List<?>) fields.getOrDefault(field, List.of())) {
        mask |= 1L << memoryOf((String) name);
      }
      return mask;
    }

    @Override
    public RuntimeException wrong(String what) {
      return new IllegalStateException(what);
    }
  }

  @Test
  void everyKindIsReadAsItIsWritten() {
    Set<String> kinds = new TreeSet<>();
    for (long seed = 0; seed < 3_000; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 8);
      List<Bound> bounds = new ArrayList<>(LowerBounds.of(problem));
      Bound window = WindowBounds.above(problem, bounds.get(0).value());
      if (window != null) {
        bounds.add(window);
      }
      for (Bound bound : bounds) {
        Certificate why = bound.certificate();
        kinds.add(why.getClass().getSimpleName());
        String which = "seed " + seed + ", " + why;
        Map<String, Object> fields = CertificateFields.of(problem, why, true, "reason");
        Certificate read = Certificate.read(why.kind(), new Written(problem, fields));
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
    all.remove("ReuseCuts"); // a bound of the price, not of a peak: ReuseEngineTest checks it
    assertEquals(all, kinds);
  }

  @Test
  void anUnknownKindIsRefused() {
    Written nothing = new Written(RandomProblems.of(1, 3), Map.of());
    String message =
        assertThrows(IllegalStateException.class, () -> Certificate.read("magic", nothing))
            .getMessage();
    assertEquals("kind \"magic\" is not known", message);
  }
}
