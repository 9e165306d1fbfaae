package stowage.cli.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.PublicData;
import stowage.Thorough;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;
import stowage.importer.ImporterTest;
import stowage.importer.tflite.RandomTflite;
import stowage.importer.tflite.TfliteMicroRuntime;
import stowage.network.Network;
import stowage.rewrite.MacCount;

/** Models written with their plan, and what {@code verify} says of these. */
class FittedFileTest extends FolderTest {
  private static final String INPUT = "input_1_int8";

  private static Stowage fit(Path fitted, String options) {
    Path model = PublicData.network("tflite/mlperf_pretrainedResnet_quant.tflite");
    String line = "fit %s --det-limit 0.6 --write %s --json" + options;
    return Stowage.line(line, model, fitted).ends(0);
  }

  @Test
  void whereTheInputIsOverwrittenIsSaidAndCanBeForbidden() {
    Path fitted = folder.resolve("fitted.tflite");
    long peak = fit(fitted, " --capacity 33000").number("peak");
    Stowage verified =
        Stowage.run("verify", fitted, "--json").ends(0).holds("valid=true peak=" + peak);
    JsonNode overwritten = verified.json().get("overwrittenInputs");
    assertEquals(1, overwritten.size(), verified.out());
    JsonChecks.holds(overwritten, "0/input=" + INPUT);
    Stowage.run("verify", fitted, "--inputs", "keep")
        .ends(ExitCode.INVALID_PLAN)
        .prints("\"" + INPUT + "\" is overwritten by op");
  }

  @Test
  void anInputThatIsKeptIsNotOverwritten() {
    Path fitted = folder.resolve("kept.tflite");
    fit(fitted, " --capacity 37000 --inputs keep");
    Stowage verified = Stowage.run("verify", fitted, "--inputs", "keep", "--json").ends(0);
    assertEquals(0, verified.json().path("overwrittenInputs").size(), verified.out());
  }

  @Test
  void aModelThatCannotBeWrittenIsRefusedBeforeTheSearch() {
    Path unsigned = PublicData.network("tflite/coral_mobilenet_v1_0.25_128_quant.tflite");
    Path fitted = folder.resolve("unsigned.tflite");
    Stowage run = Stowage.line("fit %s --capacity 66000 --write %s", unsigned, fitted);
    run.ends(ExitCode.BAD_INPUT).says("unsigned bytes");
    assertEquals("", run.out());
    assertTrue(Files.notExists(fitted));
  }

  // Random models made to fit random capacities, run in TFLite Micro beside the originals.

  private static final int ROUNDS = Integer.getInteger("stowage.rounds", Thorough.of(8, 300));

  /** The first seed; other seeds are other models. */
  private static final int FIRST = Integer.getInteger("stowage.seed", 0);

  private final int[] codes = new int[ExitCode.NO_PLAN + 1];
  private int split;
  private int refused;

  @Test
  void randomModelsFitAndGiveEqualOutputs() throws Exception {
    TfliteMicroRuntime.program();
    List<String> faults = new ArrayList<>();
    for (int seed = FIRST; seed < FIRST + ROUNDS; seed++) {
      try {
        fit(seed);
      } catch (AssertionError | RuntimeException fault) {
        faults.add("seed " + seed + ": " + fault);
      }
    }
    System.out.println(
        "%d fit, %d cannot, %d missed; %d in pieces; %d not run by TFLite Micro"
            .formatted(
                codes[ExitCode.OK],
                codes[ExitCode.INFEASIBLE],
                codes[ExitCode.NO_PLAN],
                split,
                refused));
    assertTrue(faults.isEmpty(), String.join("\n", faults));
    assertTrue(split > 0 && refused <= ROUNDS / 20, split + " split, " + refused + " refused");
  }

  private void fit(int seed) throws Exception {
    Random random = new Random(0x9E3779B97F4A7C15L * seed); // near seeds begin alike
    byte[] bytes = RandomTflite.of(random, seed % 3 > 0, 3 + random.nextInt(14));
    Path model = file("m" + seed + ".tflite", bytes);
    JsonNode before = TfliteMicroRuntime.run(model);
    if (before.path("outputs").size() != 3) {
      refused++;
      return;
    }
    long head = before.path("plannerHead").asLong();
    long capacity = (long) (head * (0.5 + 0.5 * random.nextDouble()));
    Path fitted = folder.resolve("f" + seed + ".tflite");
    Path out = folder.resolve("out" + seed);
    String inputs = random.nextInt(3) == 0 ? "keep" : "free";
    String line = "fit %s --capacity %s --inputs %s --threads 1 --det-limit 1 --json";
    Stowage run = Stowage.line(line + " --write %s --out %s", model, capacity, inputs, fitted, out);
    assertTrue(run.code() == 0 || run.code() == 4 || run.code() == 5, run.out() + run.err());
    codes[run.code()]++;
    if (run.code() == ExitCode.INFEASIBLE) {
      assertTrue(Files.notExists(fitted) && Files.notExists(out.resolve("plan.csv")), "written");
      return;
    }
    JsonNode answer = run.json();
    long peak = answer.path("peak").asLong();
    split += answer.path("runs").isEmpty() ? 0 : 1;
    String what = answer.path("runs") + " in " + peak + " of " + capacity + ", inputs " + inputs;
    JsonNode after = TfliteMicroRuntime.run(fitted);
    assertEquals(before.path("outputs"), after.path("outputs"), what);
    assertEquals(peak, after.path("plannerHead").asLong(), what);
    assertTrue(inputs.equals("keep") || peak <= head, what + ", " + head + " before");
    assertEquals(run.code() == ExitCode.OK, peak <= capacity, what);
    long kept = persistent(after) - persistent(before);
    long said = answer.path("persistentExtra").asLong();
    assertTrue(Math.abs(kept - said) <= 200 + kept / 2, what + " kept " + kept + ", " + said);
    Network network = ImporterTest.network(fitted);
    long macs = answer.path("compute").asLong() + answer.path("extra").asLong();
    assertEquals(macs, MacCount.of(network), what);
    Matcher shared =
        Pattern.compile("--in-place (\\w+)").matcher(answer.path("remarks").toString());
    again(fitted, out, inputs, shared.find() ? shared.group(1) : "none", peak, what);
  }

  private static long persistent(JsonNode run) {
    return run.path("recorded").path("persistent").asLong();
  }

  /** What other commands say of the files. */
  private void again(Path fitted, Path out, String inputs, String shared, long peak, String what) {
    Stowage verified = Stowage.run("verify", fitted, "--inputs", inputs, "--json").ends(0);
    assertEquals(peak, verified.json().path("peak").asLong(), what);
    for (String command : new String[] {"verify", "plan"}) {
      List<Path> plan = command.equals("verify") ? List.of(out.resolve("plan.csv")) : List.of();
      List<Object> order = List.of("--schedule", out.resolve("order.csv"), "--alignment", 16);
      List<String> rules = List.of("--in-place", shared, "--inputs", inputs, "--json");
      Stowage said = Stowage.run(command, out.resolve("network.json"), plan, order, rules).ends(0);
      assertTrue(said.json().path("peak").asLong() <= peak, what + said.out());
    }
  }
}
