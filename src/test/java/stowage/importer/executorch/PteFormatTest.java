package stowage.importer.executorch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.executorch.PteBuilder.FLOAT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.importer.io.PackingBaseline;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;

/** ExecuTorch's programs: the lives of their tensors, their plans, and other plans written back. */
class PteFormatTest extends ImporterTest {
  PteFormatTest() {
    super("program.pte");
  }

  @Test
  void livesComeFromInstructions() throws IOException {
    Input.Packing input = packing(PteBuilder.everything().bytes());
    assertEquals(
        List.of(
            "0:input 64 [0, 1)",
            "2:mul 128 [0, 2)",
            "3:reduce 64 [1, 4)", // and 4, which no instruction writes
            "5:add 128 [2, 4)", // an output
            "7:reduce 16 [1, 2)", // working memory
            "8:state 64 [0, 4)"), // state
        Buffers.liveRanges(input.problem()));
    assertEquals(PackingBaseline.VALID, status(input));
    assertEquals(List.of(512L), input.baseline().orElseThrow().bytes());
    assertEquals(16, input.problem().memories().get(0).alignment());
  }

  @Test
  void aViewThatAnInstructionMakesSharesItsBuffer() throws IOException {
    PteBuilder program = new PteBuilder();
    int x = program.tensor(FLOAT, 1, 64, 4);
    int base = program.tensor(FLOAT, 1, 0, 8);
    int view = program.tensor(FLOAT, 1, 16, 4);
    int y = program.tensor(FLOAT, 1, 32, 4);
    program
        .kernel("aten::f.out", x, base, base)
        .kernel("executorch_prim::et_view.default", base, view)
        .kernel("aten::g.out", view, y, y)
        .method("forward", new int[] {x}, new int[] {y}, 80);
    Input.Packing input = packing(program.bytes());
    assertEquals(
        List.of("0:input 16 [0, 1)", "1:f 32 [0, 3)", "3:g 16 [2, 3)"),
        Buffers.liveRanges(input.problem()));
    // At step 2 only the view's half of the base is needed.
    assertEquals(16, input.problem().buffer(1).gaps().get(0).windowStart());
    assertEquals(2, input.problem().buffer(1).gaps().get(0).range().start());
    assertEquals(PackingBaseline.VALID, status(input));
  }

  @Test
  void loopsMovesAndDelegates() throws IOException {
    PteBuilder program = new PteBuilder();
    int x = program.tensor(FLOAT, 1, 0, 4);
    int acc = program.tensor(FLOAT, 1, 16, 4);
    int inner = program.tensor(FLOAT, 1, 32, 4);
    int y = program.tensor(FLOAT, 1, 48, 4);
    int moved = program.tensor(FLOAT, 0, 0, 4);
    int done = program.integer();
    program
        .kernel("aten::f.out", x, acc, acc)
        .kernel("aten::g.out", acc, inner, inner)
        .kernel("aten::h.out", inner, acc, acc)
        .jump(done, 1)
        .move(acc, moved)
        .delegate(moved, y)
        .method("forward", new int[] {x}, new int[] {y}, 64);
    assertEquals(
        List.of("0:input 16 [0, 1)", "1:f 16 [0, 6)", "2:g 16 [1, 3)", "3:delegate 16 [5, 6)"),
        Buffers.liveRanges(packing(program.bytes()).problem()));
  }

  /**
   * What is moved in a loop into a value that the next turn reads is kept through all of it, and so
   * is an input that each turn reads.
   */
  @Test
  void whatIsMovedIsKeptAsLongAsALoopKeepsWhereItIs() throws IOException {
    PteBuilder program = new PteBuilder();
    int x = program.tensor(FLOAT, 1, 0, 4);
    int made = program.tensor(FLOAT, 1, 16, 4);
    int kept = program.tensor(FLOAT, 0, 0, 4);
    int y = program.tensor(FLOAT, 1, 32, 4);
    int done = program.integer();
    program
        .kernel("aten::f.out", x, kept, y, y)
        .kernel("aten::g.out", y, made, made)
        .move(made, kept)
        .kernel("aten::h.out", y, x, y, y)
        .jump(done, 0)
        .method("forward", new int[] {x}, new int[] {y}, 48);
    assertEquals(
        List.of("0:input 16 [0, 5)", "1:f 16 [0, 5)", "3:f 16 [0, 5)"),
        Buffers.liveRanges(packing(program.bytes()).problem()));
  }

  private static byte[] everything(byte[] constants) {
    PteBuilder program = PteBuilder.everything();
    return constants.length == 0 ? program.bytes() : program.bytes(constants);
  }

  private static final String PLACES =
      "0:input 256, 2:mul 0, 3:reduce 128, 5:add 0, 7:reduce 256, 8:state 192";

  /** Writes places (id, offset and maybe a memory) into a file, whose constants must stay. */
  private Path planned(byte[] constants, String places) throws IOException {
    Map<String, Long> offsets = new HashMap<>();
    Map<String, Integer> ids = new HashMap<>();
    for (String place : places.split(", ")) {
      String[] fields = place.split(" ");
      offsets.put(fields[0], Long.parseLong(fields[1]));
      if (fields.length > 2) {
        ids.put(fields[0], Integer.parseInt(fields[2]));
      }
    }
    Path file = write(everything(constants));
    Path target = folder.resolve("planned.pte");
    InputFormats.formatOf(file)
        .writePlan(file, new InputFormat.Planned(null, "", offsets, ids, 0), target);
    byte[] found = Files.readAllBytes(target);
    assertArrayEquals(
        constants, Arrays.copyOfRange(found, found.length - constants.length, found.length));
    assertEquals(PackingBaseline.VALID, status(packing(target)));
    return target;
  }

  private static Stream<byte[]> constants() {
    return Stream.of(new byte[0], new byte[] {1, 2, 3, 4, 5});
  }

  @ParameterizedTest
  @MethodSource("constants")
  void aPlanIsWrittenBackAndReadAgain(byte[] constants) throws IOException {
    Path target = planned(constants, PLACES);
    // The working memory lies on an input that is dead by then, and is no view of it.
    assertEquals(
        Buffers.liveRanges(packing(everything(constants)).problem()),
        Buffers.liveRanges(packing(target).problem()));
    assertEquals(List.of(320L), packing(target).baseline().orElseThrow().bytes());
    PteProgram.Method method = PteProgram.read(target).methods().get(0);
    assertEquals(
        List.of(256L, 0L, 128L, 128L, 0L, 0L, 256L, 192L),
        method.values().stream()
            .filter(value -> value.tensor() != null && value.tensor().memory() > 0)
            .map(value -> value.tensor().offset())
            .toList());
    Refusals.input(
        () -> planned(constants, PLACES.replace("input 256", "input 512")), "would take 576");
  }

  @ParameterizedTest
  @MethodSource("constants")
  void aPlanInTwoMemoriesBecomesMemoryIds(byte[] constants) throws IOException {
    String places =
        "0:input 0 2, 2:mul 0 1, 3:reduce 64 2, 5:add 128 1, 7:reduce 0 2, 8:state 256 1";
    Input.Packing again = packing(planned(constants, places));
    PackingProblem problem = again.problem();
    List<String> memories = problem.memories().stream().map(memory -> memory.name()).toList();
    assertEquals(320L, again.baseline().orElseThrow().bytes().get(memories.indexOf("id1")));
    assertEquals(128L, again.baseline().orElseThrow().bytes().get(memories.indexOf("id2")));
    for (int b = 0; b < problem.size(); b++) {
      String id = problem.buffer(b).memories().get(0).substring("id".length());
      long at = again.baseline().orElseThrow().placement().offset(b);
      String found = "%s %s %s".formatted(problem.buffer(b).id(), at, id);
      assertTrue(List.of(places.split(", ")).contains(found), found);
    }
    // Back into one memory: the second is there, and empty.
    String single = places.replaceAll(" \\d+ \\d+", " 0 1");
    long at = 0;
    for (Buffer buffer : problem.buffers()) {
      single = single.replace(buffer.id() + " 0 1", buffer.id() + " " + at + " 1");
      at += (buffer.size() + 15) / 16 * 16;
    }
    Input.Packing one = packing(planned(constants, single));
    assertEquals(List.of(at), one.baseline().orElseThrow().bytes());
  }

  @Test
  void methodsHaveMemoriesOfTheirOwnAndShareState() throws IOException {
    PteBuilder program = new PteBuilder();
    for (String name : List.of("prefill", "decode")) {
      int x = program.tensor(FLOAT, 1, 0, 4);
      int cache = program.tensor(FLOAT, 2, 32, 4);
      int y = program.tensor(FLOAT, 1, 16, 4);
      program
          .kernel("llama::update_cache.out", x, cache, y, y)
          .method(name, new int[] {x}, new int[] {y}, 32, 48);
    }
    program.method("get_vocab_size", new int[0], new int[0]);
    Path file = write(program.bytes());
    Input.Packing input = packing(file);
    assertEquals(
        List.of("prefill:id2", "decode:id2", "prefill:id1", "decode:id1"),
        input.problem().memories().stream().map(memory -> memory.name()).toList());
    assertEquals(32, input.problem().buffer(2).fixedOffset());
    assertEquals(PackingBaseline.VALID, status(input));
    assertEquals(1, input.remarks().size());
    Input.Packing one =
        (Input.Packing) InputFormats.read(file, InputFormat.Options.ofModule("decode"));
    assertEquals(3, one.problem().size());
    Refusals.input(
        () -> InputFormats.read(file, InputFormat.Options.ofModule("decoder")),
        "did you mean \"decode\"");
  }

  /** A zero character in a name, which no file of ours has, is replaced as bytes of no text are. */
  @Test
  void namesHaveNoZeroCharacter() throws IOException {
    PteBuilder program = new PteBuilder();
    int[] x = {program.tensor(FLOAT, 1, 0, 4)};
    program.method("a\0b", x, x, 64);
    assertEquals(
        "a\uFFFDb", PteProgram.read(file("m.pte", program.bytes())).methods().get(0).name());
  }

  @Test
  void whatIsNoProgramIsRefused() throws IOException {
    refused(new byte[] {1, 2, 3}, "bytes 4 to 7");
    byte[] whole = PteBuilder.everything().bytes(new byte[64]);
    refused(Arrays.copyOf(whole, whole.length - 1), "cut short");
    PteBuilder outside = new PteBuilder();
    int x = outside.tensor(FLOAT, 1, 32, 4);
    refused(outside.method("f", new int[] {x}, new int[0], 40).bytes(), "not inside of memory 1");
    PteBuilder nowhere = new PteBuilder();
    int y = nowhere.tensor(FLOAT, 3, 0, 4);
    refused(nowhere.method("f", new int[] {y}, new int[0], 40).bytes(), "memory 3");
    refused(new PteBuilder().method("f", new int[] {7}, new int[0], 8).bytes(), "value 7");
  }

  @Test
  void aProgramWithoutPlannedTensorsStaysAsItIs() throws IOException {
    PteBuilder program = new PteBuilder();
    int x = program.tensor(FLOAT, 0, 0, 4);
    Path file =
        write(
            program
                .delegate(x, x)
                .method("forward", new int[] {x}, new int[] {x}, 128)
                .bytes(new byte[] {7}));
    Input.Packing input = packing(file);
    assertEquals(0, input.problem().size());
    assertEquals(1, input.remarks().size());
    Path target = folder.resolve("same.pte");
    plan(file, Map.of(), 0, target);
    assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(target));
  }

  @Test
  void realProgramsHoldAndTakeAnotherPlan() throws IOException {
    for (String name : List.of("executorch_add.pte", "executorch_keyword_spotting.pte")) {
      Path file = PublicData.at("dumps/" + name);
      Input.Packing input = packing(file);
      assertEquals(PackingBaseline.VALID, status(input));
      // Upside down: every buffer at the mirror image of its place.
      PackingBaseline baseline = input.baseline().orElseThrow();
      Map<String, Long> offsets = new HashMap<>();
      for (int b = 0; b < input.problem().size(); b++) {
        long end = baseline.placement().offset(b) + input.problem().buffer(b).size();
        offsets.put(input.problem().buffer(b).id(), baseline.bytes().get(0) - end);
      }
      Path target = folder.resolve(name);
      plan(file, offsets, 0, target);
      assertEquals(PackingBaseline.VALID, status(packing(target)));
      assertTrue(
          packing(target).baseline().orElseThrow().bytes().get(0) <= baseline.bytes().get(0));
    }
  }
}
