package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Programs;

/** What files and names at the edges of the program must not do. */
class EdgeDefectsTest extends FolderTest {
  private static final Path TINY = Path.of("models/networks/tiny.json");
  private static final String BUFFERS =
      "{\"buffers\":[{\"id\":\"a\",\"lower\":0,\"upper\":2,\"size\":4},"
          + "{\"id\":\"b\",\"lower\":1,\"upper\":3,\"size\":5}]}";

  /** Runs a command whose words may begin with {@code @/}, the folder, and expects a refusal. */
  private void spares(String input, String text, String words) throws IOException {
    Path file = file(input, text);
    Stowage.line(words.replace("@", folder.toString())).ends(2).says("would write over the input");
    assertEquals(text, Files.readString(file), words);
    Files.delete(file);
  }

  @Test
  void noInputIsWrittenOver() throws IOException {
    String network = Files.readString(TINY);
    for (String name : List.of("plan.json", "plan.html", "solver.log", "front.json")) {
      spares(name, BUFFERS, "plan @/" + name + " --format json --out @");
    }
    spares("plan.svg", "id,lower,upper,size\na,0,2,4\n", "plan @/plan.svg --format csv --out @");
    spares("front-1.csv", "id,lower,upper,size\na,0,2,4\n", "plan @/front-1.csv --out @");
    spares("plan.json", network, "schedule @/plan.json --out @");
    spares(
        "order.csv", "before,after\n", "schedule " + TINY + " --precedences @/order.csv --out @");
    spares(
        "order.csv",
        "before,after\n",
        "schedule " + TINY + " --precedences @/order.csv --write @/order.csv");
    spares("compare.json", BUFFERS, "compare @/compare.json --out @");
    spares("groups.json", network, "group @/groups.json --chip bm1684x --out @");
    spares("m.json", network, "check @/m.json --max-peak 1GiB --junit @/m.json");
    spares("m.json", network, "check @/m.json --max-peak 1GiB --markdown @/m.json");
    spares("m.json", network, "plan @/m.json --trace @/m.json");
    spares("m.json", network, "plan @/m.json --planner openvino --pool-dump @/m.json");
    spares("m.json", network, "group @/m.json --chip bm1684x --trace @/m.json");
    spares("m.json", BUFFERS, "export " + TINY + " --plan @/m.json --out @/m.json");
    spares("s.json", "op", "plan " + TINY + " --order streams=@/s.json --trace @/s.json");
    spares("m/plan.json", BUFFERS, "plan " + TINY + " @/m/plan.json --run sequential --out @");
  }

  @Test
  void aLinkToAnInputIsNotWrittenThrough() throws IOException {
    Path input = file("in.json", BUFFERS);
    Path out = Files.createDirectory(folder.resolve("out"));
    Files.createSymbolicLink(out.resolve("plan.json"), input);
    Stowage.run("plan", input, "--out", out).ends(2);
    Files.delete(out.resolve("plan.json"));
    Files.createLink(out.resolve("plan.csv"), input);
    Stowage.run("plan", input, "--out", out).ends(2);
    assertEquals(BUFFERS, Files.readString(input));
  }

  @Test
  void namesOfModelsDoNotLeadOutOfTheFolder() throws IOException {
    String network = Files.readString(TINY);
    Path out = folder.resolve("deep/out");
    Path mine = file("deep/plan.json", "mine");
    Stowage.line(
            "plan %s %s %s --run sequential --effort fast --out %s",
            file("...json", network), file("plan.csv.json", network), file("a.json", network), out)
        .ends(0);
    assertEquals("mine", Files.readString(mine));
    for (String model : List.of("_", "model_plan.csv", "a")) {
      assertTrue(Files.exists(out.resolve(model).resolve("plan.csv")), model);
    }
  }

  @Test
  void anEmptyFileOfPrecedencesIsAFault() throws IOException {
    for (String text : List.of("", "\n", "\n\n")) {
      Stowage.run("schedule", TINY, "--precedences", file("p.csv", text))
          .ends(3)
          .says("line 1: should be before,after");
    }
  }

  @Test
  void aLogOfTheUsersOwnIsKept() throws IOException {
    Path input = file("in.json", BUFFERS);
    Path out = folder.resolve("out");
    Path log = file("out/solver.log", "mine");
    Stowage.run("plan", input, "--effort", "fast", "--out", out).ends(0);
    assertEquals("mine", Files.readString(log));
    for (String expected : List.of("solver.log.old", "solver.log.old2")) {
      Files.writeString(log, expected);
      Stowage.run("plan", input, "--effort", "fast", "--out", out).ends(0);
      assertEquals(expected, Files.readString(out.resolve(expected)));
    }
  }

  @Test
  void noNameSteersTheTerminal() throws IOException {
    String odd = "n\\u001b]0;pwn\\u0007\\u009b31m\\nforged";
    Path input =
        file(
            "odd.json",
            BUFFERS
                .replace("{\"buffers\"", "{\"name\":\"" + odd + "\",\"buffers\"")
                .replace("\"a\"", "\"a" + odd + "\""));
    String network =
        Files.readString(TINY)
            .replaceFirst(
                "\"name\"\\s*:\\s*\"[^\"]*\"", "\"name\": \"" + odd.replace("\\", "\\\\") + "\"");
    Path model = file("model.json", network);
    Path plan = folder.resolve("out/plan.json");
    Stowage.run("plan", input, "--out", plan.getParent()).ends(0);
    List<String> commands = new ArrayList<>();
    for (Path file : List.of(input, model)) {
      for (String words :
          List.of(
              "plan --effort fast",
              "show",
              "bound",
              "compare --planner greedy-size",
              "check --max-peak 1",
              "explain --capacity 1",
              "plan --pareto peak,reuse")) {
        commands.add(words + " " + file);
      }
    }
    String more =
        """
        verify INPUT PLAN
        explain INPUT --plan PLAN
        diff PLAN PLAN
        waste INPUT --planner tflite
        schedule MODEL
        waste --orders MODEL
        dependencies MODEL
        group MODEL --chip bm1684x
        """;
    more.replace("INPUT", "" + input)
        .replace("MODEL", "" + model)
        .replace("PLAN", "" + plan)
        .lines()
        .forEach(commands::add);
    List<String> steered = new ArrayList<>();
    for (String command : commands) {
      Stowage run = Stowage.line(command);
      String text = run.out() + run.err();
      assertTrue(run.code() != 2 || command.contains("--pareto"), text);
      if (text.chars().anyMatch(c -> c != '\n' && Character.isISOControl(c))
          || text.lines().anyMatch(line -> line.startsWith("forged"))) {
        steered.add(command + "\n" + text);
      }
    }
    assertTrue(steered.isEmpty(), String.join("\n---\n", steered));
  }

  @Test
  void aBufferThatHoldsItsPlaceIsDrawnWithinThePicture() throws IOException {
    StringBuilder many =
        new StringBuilder(
            "{\"buffers\":[{\"id\":\"pin\",\"lower\":0,\"upper\":5,\"size\":64,\"offset\":0,\"holdsPlace\":true}");
    Path few = file("few.json", many + ",{\"id\":\"x\",\"lower\":3,\"upper\":9,\"size\":32}]}");
    for (int k = 1; k < 20_100; k++) {
      String row = ",{\"id\":\"b%d\",\"lower\":%1$d,\"upper\":%d,\"size\":8}";
      many.append(row.formatted(k, k + 2));
    }
    for (Path input : List.of(few, file("many.json", many + "]}"))) {
      Path out = Files.createTempDirectory(folder, "out");
      Stowage.run("plan", input, "--effort", "fast", "--out", out).ends(0);
      String picture = Files.readString(out.resolve("plan.svg"));
      assertFalse(
          picture.contains("-1865") || picture.matches("(?s).*[\" ]-?[0-9]{7,}\\.[0-9]+[\" ].*"),
          "a figure far outside");
      assertFalse(picture.contains("H-"), "a path that leaves to the left");
    }
  }

  @Test
  void aBufferThatItsGapCoversIsConvertedAndReadAgain() throws IOException {
    Path input =
        file(
            "idle.json",
            BUFFERS.replace("\"size\":4", "\"size\":4,\"gaps\":[{\"lower\":0,\"upper\":2}]"));
    Path dsa = folder.resolve("dsa.json");
    Stowage.run("convert", input, "--to", "dsa", "-o", dsa).ends(0);
    Stowage.run("plan", dsa, "--json").holds("peak=5");
  }

  @Test
  void aDashIsStdoutOrRefused() throws IOException {
    Path input = file("in.json", BUFFERS);
    Path out = folder.resolve("out");
    Stowage.run("plan", input, "--out", out).ends(0);
    Stowage.line("export %s --plan %s --format c -o -", input, out.resolve("plan.json"))
        .ends(0)
        .prints("#define");
    Stowage kernel = Stowage.run("generate-kernel", "matmul", "--size", "2,2,2,8,2,2", "-o", "-");
    assertTrue(kernel.out().startsWith("{"), kernel.out() + kernel.err());
    Stowage.run("plan", input, "--out", "-").ends(2);
    assertFalse(Files.exists(Path.of("-")));
  }

  @Test
  void aGroupingSaysWhatItsProofIsOver() throws IOException {
    Stowage.line("group %s --chip bm1684x", TINY).prints("lowest of all groupings, proven");
    List<Object> words = List.of("group", TINY, "--chip", "bm1684x", "--precision", "f16");
    for (String partition : List.of("tail", "dp", "cp")) {
      boolean searched = partition.equals("dp");
      Stowage.run(words, "--partition", partition, "--json")
          .holds("boundScope=" + (searched ? "contiguous" : "network"));
      Stowage.run(words, "--partition", partition)
          .prints(
              (searched ? "lowest of all contiguous" : "not proven optimal of all") + " groupings");
    }
    List<Object> exactly = List.of(words, "--slicing", "exact");
    Stowage.run(exactly, "--partition", "cp", "--json").holds("boundScope=convex");
    Stowage.run(exactly, "--partition", "cp")
        .prints("into runs of three orders of the ops, proven");
    Path out = folder.resolve("groups");
    Stowage.run(exactly, "--axes", "nh", "--out", out)
        .prints("contiguous groupings, with the slices that the options allow, proven");
    String page = Files.readString(out.resolve("groups.html"));
    assertTrue(page.contains("\"of all contiguous groupings, with the slices"), page);
    assertTrue(page.contains("\"for these groups, slices and steps\""), page);
    Stowage.line("group %s --chip bm1684x --objective lmem-peak --json", TINY)
        .holds("boundScope=groups");
  }

  @Test
  void nothingToPlanAndNothingInTheLastMemoryAreSaid() throws IOException {
    Stowage.run("plan", file("none.json", "{\"buffers\":[]}")).prints("nothing to plan");
    Path two =
        file(
            "two.json",
            BUFFERS.replace(
                "{\"buffers\"",
                "{\"memories\":[{\"name\":\"sram\",\"capacity\":100},{\"name\":\"dram\"}],\"buffers\""));
    Stowage fits = Stowage.run("plan", two);
    assertTrue(fits.out().matches("(?s).*peak +9 bytes of sram.*"), fits.out());
    assertFalse(fits.out().contains("because"), fits.out());
  }

  @Test
  void optionsOfMapsAreChecked() {
    Stowage.run("plan", folder.resolve("absent.json"), "--least-capacity", "5").ends(2);
    String line = "memories models/networks/tiny.json models/memories/stm32h7.json --concurrency ";
    Stowage.line(line + "branches").ends(2).says("one after another");
  }

  @Test
  void noListIsPlacedInMemoryThatCannotBeWritten() throws IOException {
    String map =
        """
        {"name": "m", "memories": [{"name": "s", "capacity": 4, "megabytesPerSecond": 9},
          {"name": "d", "capacity": 4, "megabytesPerSecond": 2},
          {"name": "f", "capacity": 99, "megabytesPerSecond": 1, "writable": false}]}
        """;
    Path list = file("in.json", BUFFERS);
    Stowage.run("plan", list, "--memories", file("map.json", map)).ends(4);
    Path both = file("both.json", map.replace("\"capacity\": 4,", "\"capacity\": 9,"));
    Stowage.run("plan", list, "--memories", both, "--json").ends(0).holds("memories/1/name=d");
  }

  @Test
  void withoutTimeAMapsAnswerIsARulesAndProvesNothing() {
    String line = "memories %s models/memories/ethosu55.json --time-limit 0 --json ";
    String bert = "models/networks/bert.json";
    Stowage.line(line, bert).ends(0).holds("status=FEASIBLE map=ethosu55 lowerBound=0");
    Stowage least = Stowage.line(line + "--least-capacity", bert).ends(5);
    least.holds("status=UNKNOWN lowerBound=0");
    assertFalse(least.json().has("limit"), least.out());
  }

  @Test
  void aSmallBoundIsNoZero() throws IOException {
    Stowage.run("waste", file("in.json", BUFFERS), "--planner", "inductor-tree")
        .prints("| *proven bound, bytes* | 9 |");
  }

  @Test
  void aPlanAtAnotherOrderOfOpsIsReadWithItsOrder() throws IOException {
    Path model = Path.of("models/networks/randwire.json");
    Path out = folder.resolve("out");
    Stowage.run("schedule", model, "--time-limit", "5", "--out", out).ends(0);
    Path plan = out.resolve("plan.json");
    Path order = out.resolve("order.csv");
    String words = "plan %s --schedule %s --alignment 64 --json --out %s";
    Stowage.line(words, model, order, folder.resolve("again")).holds("status=OPTIMAL");
    for (Path made : List.of(plan, folder.resolve("again/plan.json"))) {
      Stowage.run("verify", model, made).ends(0);
      Stowage.run("explain", model, "--plan", made).ends(0);
      Stowage.run("dependencies", model, "--plan", made).ends(0);
      Stowage.run("check", model, "--against", made, "--time-limit", "5").ends(0);
      Stowage.line("export %s --plan %s --format c -o %s", model, made, folder.resolve("plan.h"))
          .ends(0);
    }
    // An order that the ops cannot run in is none.
    String text = Files.readString(plan);
    int first = text.indexOf("[", text.indexOf("\"schedule\"")) + 1;
    int end = text.indexOf("]", first);
    List<String> names = new ArrayList<>(List.of(text.substring(first, end).split(",")));
    Collections.reverse(names);
    String forged = text.substring(0, first) + String.join(",", names) + text.substring(end);
    Stowage.run("verify", model, file("forged.json", forged)).ends(3);
  }

  @Test
  void plansOfSeveralMemoriesAreCompared() throws IOException {
    Path problem =
        file(
            "p.json",
            """
            {"memories": [{"name": "a", "capacity": 100}, {"name": "b", "capacity": 100}],
             "buffers": [{"id": "x", "size": 10, "lower": 0, "upper": 4, "memories": ["a"]},
              {"id": "y", "size": 20, "lower": 0, "upper": 4, "memories": ["b"]}]}
            """);
    Path plan = folder.resolve("out/plan.json");
    Stowage.run("plan", problem, "--out", plan.getParent()).ends(0);
    for (String name : List.of("plan.json", "plan.csv")) {
      Path same = plan.resolveSibling(name);
      Stowage.run("diff", same, plan, "--out", folder.resolve("diff"))
          .ends(0)
          .prints("peak of a  10  10  the same", "both place every buffer alike");
    }
    Stowage.run("diff", plan, plan).prints("p: " + plan + " -> ");
    Stowage.run("verify", problem, plan).prints("bound 20 bytes of b, max-load: re-checked");
  }

  @Test
  void anOptionThatConvertDoesNotUseIsSaid() {
    Path out = folder.resolve("same.json");
    Stowage.line("convert models/networks/tiny.json --out %s --in-place bands --schedule x", out)
        .ends(0)
        .says("--in-place does nothing: it is about", "--schedule does nothing: it is about");
  }

  @Test
  void figuresAreWrittenAlikeInEveryLanguage() throws IOException, InterruptedException {
    Stowage.line("group %s --chip bm1684x --det-limit 1 --out %s", TINY, folder).ends(0);
    for (String country : List.of("de-DE", "ar-EG")) {
      String[] tag = country.split("-");
      List<String> words = Stowage.process("-Duser.language=" + tag[0], "-Duser.country=" + tag[1]);
      words.addAll(List.of("verify", TINY.toString(), folder.resolve("groups.json").toString()));
      String said = Programs.output(new ProcessBuilder(words));
      assertTrue(said.contains("65,540 of 262,144 bytes per lane"), said);
    }
  }
}
