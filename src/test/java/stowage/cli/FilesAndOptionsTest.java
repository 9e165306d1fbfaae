package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.terminal.StandardOutput;
import stowage.network.Graphs;

/** Where answers go when places are odd, and what is said of options that cannot be meant. */
class FilesAndOptionsTest extends FolderTest {
  private static final Path TINY = Path.of("models/networks/tiny.json");
  private static final String BUFFERS = "id,lower,upper,size\na,0,3,4\nb,1,5,8\n";

  private Path input;

  @BeforeEach
  void writeInput() throws IOException {
    input = file("in.csv", BUFFERS);
  }

  private static void saysInOneLine(Stowage run, int code, String... words) {
    assertEquals(code, run.code(), run.err());
    assertFalse(run.err().contains("\tat "), run.err());
    for (String word : words) {
      run.says(word);
    }
  }

  @Test
  void anInputIsNeverWrittenOver() throws IOException {
    saysInOneLine(Stowage.run("convert", input, "--to", "csv", "-o", input), 2, "in.csv");
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), input);
    saysInOneLine(Stowage.run("convert", input, "--to", "csv", "-o", link), 2, "in.csv");
    Path plan = file("plan.csv", BUFFERS);
    saysInOneLine(Stowage.run("plan", plan, "--out", folder), 2, "plan.csv");
    saysInOneLine(Stowage.run("export", input, "--plan", plan, "-o", input), 2, "in.csv");
    assertEquals(BUFFERS, Files.readString(input));
    assertEquals(BUFFERS, Files.readString(plan));
  }

  @Test
  void whatCannotBeWrittenIsNamedWithTheReason() throws IOException {
    Path nowhere = folder.resolve("absent").resolve("x.json");
    saysInOneLine(
        Stowage.line("convert %s --to json -o %s", input, nowhere), 3, "x.json", "does not exist");
    saysInOneLine(Stowage.run("plan", input, "--out", input), 3, "in.csv", "should be a folder");
    saysInOneLine(Stowage.run("plan", input, "--out", ""), 2, "--out");
    Path file = Files.createFile(folder.resolve("file"));
    saysInOneLine(Stowage.run("compare", input, "--out", file.resolve("x")), 3, "file");
  }

  @Test
  void aFolderThatIsAbsentIsToldOfBeforeTheWork() {
    Path absent = folder.resolve("absent");
    Path file = absent.resolve("x.onnx");
    for (String line :
        List.of(
            "plan models/examples/residual.onnx --write %s",
            "schedule models/examples/residual.onnx --write %s",
            "check models/networks/tiny.json --max-peak 1M --junit %s")) {
      Stowage run = Stowage.line(line, file);
      saysInOneLine(run, 3, "absent does not exist");
      assertEquals("", run.out());
    }
    Stowage.line("plan models/examples/residual.onnx --out %s --write %s", absent, file).ends(0);
    assertTrue(Files.exists(file));
  }

  @Test
  void anEarlierRunsFilesDoNotStayBesideAnAnswerThatDeniesThem() throws IOException {
    Path out = folder.resolve("out");
    Stowage first = Stowage.run("plan", input, "--out", out, "--planner", "cpsat,tflite").ends(0);
    assertEquals("", first.err());
    Path log = Files.writeString(out.resolve("solver.log"), "of the first run");
    String plan = Files.readString(out.resolve("plan.csv"));
    Stowage denied = Stowage.run("plan", input, "--capacity", "11", "--out", out);
    saysInOneLine(denied, 4, "an earlier run's files", "plan.csv.old", "solver.log.old");
    assertEquals(
        List.of("plan.csv.old", "plan.html", "plan.json", "plan.svg", "solver.log.old"),
        names(out));
    assertEquals(plan, Files.readString(out.resolve("plan.csv.old")));
    assertFalse(Files.exists(log));
    Stowage.run("plan", input, "--out", out).ends(0);
    assertTrue(names(out).containsAll(List.of("plan.csv", "plan.html", "plan.json", "plan.svg")));
  }

  @Test
  void whatCouldNotBeReplacedIsSetAside() throws IOException {
    Path out = folder.resolve("out");
    Stowage.run("plan", input, "--out", out);
    Files.delete(out.resolve("plan.svg"));
    Files.createDirectory(out.resolve("plan.svg"));
    saysInOneLine(Stowage.run("plan", input, "--out", out), 3, "plan.svg");
    assertEquals(List.of("plan.csv", "plan.html.old", "plan.json", "plan.svg"), names(out));
  }

  @Test
  void foldersOfGroupsThatAreNoMoreAreSetAside() throws IOException {
    Path out = folder.resolve("out");
    Path stale = Files.createDirectories(out.resolve("group-97"));
    Files.writeString(stale.resolve("lmem.csv"), "id\n");
    Path own = Files.writeString(stale.resolve("notes.txt"), "the user's");
    Stowage run = Stowage.line("group %s --chip bm1684x --lmem today --out %s", TINY, out);
    saysInOneLine(run, 0, "lmem.csv.old");
    assertEquals(List.of("lmem.csv.old", "notes.txt"), names(stale));
    assertEquals("the user's", Files.readString(own));
  }

  @Test
  void convertPrintsOnStdoutWhatItWouldWrite() throws IOException {
    Path written = folder.resolve("out.json");
    Stowage run = Stowage.run("convert", input, "--to", "json", "-o", written, "--json");
    assertEquals(written.toString(), run.json().get("written").asText());
    Stowage printed = Stowage.run("convert", input, "--to", "json", "-o", "-");
    assertEquals(Files.readString(written), printed.out());
    assertFalse(Files.exists(Path.of("-")));
    Stowage.run("convert", input, "--to", "json", "-o", "-", "--json").ends(2);
  }

  /** A command line, which may name the input as IN, how it ends and what it says. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      textBlock =
          """
          plan IN --time-limit=-1 => 2 => --time-limit -1 should be 0 or more
          plan IN --det-limit=-0.5 => 2 => --det-limit -0.5 should be 0 or more
          plan IN --in-place vews => 2 => none, views, elementwise
          plan IN --in-place vews => 2 => mean "views"
          plan IN --order branchs => 2 => mean "branches"
          plan IN --config fst => 2 => mean "fast"
          plan IN --config fsat => 2 => did you mean "fast"
          plan IN --config exhautsive => 2 => did you mean "exhaustive"
          plan IN --config no.textproto => 2 => no such file
          plan IN --alignment 0 => 2 => --alignment 0
          plan IN --bank-size 0 => 2 => --bank-size 0
          plan IN --capacity 9000000TiB => 2 => too large
          plan IN --capacity 1.5 => 2 => is not a size
          bench exact --only nothing-like-it => 2 => no instance
          plan IN --planner , => 2 => --planner names nothing
          compare IN --planner ,, => 2 => --planner names nothing
          plan IN --dim batch=1 => 2 => no free dimension
          plan IN --capacity \u0663 => 2 => is not a size
          plan IN --threads \u0663 => 2 => is no whole number
          plan IN --seed 1\u0663 => 2 => is no whole number
          plan IN --dim 5 => 2 => stowage: Value for option '--dim' (NAME=VALUE)
          plan IN --threads many => 2 => is no whole number
          plan IN --det-limit 5f => 2 => 5f' is no number
          plan IN --det-limit NaN => 2 => NaN' is no number
          plan IN --font 0x1p4 => 2 => 0x1p4' is no number
          plan IN --warm-start IN --stable --slack 1e1% => 2 => should be a percentage
          plan IN --warm-start IN --stable --slack Infinity% => 2 => should be a percentage
          plan IN --alignment 9223372036854775807 => 2 => should be at most
          fit models/networks/tiny.json --max-extra 5f => 2 => --max-extra 5f should be a share
          fit models/networks/tiny.json --max-extra 5d% => 2 => should be a share
          fit models/networks/tiny.json --max-extra 1e1% => 2 => should be a share
          fit models/networks/tiny.json --max-extra NaN => 2 => should be a share
          fit models/networks/tiny.json --max-extra Infinity => 2 => should be a share
          fit models/networks/tiny.json --max-extra 0x5 => 2 => should be a share
          fit models/networks/tiny.json --max-extra 0.5 => 2 => should be a share
          fit models/networks/tiny.json --max-extra -0.1% => 2 => should be a share
          ./absent.onnx => 3 => absent.onnx: no such file
          compare IN IN --out x => 2 => unknown option --out of stowage compare with several inputs
          compare absent.csv IN => 3 => absent.csv: no such file
          kernel models/kernels/attention-2x5.json --cache L3=5 => 2 => no buffer is in a cache L3
          group models/examples/residual.onnx --chip bm1688 --partition file => 2 => needs a TPU-MLIR file
          generate banked --buffers 0x5 -o - => 2 => should be a whole number
          generate network-like --seed 5f -o - => 2 => should be a whole number
          plan IN --minimize => 0 => --minimize does nothing: without --capacity
          """)
  void oneLineSaysWhatAnOptionCannotBe(String line, int code, String words) {
    saysInOneLine(Stowage.line(line.replace("IN", input.toString())), code, words);
  }

  @Test
  void aLimitMakesMinimizeMeanSomething() {
    assertEquals("", Stowage.run("plan", input, "--minimize", "--capacity", "20").err());
  }

  private static Stowage withStdin(String text, Object... words) {
    InputStream own = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    try {
      return Stowage.run(words);
    } finally {
      System.setIn(own);
    }
  }

  @Test
  void stdinIsAnInputOnceItsFormatIsTold() throws IOException {
    JsonNode answer = withStdin(BUFFERS, "plan", "-", "--format", "csv", "--json").json();
    JsonChecks.holds(answer, "problem=stdin peak=12");
    String network = Files.readString(TINY);
    assertEquals(0, withStdin(network, "show", "-", "--format", ".JSON").code());
    withStdin(network, "group", "-", "--format", "json", "--chip", "bm1684x").ends(0);
    Stowage converted = withStdin(BUFFERS, "convert", "-", "--format", "csv", "--to", "csv");
    assertTrue(converted.out().startsWith("id,"), converted.out());
    withStdin(BUFFERS, "compare", "-", "--input-format", "csv", "--planner", "xla", "--json")
        .ends(0);
    saysInOneLine(withStdin(BUFFERS, "plan", "-"), 2, "needs --format", "csv, json");
    saysInOneLine(withStdin(BUFFERS, "plan", "-", "--format", "cvs"), 2, "did you mean", "csv");
    saysInOneLine(withStdin("id,lower\n", "plan", "-", "--format", "csv"), 3, "-: line 1");
    saysInOneLine(withStdin("", "plan", "-", "--format", "json"), 3, "-: is empty");
    Path odd = file("buffers.dat", BUFFERS);
    saysInOneLine(Stowage.run("bound", odd), 3, "--format");
    Stowage.run("bound", odd, "--format", "csv").ends(0);
  }

  @Test
  void aPipeIsReadOnceHoweverOftenItsReadersLook() throws Exception {
    Path mkfifo = Path.of("/usr/bin/mkfifo");
    assumeTrue(Files.isExecutable(mkfifo), mkfifo + " is needed");
    Path pipe = folder.resolve("pipe.json");
    new ProcessBuilder(mkfifo.toString(), pipe.toString()).start().waitFor();
    String text = "{\"buffers\": [{\"id\": \"a\", \"lower\": 0, \"upper\": 1, \"size\": 7}]}";
    Thread writer =
        new Thread(
            () -> {
              try {
                Files.writeString(pipe, text);
              } catch (IOException closed) {
                throw new UncheckedIOException(closed);
              }
            });
    writer.start();
    assertEquals(7, Stowage.run("bound", pipe, "--json").json().get("lowerBound").asLong());
    writer.join();
  }

  @Test
  void helpTellsTheTimeLimitsInWholeSeconds() {
    assertEquals("60s", defaultTimeLimit("plan"));
    assertEquals("60s", defaultTimeLimit("bench", "groups"));
    assertEquals("40s", defaultTimeLimit("compare"));
  }

  private static String defaultTimeLimit(Object... words) {
    Matcher limit =
        Pattern.compile("--time-limit=TIME\\s+[^-(]*\\(default:\\s+([^)]*)\\)")
            .matcher(Stowage.run(words, "--help").out());
    return limit.find() ? limit.group(1) : null;
  }

  @Test
  void optionsThatMeanNothingForTheInputAreToldOf() throws IOException {
    Stowage buffers = Stowage.run("bound", input, "--order", "branches", "--json");
    saysInOneLine(buffers, 0, "--concurrency does nothing", "in.csv");
    assertEquals(12, buffers.json().get("lowerBound").asLong());
    assertEquals("", Stowage.run("bound", input).err());
    Path network = Graphs.of("x:16; y:16 = Relu x; -> y").write(folder.resolve("net.json"));
    saysInOneLine(Stowage.line("bound %s --bank-size 64", network), 0, "--bank-size does nothing");
    assertEquals("", Stowage.line("bound %s --order branches --alignment 16", network).err());
  }

  @Test
  void plansAndSettingsAreCheckedWhereverTheyAreTaken() throws IOException {
    Stowage.run("plan", TINY, "--out", folder, "--threads", 1);
    Path plan = folder.resolve("plan.csv");
    Stowage.run("dependencies", TINY, "--plan", plan).ends(0);
    Path flat =
        file(
            "flat.csv",
            Files.readString(plan).replaceAll("(?m)^(.*,\\d+,\\d+,\\d+,\\d+),\\d+", "$1,0"));
    saysInOneLine(
        Stowage.run("dependencies", TINY, "--plan", flat), 3, "flat.csv", "not a valid plan");
    saysInOneLine(Stowage.line("explain %s --capacity 10 --config fst", input), 2, "mean \"fast\"");
  }

  @Test
  void offsetsThatClashAreNamedAsTheReason() throws IOException {
    String rows = "id,lower,upper,size,offset,gaps\nfree,0,9,1,-1,\n";
    Path clash = file("clash.csv", rows + "left,0,3,4,0,\nright,2,5,4,2,\n");
    Stowage run = Stowage.run("plan", clash, "--threads", 1).ends(4);
    run.prints(
        "keeps the offsets that are given",
        "\"left\" lies in [0, 4) and \"right\" lies in [2, 6)",
        "at step 2");
    Path apart = file("apart.csv", rows + "left,0,3,4,0,2-3\nright,2,5,4,2,\n");
    Stowage.run("plan", apart, "--threads", 1).ends(0);
  }

  @Test
  void aMemoryThatStaysEmptyIsToldOfInWords() {
    Stowage run = Stowage.run("plan", input, "--chip", "bm1690", "--memory", "l2").ends(0);
    run.prints("of l2");
    assertFalse(run.out().contains("because"), run.out());
  }

  @Test
  void rowsBehindAnEmptyLineAreToldOf() throws IOException {
    Path cut = file("cut.csv", BUFFERS + "\nc,0,9,9\n");
    Stowage run = Stowage.run("bound", cut, "--json");
    saysInOneLine(run, 0, "cut.csv", "line 4");
    assertEquals(12, run.json().get("lowerBound").asLong());
    Path ended = file("ended.csv", BUFFERS + "\n \r\n\n");
    assertEquals("", Stowage.run("bound", ended).err());
  }

  @Test
  void jsonOfNoKnownKindIsMetWithTheFieldThatWouldTell() throws IOException {
    Path odd = file("odd.json", "{\"buffer\": []}");
    saysInOneLine(Stowage.run("plan", odd), 3, "is \"buffer\" meant to be \"buffers\"?");
  }

  @Test
  void anAlignmentNobodyAskedForIsToldOfWhereItMakesMuchOfThePeak() throws IOException {
    Path small = Graphs.of("x:64; y:64 = Relu x; -> y").write(folder.resolve("small.json"));
    for (String line :
        List.of("plan %s --json", "check %s --max-peak 1K", "fit %s --max-extra 0")) {
      Stowage.line(line, small).says("rounded up to multiples of 4 KiB, 8 KiB in all for tensors");
      String asked = Stowage.line(line + " --alignment 16", small).err();
      assertFalse(asked.contains("rounded up"), asked);
    }
    assertEquals("", Stowage.run("plan", TINY, "--json").err());
  }

  @Test
  void aLinkToNothingIsNotToldToBeMeantForItself() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("gone.csv"), folder.resolve("away.csv"));
    Stowage run = Stowage.run("plan", link);
    saysInOneLine(run, 3, "gone.csv: is a symbolic link to a file that is not there");
  }

  @Test
  void aFullDiskUnderStdoutIsRememberedAndAReaderThatLeftIsNot() {
    assertEquals("No space left on device", failureOf("No space left on device"));
    assertNull(failureOf("Broken pipe"));
    ByteArrayOutputStream fine = new ByteArrayOutputStream();
    StandardOutput out = new StandardOutput(fine);
    try (PrintStream print = new PrintStream(out)) {
      print.print("all");
    }
    assertNull(out.failure());
    assertEquals("all", fine.toString());
  }

  private static String failureOf(String words) {
    StandardOutput out =
        new StandardOutput(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException(words);
              }
            });
    PrintStream print = new PrintStream(out, true);
    List.of("a", "b").forEach(print::println);
    return out.failure() == null ? null : out.failure().getMessage();
  }
}
