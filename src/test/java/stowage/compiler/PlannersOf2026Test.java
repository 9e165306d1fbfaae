package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.compiler.RulesChecks.plan;

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
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
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

/**
 * Planners of 2026: to the byte what the systems' own programs gave, and what their rules give when
 * followed word by word.
 */
class PlannersOf2026Test {
  /** Lists of buffers whose sizes are in KiB. */
  private static final Map<String, String> LISTS =
      Map.of(
          "P",
          "A:4[0,5) B:2[1,3) C:4[2,4) D:1[3,5) E:2[4,7) F:2[5,7) G:6[6,7)",
          "Q",
          "A:100[0,2) B:80[1,3) C:60[2,4)",
          "S1",
          "0:3[1,5) 1:3[0,1) 2:2[5,8) 3:1[5,7) 4:3[3,4) 5:2[0,1) 6:4[4,6) 7:3[4,6) 8:4[6,8)"
              + " 9:4[1,3) 10:2[0,3) 11:4[6,8)",
          "S2",
          "0:4[1,4) 1:6[2,5) 2:8[8,12) 3:4[3,7) 4:3[0,1) 5:4[0,1) 6:4[6,9) 7:6[4,7)"
              + " 8:4[3,4) 9:6[4,6) 10:2[1,3) 11:6[6,9) 12:3[0,4) 13:4[5,6) 14:2[0,5) 15:4[0,4)",
          "T",
          "0:2[0,1) 1:1[0,9) 2:2[0,1) 3:1[0,9) 4:3[1,2) 5:2[2,4) 6:2[2,3) 7:1[3,5) 8:2[4,5)"
              + " 9:4[5,9) 10:1[5,6) 11:1[6,9)");

  private static PackingProblem small(String instance) {
    return PackingProblem.of(
        instance,
        Buffers.of(LISTS.get(instance)).stream().map(b -> b.withSize(1024 * b.size())).toList());
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
  @CsvFileSource(resources = "planners-of-2026-small.csv")
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
  @CsvFileSource(resources = "planners-of-2026-public.csv")
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
  @CsvFileSource(resources = "ggml-chunks.csv")
  void ggmlCutsItsPoolIntoChunks(String instance, long limit, long peak) throws IOException {
    PackingProblem problem = LISTS.containsKey(instance) ? small(instance) : publicList(instance);
    CasePlan plan = plan(new Ggml(1024 * limit), problem);
    assertEquals(peak, plan.placement().peak(problem, 0));
  }

  @Test
  void ggmlsChunksAreWhereTheRulePutsThem() {
    int several = 0;
    for (long seed = 0; seed < 2000; seed++) {
      PackingProblem problem = PlainRulesTest.withTies(seed);
      long limit = 1 + seed % 40;
      CasePlan plan = plan(new Ggml(limit), problem);
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
          "xnnpack", problem -> new PlainRules(problem).greedyBySize(false, true),
          "xnnpack-2025", problem -> new PlainRules(problem).greedyBySize(false, false),
          "onnxsim", problem -> new PlainRules(problem).greedyBySize(true, true),
          "nntrainer-v1", problem -> new PlainTimelines(problem).nntrainerV1(),
          "nntrainer-v3", problem -> new PlainRules(problem).nntrainerV3(),
          "paddle-lite", problem -> new PlainTimelines(problem).paddleLite(),
          "relax", problem -> new PlainTimelines(problem).relax());

  @Test
  void everyBufferIsWhereTheRulePutsIt() {
    for (long seed = 0; seed < 2000; seed++) {
      PlainRulesTest.agree(RULES, seed, PlainRulesTest.withTies(seed));
    }
  }

  /** Sizes of up to a hundred blocks of 256 bytes, so that buckets hold blocks of several sizes. */
  @Test
  void blocksOfTheSameBucketAreTakenInTheOrderOfTheirInsertion() {
    int shared = 0;
    int cases = Thorough.of(80, 600);
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
    PackingProblem problem = Buffers.problem("a:5[0,9)%4 b:3[0,9) c:4[0,9)%16");
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
