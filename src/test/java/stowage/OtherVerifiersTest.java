package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import stowage.exact.RandomProblems;
import stowage.exact.reuse.RelatedProblems;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.importer.own.PackingJson;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;
import stowage.packing.ReuseCost;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/**
 * The verifiers in Python and C say of 1,000 plans, half of them broken, what ours says: of
 * problems with every kind of constraint and, the half of them, of relation; and what reuse costs.
 */
class OtherVerifiersTest extends FolderTest {
  private static final int PLANS = 1000;

  private record Checked(PackingProblem problem, Placement placement, boolean valid) {}

  private static final List<Checked> ALL = new ArrayList<>();

  @BeforeAll
  static void makePlans() {
    int valid = 0;
    for (long seed = 1; ALL.size() < PLANS; seed++) {
      PackingProblem problem =
          seed % 2 == 0 ? RandomProblems.of(seed, 12) : RelatedProblems.of(seed, 8);
      Placement placement = placed(problem, seed);
      if (placement == null) {
        continue;
      }
      boolean wanted = valid <= ALL.size() / 2;
      Random random = new Random(seed);
      for (int attempt = 0; attempt < 50; attempt++) {
        Placement candidate = wanted ? placement : broken(problem, placement, random);
        boolean holds = Verifier.isValid(problem, candidate);
        if (holds == wanted) {
          ALL.add(new Checked(problem, candidate, holds));
          valid += holds ? 1 : 0;
          break;
        }
      }
    }
    assertEquals(PLANS / 2, valid, 1);
  }

  private static Placement placed(PackingProblem problem, long seed) {
    List<Planner> planners = HeuristicPlanners.simple();
    try {
      return planners
          .get((int) (seed % planners.size()))
          .planAny(problem, RunControl.ofSeconds(10, 1, seed));
    } catch (NotPlannableException refused) {
      return null;
    }
  }

  /** One buffer moved, by a little or to anywhere, or put into another memory. */
  private static Placement broken(PackingProblem problem, Placement placement, Random random) {
    long[] offsets = placement.offsets();
    int[] memories = placement.memories();
    int moved = random.nextInt(offsets.length);
    switch (random.nextInt(4)) {
      case 0 -> offsets[moved] += random.nextBoolean() ? 1 : -1;
      case 1 -> offsets[moved] = random.nextInt(20);
      case 2 -> offsets[moved] = offsets[random.nextInt(offsets.length)];
      default -> memories[moved] = random.nextInt(problem.memories().size());
    }
    return Placement.of(offsets, memories);
  }

  @Test
  void python() throws IOException, InterruptedException {
    assumeTrue(Programs.isThere("python3"), "python3 is not installed");
    StringBuilder lines = new StringBuilder();
    for (Checked plan : ALL) {
      ByteArrayOutputStream json = new ByteArrayOutputStream();
      PackingJson.write(json, plan.problem());
      lines.append(json.toString(StandardCharsets.UTF_8).replace('\n', ' ')).append('\t');
      lines.append(placements(plan.problem(), plan.placement())).append('\n');
    }
    Path input = file("plans.txt", lines);
    String script =
        """
        import json, sys; sys.path.insert(0, 'python')
        from stowage import faults, reuse_cost
        for line in open(sys.argv[1]):
            problem, placements = map(json.loads, line.split('\\t'))
            valid = not faults(problem, placements)
            print(valid, reuse_cost(problem, placements) if valid else -1)
        """;
    List<String> said = Programs.output("python3", "-c", script, input.toString()).lines().toList();
    assertEquals(PLANS, said.size());
    for (int k = 0; k < PLANS; k++) {
      String expected = (ALL.get(k).valid() ? "True " : "False ") + cost(k);
      assertEquals(expected, said.get(k), describe(k));
    }
  }

  private static String placements(PackingProblem problem, Placement placement) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < problem.size(); i++) {
      String memory = problem.memories().get(placement.memory(i)).name();
      rows.add(
          "{\"id\": \"%s\", \"offset\": %d, \"memory\": \"%s\"}"
              .formatted(problem.buffer(i).id(), placement.offset(i), memory));
    }
    return rows.toString();
  }

  @Test
  void c() throws IOException, InterruptedException {
    assumeTrue(Programs.isThere("gcc"), "gcc is not installed");
    StringBuilder text = new StringBuilder().append(PLANS).append('\n');
    ALL.forEach(plan -> write(text, plan.problem(), plan.placement()));
    Path input = file("plans.txt", text);
    String program = folder.resolve("verify").toString();
    String options = "gcc -std=c99 -Wall -Wextra -O1 -Isrc/main/c src/test/c/verify_main.c -o";
    List<String> gcc = new ArrayList<>(List.of(options.split(" ")));
    gcc.add(program);
    assertEquals("", Programs.output(new ProcessBuilder(gcc)), "warnings");
    List<String> said =
        Programs.output(new ProcessBuilder(program).redirectInput(input.toFile())).lines().toList();
    assertEquals(PLANS, said.size());
    for (int k = 0; k < PLANS; k++) {
      String[] verdict = said.get(k).split(" ");
      assertEquals(ALL.get(k).valid(), verdict[0].equals("0"), describe(k) + said.get(k));
      assertEquals(cost(k), Long.parseLong(verdict[1]), describe(k));
    }
  }

  private static void write(StringBuilder text, PackingProblem problem, Placement placement) {
    text.append(problem.memories().size()).append('\n');
    for (Memory memory : problem.memories()) {
      long capacity = memory.isBounded() ? memory.capacity() : -1;
      row(text, capacity, memory.alignment(), memory.bankSize());
    }
    text.append(problem.size()).append('\n');
    int spans = 0;
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      row(
          text,
          buffer.size(),
          buffer.alignment(),
          buffer.fixedOffset(),
          problem.allowedMask(i),
          buffer.holdsPlace() || !buffer.live().isEmpty() ? 1 : 0,
          buffer.withinBank() ? 1 : 0,
          buffer.holdsPlace() ? 1 : 0,
          placement.offset(i),
          placement.memory(i));
      spans += buffer.spans().size();
    }
    text.append(spans).append('\n');
    for (int i = 0; i < problem.size(); i++) {
      for (Buffer.Span span : problem.buffer(i).spans()) {
        row(text, i, span.start(), span.end(), span.low(), span.high());
      }
    }
    text.append(problem.memories().stream().mapToInt(m -> m.reserved().size()).sum()).append('\n');
    for (int m = 0; m < problem.memories().size(); m++) {
      for (ReservedRange range : problem.memories().get(m).reserved()) {
        row(text, m, range.from(), range.to());
      }
    }
    Relations relations = problem.relations();
    writePairs(text, problem, problem.conflicts());
    text.append(relations.together().size()).append('\n');
    relations.together().forEach(pair -> row(text, pair.first(), pair.second(), pair.distance()));
    writePairs(text, problem, relations.exclusive());
    writePairs(text, problem, relations.otherBank());
    text.append(relations.reuse().size()).append('\n');
    relations.reuse().forEach(pair -> row(text, pair.first(), pair.second(), pair.weight()));
  }

  private static void writePairs(StringBuilder text, PackingProblem problem, ConflictPairs pairs) {
    text.append(pairs.count()).append('\n');
    for (int i = 0; i < problem.size(); i++) {
      for (int j : pairs.of(i)) {
        if (i < j) {
          row(text, i, j, 0);
        }
      }
    }
  }

  /** What a valid plan pays; -1 for a broken one. */
  private static long cost(int k) {
    Checked plan = ALL.get(k);
    return plan.valid() ? ReuseCost.of(plan.problem(), plan.placement()) : -1;
  }

  private static void row(StringBuilder text, long... numbers) {
    for (long number : numbers) {
      text.append(number).append(' ');
    }
    text.append('\n');
  }

  private static String describe(int k) {
    Checked plan = ALL.get(k);
    return plan.problem().name() + ": " + Verifier.violations(plan.problem(), plan.placement());
  }
}
