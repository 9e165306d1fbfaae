package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.PublicData;
import stowage.Refusals;
import stowage.Thorough;
import stowage.compiler.core.CasePlan;
import stowage.heuristic.NotPlannableException;
import stowage.importer.own.PackingCsv;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Planners of 2026: to the byte what the systems' own programs gave, and what their rules give when
 * followed word by word.
 */
class PlannersOf2026Test {

  /** Buffers as name, KiB, first step and first step after the last. */
  private static final Map<String, String> LISTS =
      Map.of(
          "P",
          "A 4 0 5; B 2 1 3; C 4 2 4; D 1 3 5; E 2 4 7; F 2 5 7; G 6 6 7",
          "Q",
          "A 100 0 2; B 80 1 3; C 60 2 4",
          "S1",
          "0 3 1 5; 1 3 0 1; 2 2 5 8; 3 1 5 7; 4 3 3 4; 5 2 0 1; 6 4 4 6; 7 3 4 6; 8 4 6 8; 9 4 1"
              + " 3; 10 2 0 3; 11 4 6 8",
          "S2",
          "0 4 1 4; 1 6 2 5; 2 8 8 12; 3 4 3 7; 4 3 0 1; 5 4 0 1; 6 4 6 9; 7 6 4 7; 8 4 3 4; 9 6 4"
              + " 6; 10 2 1 3; 11 6 6 9; 12 3 0 4; 13 4 5 6; 14 2 0 5; 15 4 0 4",
          "T",
          "0 2 0 1; 1 1 0 9; 2 2 0 1; 3 1 0 9; 4 3 1 2; 5 2 2 4; 6 2 2 3; 7 1 3 5; 8 2 4 5; 9 4 5"
              + " 9; 10 1 5 6; 11 1 6 9");

  private static PackingProblem small(String instance) {
    List<Buffer> buffers = new ArrayList<>();
    for (String row : LISTS.get(instance).split("; ")) {
      String[] f = row.split(" ");
      buffers.add(
          new Buffer(
              f[0], 1024 * Long.parseLong(f[1]), Integer.parseInt(f[2]), Integer.parseInt(f[3])));
    }
    return PackingProblem.of(instance, buffers);
  }

  private static CasePlan plan(String planner, PackingProblem problem) {
    CasePlan plan =
        CompilerPlanners.named(planner)
            .plan(PlanningCase.ofBuffers(problem), RunControl.unlimited());
    assertEquals(Optional.empty(), plan.fault(problem), planner + " on " + problem.name());
    return plan;
  }

  private static boolean ofObjects(String planner) {
    return planner.equals("relax") || planner.equals("paddle-lite");
  }

  /** Which buffers share an object: objects numbered as they first occur in the file. */
  private static long[] objects(long[] offsets) {
    Map<Long, Long> numbers = new LinkedHashMap<>();
    return Arrays.stream(offsets)
        .map(offset -> numbers.computeIfAbsent(offset, at -> (long) numbers.size()))
        .toArray();
  }

  /** Offsets and peaks in KiB; for planners of objects the object of each buffer. */
  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource({
    "ggml, P, 13, 0 4 6 4 5 0 7",
    "xnnpack, P, 10, 0 8 4 8 6 8 0",
    "xnnpack-2025, P, 10, 0 8 4 8 6 8 0",
    "nntrainer-v1, P, 14, 0 4 6 10 4 6 8",
    "nntrainer-v3, P, 13, 0 4 6 4 5 0 7",
    "tinygrad, P, 13, 0 4 6 4 5 0 7",
    "onnxsim, P, 10, 0 8 4 8 6 8 0",
    "mlir, P, 15, 0 4 6 4 5 7 9",
    "paddle-lite, P, 14, 0 1 2 1 2 0 1",
    "relax, P, 12, 0 1 2 1 2 1 0",
    "ggml, Q, 180, 0 100 0",
    "xnnpack, Q, 180, 0 100 0",
    "xnnpack-2025, Q, 240, 0 100 180",
    "nntrainer-v1, Q, 240, 0 100 180",
    "nntrainer-v3, Q, 180, 0 100 0",
    "tinygrad, Q, 180, 0 100 0",
    "onnxsim, Q, 180, 0 100 0",
    "mlir, Q, 180, 0 100 0",
    "paddle-lite, Q, 180, 0 1 0",
    "relax, Q, 180, 0 1 0",
    "ggml, S1, 11, 0 0 0 2 3 3 3 7 3 7 5 7",
    "xnnpack, S1, 13, 4 0 10 12 0 3 0 7 0 0 7 4",
    "xnnpack-2025, S1, 13, 4 0 10 12 7 3 0 7 0 0 7 4",
    "nntrainer-v1, S1, 17, 0 0 11 10 3 3 3 7 3 7 5 13",
    "nntrainer-v3, S1, 14, 7 0 8 7 0 3 0 4 0 0 5 10",
    "tinygrad, S1, 11, 0 0 0 2 3 3 3 7 3 7 5 7",
    "onnxsim, S1, 13, 4 0 10 12 0 3 0 7 4 0 7 0",
    "mlir, S1, 11, 0 0 0 2 3 3 3 7 3 7 5 7",
    "paddle-lite, S1, 18, 0 0 1 2 1 2 3 4 3 2 1 0",
    "relax, S1, 12, 0 0 0 1 2 2 2 3 2 2 3 3",
    "ggml, S2, 32, 0 16 16 22 0 3 6 0 26 26 4 10 7 6 10 12",
    "xnnpack, S2, 27, 6 0 0 18 4 0 22 6 10 12 10 12 22 0 25 14",
    "xnnpack-2025, S2, 27, 6 0 0 18 4 0 22 6 10 12 10 12 22 22 25 14",
    "nntrainer-v1, S2, 46, 3 18 38 28 0 3 24 38 24 32 16 32 7 24 14 10",
    "nntrainer-v3, S2, 30, 2 16 4 26 0 3 0 6 22 0 0 12 7 12 14 10",
    "tinygrad, S2, 32, 0 16 16 22 0 3 6 0 26 26 4 10 7 6 10 12",
    "onnxsim, S2, 29, 6 0 0 20 4 0 24 14 14 6 14 8 24 0 27 10",
    "mlir, S2, 32, 0 16 12 22 0 3 26 0 26 26 4 6 7 6 10 12",
    "paddle-lite, S2, 36, 0 1 1 2 0 1 3 4 5 3 2 0 3 0 6 4",
    "relax, S2, 33, 0 1 2 3 3 0 0 2 4 4 3 1 5 0 6 2",
    "ggml, T, 10, 0 2 3 5 6 3 0 0 3 6 3 3",
    "xnnpack, T, 7, 0 4 2 5 0 0 2 2 0 0 6 6",
    "xnnpack-2025, T, 7, 0 4 2 5 0 0 2 2 0 0 6 6",
    "nntrainer-v1, T, 11, 0 4 2 5 6 0 2 6 2 7 6 6",
    "nntrainer-v3, T, 10, 0 4 2 5 0 2 0 0 1 6 0 0",
    "tinygrad, T, 10, 0 2 3 5 6 0 3 3 0 6 3 0",
    "onnxsim, T, 7, 0 4 2 6 0 0 2 5 0 0 5 5",
    "mlir, T, 10, 0 2 3 5 6 0 3 3 0 6 0 0",
    "paddle-lite, T, 9, 0 1 2 3 0 0 2 2 0 2 0 0",
    "relax, T, 8, 0 1 2 3 2 0 2 2 0 2 0 0"
  })
  void smallLists(String planner, String instance, long peak, String placed) {
    PackingProblem problem = small(instance);
    CasePlan plan = plan(planner, problem);
    assertEquals(1024 * peak, plan.placement().peak(problem, 0));
    long[] offsets = plan.placement().offsets();
    assertArrayEquals(
        Arrays.stream(placed.split(" ")).mapToLong(Long::parseLong).toArray(),
        ofObjects(planner)
            ? objects(offsets)
            : Arrays.stream(offsets).map(o -> o / 1024).toArray());
  }

  private static PackingProblem publicList(String instance) throws IOException {
    return PackingCsv.read(PublicData.at("packing/minimalloc/" + instance + ".1048576.csv"));
  }

  /** Peaks in bytes, and the first half of the SHA-256 of the offsets with commas between them. */
  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource({
    "ggml, A, 1837056, 51b408ea545223d4",
    "ggml, C, 1822720, 5a07ff89bb5940e3",
    "ggml, F, 1281024, c48071210e065161",
    "ggml, G, 1294336, afab7b508ba36449",
    "xnnpack, A, 1374208, 954b6e7280b536f7",
    "xnnpack, C, 1417216, b87b3acb375330a5",
    "xnnpack, F, 1433600, a55f2bf708326273",
    "xnnpack, G, 1459200, bd310d67b6ef2083",
    "xnnpack-2025, A, 1443840, 0daf999db245c3fc",
    "xnnpack-2025, C, 1523712, ad7d4859ac7bdd60",
    "xnnpack-2025, F, 1433600, 1013e07613270ad9",
    "xnnpack-2025, G, 1366016, bf71ee942081f104",
    "nntrainer-v1, A, 5963776, 6e1b5d3a9a37f06c",
    "nntrainer-v1, C, 7928832, f824028d4704befc",
    "nntrainer-v1, F, 5694464, 88f2ef6de7916e40",
    "nntrainer-v1, G, 6040576, f97b0cbec653b375",
    "nntrainer-v3, A, 1761280, cc91e86454919102",
    "nntrainer-v3, C, 1752064, 2a075cf4fb35fbd6",
    "nntrainer-v3, F, 1254400, 284a9de16b612e5d",
    "nntrainer-v3, G, 1309696, 694e981bb0bcb0f1",
    "tinygrad, A, 1837056, b4b0891998a8773a",
    "tinygrad, C, 1752064, dc9bd3cd72dcff77",
    "tinygrad, F, 1328128, 6ed0b92d44c7e47f",
    "tinygrad, G, 1353728, ef15fe30c8339a37",
    "onnxsim, A, 1374208, eaa0f81493622618",
    "onnxsim, C, 1417216, ec244e100b017041",
    "onnxsim, F, 1387520, 937e3d2ec24e8804",
    "onnxsim, G, 1439744, c3ad9dd528a1109e",
    "mlir, A, 2131968, 1df9dff1dc266ffa",
    "mlir, C, 2172928, 8715cd343f58caf6",
    "mlir, F, 1256448, 63eca4f80a942c0b",
    "mlir, G, 1230848, 9764e4f253473ba4",
    "paddle-lite, A, 3447808, 48 objects",
    "paddle-lite, C, 4710400, 45 objects",
    "paddle-lite, F, 1939456, 20 objects",
    "paddle-lite, G, 1880064, 20 objects",
    "relax, A, 2369536, 45 objects",
    "relax, C, 2243584, 44 objects",
    "relax, F, 1392640, 16 objects",
    "relax, G, 1434624, 18 objects"
  })
  void publicLists(String planner, String instance, long peak, String digest)
      throws IOException, NoSuchAlgorithmException {
    PackingProblem problem = publicList(instance);
    CasePlan plan = plan(planner, problem);
    assertEquals(peak, plan.placement().peak(problem, 0));
    String text =
        LongStream.of(plan.placement().offsets())
            .mapToObj(Long::toString)
            .collect(Collectors.joining(","));
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    assertEquals(
        digest,
        ofObjects(planner)
            ? plan.objects() + " objects"
            : HexFormat.of().formatHex(hash).substring(0, 16));
  }

  /** Peaks of ggml's own code with backends whose buffers have a greatest size, in KiB. */
  @ParameterizedTest(name = "{0} in chunks of {1} KiB")
  @CsvSource({
    "P, 256, 13312",
    "Q, 256, 184320",
    "S1, 64, 11264",
    "S2, 64, 32768",
    "T, 64, 10240",
    "A, 256, 2484224",
    "C, 256, 3654656",
    "D, 256, 1543168",
    "F, 256, 1323008",
    "G, 256, 1387520",
    "H, 256, 1341440",
    "J, 256, 2140160",
    "A, 64, 2484224",
    "C, 64, 2473984",
    "D, 64, 1682432",
    "F, 64, 1484800",
    "G, 64, 1659904",
    "H, 64, 1480704",
    "J, 64, 2284544"
  })
  void ggmlCutsItsPoolIntoChunks(String instance, long limit, long peak) throws IOException {
    PackingProblem problem = LISTS.containsKey(instance) ? small(instance) : publicList(instance);
    CasePlan plan =
        new Ggml(1024 * limit).plan(PlanningCase.ofBuffers(problem), RunControl.unlimited());
    assertEquals(Optional.empty(), plan.fault(problem));
    assertEquals(peak, plan.placement().peak(problem, 0));
  }

  @Test
  void ggmlsChunksAreWhereTheRulePutsThem() {
    int several = 0;
    for (long seed = 0; seed < 2000; seed++) {
      PackingProblem problem = ClimbsStepByStepTest.problem(seed);
      long limit = 1 + seed % 40;
      CasePlan plan = new Ggml(limit).plan(PlanningCase.ofBuffers(problem), RunControl.unlimited());
      long[] wanted = new PlainTimelines(problem).ggmlInChunks(limit);
      assertArrayEquals(
          wanted, plan.placement().offsets(), "seed " + seed + ", chunks of " + limit);
      several += Arrays.equals(wanted, new PlainTimelines(problem).ggml()) ? 0 : 1;
    }
    assertTrue(several > 500, "chunks matter in " + several);
  }

  private static final Map<String, Function<PackingProblem, long[]>> RULES =
      Map.of(
          "ggml", problem -> new PlainTimelines(problem).ggml(),
          "mlir", problem -> new PlainTimelines(problem).mlir(),
          "xnnpack", problem -> new PlainTimelines(problem).bySize(false, true),
          "xnnpack-2025", problem -> new PlainTimelines(problem).bySize(false, false),
          "onnxsim", problem -> new PlainTimelines(problem).bySize(true, true),
          "nntrainer-v1", problem -> new PlainTimelines(problem).nntrainerV1(),
          "nntrainer-v3", problem -> new PlainTimelines(problem).nntrainerV3(),
          "paddle-lite", problem -> new PlainTimelines(problem).paddleLite(),
          "relax", problem -> new PlainTimelines(problem).relax());

  @Test
  void everyBufferIsWhereTheRulePutsIt() {
    for (long seed = 0; seed < 2000; seed++) {
      PackingProblem problem = ClimbsStepByStepTest.problem(seed);
      for (Map.Entry<String, Function<PackingProblem, long[]>> rule : RULES.entrySet()) {
        assertArrayEquals(
            rule.getValue().apply(problem),
            plan(rule.getKey(), problem).placement().offsets(),
            rule.getKey() + ", seed " + seed);
      }
    }
  }

  /** Sizes of up to a hundred blocks of 256 bytes, so that buckets hold blocks of several sizes. */
  @Test
  void blocksOfTheSameBucketAreTakenInTheOrderOfTheirInsertion() {
    int shared = 0;
    int cases = Thorough.of(200, 600);
    for (long seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      List<Buffer> buffers = new ArrayList<>();
      for (int k = 0; k < 8 + seed % 40; k++) {
        int start = random.nextInt(20);
        long size = 1 + random.nextInt(256 * (1 + random.nextInt(100)));
        buffers.add(new Buffer("b" + k, size, start, start + 1 + random.nextInt(6)));
      }
      PackingProblem problem = PackingProblem.of("seed " + seed, buffers);
      long[] plain = new PlainTimelines(problem, 256).tinygrad();
      shared += Arrays.equals(plain, new PlainTimelines(problem, 256).ggml()) ? 0 : 1;
      assertArrayEquals(plain, plan("tinygrad", problem).placement().offsets(), "seed " + seed);
    }
    assertTrue(20 * shared > cases, "differs from the tightest block on " + shared + " lists");
  }

  @Test
  void mlirAlignsStartsAndLeavesSizesAsTheyAre() {
    PackingProblem problem =
        PackingProblem.of("aligned", Buffers.of("a:5[0,9)%4 b:3[0,9) c:4[0,9)%16"));
    assertArrayEquals(new long[] {0, 5, 16}, plan("mlir", problem).placement().offsets());
    assertEquals(
        List.of(), CompilerPlanners.named("mlir").rules(PlanningCase.ofBuffers(problem)).words());
  }

  @Test
  void ggmlHasRoomFor256FreeBlocks() {
    for (int blocks : new int[] {255, 256}) {
      List<Buffer> buffers = new ArrayList<>();
      for (int k = 0; k < 2 * blocks; k++) {
        buffers.add(new Buffer("b" + k, 4, 0, 2 + k % 2));
      }
      PackingProblem problem = PackingProblem.of(blocks + " blocks", buffers);
      if (blocks == 255) {
        plan("ggml", problem);
      } else {
        Refusals.says(NotPlannableException.class, () -> plan("ggml", problem), "256 free blocks");
      }
    }
  }
}
