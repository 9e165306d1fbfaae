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
import org.junit.jupiter.api.Test;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.io.PackingBaseline;
import stowage.packing.Buffer;
import stowage.packing.Buffers;

/** ExecuTorch's programs: the lives of their tensors, their plans, and other plans written back. */
class PteFormatTest extends ImporterTest {
  PteFormatTest() {
    super("program.pte");
  }

  private static Input.Packing read(Path file) {
    return (Input.Packing) InputFormats.read(file);
  }

  private static String status(Input.Packing input) {
    return input.baseline().orElseThrow().status(input.problem());
  }

  @Test
  void livesComeFromInstructions() throws IOException {
    Input.Packing input = read(write(PteBuilder.everything().bytes()));
    assertEquals(
        List.of(
            "0:input 64 [0, 1)",
            "2:mul 128 [0, 2)",
            "3:reduce 64 [1, 4)", // and 4, which no instruction writes
            "5:add 128 [2, 4)", // an output
            "7:reduce 16 [1, 2)", // working memory
            "8:state 64 [0, 4)"), // state
        Buffers.lives(input.problem()));
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
    Input.Packing input = read(write(program.bytes()));
    assertEquals(
        List.of("0:input 16 [0, 1)", "1:f 32 [0, 3)", "3:g 16 [2, 3)"),
        Buffers.lives(input.problem()));
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
        Buffers.lives(read(write(program.bytes())).problem()));
  }

  private static byte[] everything(byte[] constants) {
    PteBuilder program = PteBuilder.everything();
    return constants.length == 0 ? program.bytes() : program.bytes(constants);
  }

  @Test
  void aPlanIsWrittenBackAndReadAgain() throws IOException {
    for (byte[] constants : List.of(new byte[0], new byte[] {1, 2, 3, 4, 5})) {
      Path file = write(everything(constants));
      Path target = folder.resolve("planned.pte");
      Map<String, Long> offsets = new HashMap<>();
      offsets.put("0:input", 256L);
      offsets.put("2:mul", 0L);
      offsets.put("3:reduce", 128L);
      offsets.put("5:add", 0L);
      offsets.put("7:reduce", 256L);
      offsets.put("8:state", 192L);
      plan(file, offsets, 320, target);
      Input.Packing again = read(target);
      assertEquals(List.of(320L), again.baseline().orElseThrow().bytes());
      assertEquals(PackingBaseline.VALID, status(again));
      PteProgram.Method method = PteProgram.read(target).methods().get(0);
      assertEquals(
          List.of(256L, 0L, 128L, 128L, 0L, 0L, 256L, 192L),
          method.values().stream()
              .filter(value -> value.tensor() != null && value.tensor().memory() > 0)
              .map(value -> value.tensor().offset())
              .toList());
      byte[] found = Files.readAllBytes(target);
      assertArrayEquals(
          constants, Arrays.copyOfRange(found, found.length - constants.length, found.length));
      offsets.put("0:input", 512L);
      Refusals.says(InputException.class, () -> plan(file, offsets, 576, target), "would take 576");
    }
  }

  @Test
  void aPlanInTwoMemoriesBecomesMemoryIds() throws IOException {
    for (byte[] constants : List.of(new byte[0], new byte[] {1, 2, 3, 4, 5})) {
      Path file = write(everything(constants));
      Map<String, Long> offsets = new HashMap<>();
      Map<String, Integer> ids = new HashMap<>();
      for (String place :
          List.of(
              "0:input 2 0",
              "2:mul 1 0",
              "3:reduce 2 64",
              "5:add 1 128",
              "7:reduce 2 0",
              "8:state 1 256")) {
        String[] fields = place.split(" ");
        ids.put(fields[0], Integer.parseInt(fields[1]));
        offsets.put(fields[0], Long.parseLong(fields[2]));
      }
      Path target = folder.resolve("planned.pte");
      InputFormats.formatOf(file)
          .writePlan(file, new InputFormat.Planned(null, "", offsets, ids, 0), target);
      Input.Packing again = read(target);
      assertEquals(PackingBaseline.VALID, status(again));
      List<String> memories =
          again.problem().memories().stream().map(memory -> memory.name()).toList();
      assertEquals(320L, again.baseline().orElseThrow().bytes().get(memories.indexOf("id1")));
      assertEquals(128L, again.baseline().orElseThrow().bytes().get(memories.indexOf("id2")));
      for (int b = 0; b < again.problem().size(); b++) {
        String id = again.problem().buffer(b).id();
        assertEquals(offsets.get(id), again.baseline().orElseThrow().placement().offset(b), id);
        assertEquals("id" + ids.get(id), again.problem().buffer(b).memories().get(0), id);
      }
      byte[] found = Files.readAllBytes(target);
      assertArrayEquals(
          constants, Arrays.copyOfRange(found, found.length - constants.length, found.length));
      // Back into one memory: the second is there, and empty.
      ids.replaceAll((id, memory) -> 1);
      offsets.replaceAll((id, at) -> 0L);
      long at = 0;
      for (Buffer buffer : again.problem().buffers()) {
        offsets.put(buffer.id(), at);
        at += (buffer.size() + 15) / 16 * 16;
      }
      Path single = folder.resolve("single.pte");
      InputFormats.formatOf(file)
          .writePlan(file, new InputFormat.Planned(null, "", offsets, ids, 0), single);
      assertEquals(PackingBaseline.VALID, status(read(single)));
      assertEquals(List.of(at), read(single).baseline().orElseThrow().bytes());
    }
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
    Input.Packing input = read(file);
    assertEquals(
        List.of("prefill:id2", "decode:id2", "prefill:id1", "decode:id1"),
        input.problem().memories().stream().map(memory -> memory.name()).toList());
    assertEquals(32, input.problem().buffer(2).fixedOffset());
    assertEquals(PackingBaseline.VALID, status(input));
    assertEquals(1, input.remarks().size());
    Input.Packing one =
        (Input.Packing) InputFormats.read(file, InputFormat.Options.ofModule("decode"));
    assertEquals(3, one.problem().size());
    Refusals.says(
        InputException.class,
        () -> InputFormats.read(file, InputFormat.Options.ofModule("decoder")),
        "did you mean \"decode\"");
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
    Input.Packing input = read(file);
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
      Input.Packing input = read(file);
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
      assertEquals(PackingBaseline.VALID, status(read(target)));
      assertTrue(read(target).baseline().orElseThrow().bytes().get(0) <= baseline.bytes().get(0));
    }
  }
}
