package stowage.cli.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import stowage.FolderTest;
import stowage.cli.Stowage;
import stowage.importer.own.Chips;
import stowage.planning.PlannerCatalogue;

/** Help of every command: headings, examples that the command takes, pages, completion. */
class HelpTest extends FolderTest {
  private static final int EXAMPLES = 3;
  private static final Path PROJECT = Path.of(System.getProperty("user.dir"));

  /** The visible commands, and those below them. */
  private static List<CommandSpec> commands() {
    List<CommandSpec> found = new ArrayList<>();
    collect(Stowage.commandLine().getCommandSpec(), found);
    return found;
  }

  @Test
  void theCommandsAreFewAndTheirHelpIsShort() {
    List<String> names =
        Stowage.commandLine().getSubcommands().entrySet().stream()
            .filter(entry -> !ManPage.isHidden(entry.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    assertEquals(
        List.of(
            ("check compare convert diff experiment explain export fit generate group help kernel"
                    + " list memories plan schedule serve show verify")
                .split(" ")),
        names);
    String all = Stowage.run("--help").out();
    assertTrue(all.lines().count() <= 50, all);
    names.forEach(name -> assertTrue(all.contains("\n  " + name + " "), name));
    for (CommandSpec command : commands()) {
      if (command.parent() != null && command.findOption("--help") != null) {
        String words = command.qualifiedName().substring("stowage ".length());
        String help = Stowage.line(words + " --help").out();
        assertTrue(help.lines().count() <= 45, help);
        assertTrue(help.contains("--help"), help);
        assertFalse(help.lines().anyMatch(line -> line.matches(".*[ (/][.]")), help);
      }
    }
    for (CommandSpec command : commands()) {
      OptionSpec out = command.findOption("--out");
      assertTrue(out == null || command.findOption("-o") == out, command.qualifiedName());
    }
    String whole = Stowage.run("plan", "--help-all").out();
    assertTrue(whole.contains("--concurrency") && !whole.contains("--order="), whole);
  }

  /** Every short form answers as the command that it stands for. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      textBlock =
          """
          TINY => show TINY
          list chips => chips
          list planners --json => planners --json
          list schemas plan => schema plan
          list generators => generate
          explain --waits TINY => dependencies TINY
          verify models/examples/snapshot.pickle => audit models/examples/snapshot.pickle
          generate matmul --size 2,2,2,8,2,2 -o - => generate-kernel matmul --size 2,2,2,8,2,2 -o -
          plan TINY --concurrency nothing => plan TINY --order nothing
          compare LIST LIST TREE => waste LIST LIST TREE
          """)
  void shortFormsAnswerAsTheCommandsTheyMean(String form, String meant) {
    assertEquals(line(meant), line(form));
  }

  private static Stowage line(String words) {
    return Stowage.line(
        words
            .replace("TINY", "models/networks/tiny.json")
            .replace("LIST", "models/examples/example.csv")
            .replace("TREE", "--planner inductor-tree --det-limit 1"));
  }

  @Test
  void helpOffersWhatACommandReads() {
    Stowage over = line("memories TINY models/memories/stm32h7.json --time-limit 2s --json");
    assertTrue(over.json().has("trafficBytes"), over.err());
    line("memories TINY").ends(2);
    String help = Stowage.run("memories", "--help-all").out();
    assertTrue(help.contains("MAP") && help.contains("memories.html"), help);
    assertFalse(help.contains("--planner") || help.contains("--capacity="), help);
    Stowage.run("list", "chps").ends(2);
    for (String command : List.of("dependencies", "fit", "schedule")) {
      String read = Stowage.run(command, "--help-all").out();
      assertTrue(read.contains(".onnx") && !read.contains("A list of buffers"), read);
      assertFalse(read.contains("--ignore-offsets") || read.contains("--bank-size"), read);
    }
  }

  private static void collect(CommandSpec command, List<CommandSpec> found) {
    found.add(command);
    for (CommandLine child : command.subcommands().values()) {
      if (!ManPage.isHidden(child)) {
        collect(child.getCommandSpec(), found);
      }
    }
  }

  @Test
  void everyCommandHasThreeExamplesThatItTakes() {
    List<String> wrong = new ArrayList<>();
    for (CommandSpec command : commands()) {
      List<String> examples = HelpTexts.examples(command);
      if (examples.size() < EXAMPLES) {
        wrong.add(command.qualifiedName() + " has " + examples.size() + " examples in help.txt");
      }
      for (String example : examples) {
        for (String part : example.split(" [|>&]+ ")) {
          tryOut(part, wrong);
        }
      }
    }
    assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
  }

  /** Reads an example's options without running it, and looks for the files of ours it names. */
  private static void tryOut(String example, List<String> wrong) {
    Matcher call = Pattern.compile("(?:^|[ (])stowage(?: (.*?))?\\)?$").matcher(example);
    if (!call.find() || example.startsWith("parallel")) {
      return;
    }
    List<String> words = new ArrayList<>();
    Matcher word =
        Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(call.group(1) == null ? "" : call.group(1));
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    try {
      String[] given = words.toArray(String[]::new);
      Stowage.commandLine(given).parseArgs(given);
    } catch (CommandLine.ParameterException refused) {
      wrong.add(example + ": " + refused.getMessage());
    }
    for (String name : words) {
      if (name.startsWith("models/") && !Files.exists(PROJECT.resolve(name))) {
        wrong.add(example + ": there is no " + name);
      }
    }
  }

  @Test
  void optionsComeUnderHeadingsEachOnce() {
    for (CommandSpec command : commands()) {
      List<OptionSpec> shown =
          OptionHeadings.of(command).values().stream().flatMap(List::stream).toList();
      long visible = command.options().stream().filter(option -> !option.hidden()).count();
      assertEquals(visible, shown.stream().distinct().count(), command.qualifiedName());
      assertEquals(visible, shown.size(), command.qualifiedName());
    }
    String help = Stowage.run("plan", "--help-all").out();
    int last = 0;
    for (String heading :
        List.of("Planning:", "Input:", "Memory:", "Limits", "Output:", "Examples:")) {
      int at = help.indexOf("\n" + heading);
      assertTrue(at > last, heading + " in\n" + help);
      last = at;
    }
    assertTrue(help.indexOf("--capacity") < help.indexOf("\nLimits"), help);
  }

  @Test
  void helpShowsWhatTheOptionShows() {
    assertEquals(
        Stowage.run("experiment", "run", "--help").out(),
        Stowage.run("help", "experiment", "run").out());
    assertEquals(Stowage.run("--help").out(), Stowage.run("help").out());
    Stowage.run("--help-all")
        .prints("STOWAGE_JAVA_OPTS", "NO_COLOR", "proven infeasible", "0x100000");
    Stowage.run("help", "pln").ends(2).says("did you mean \"plan\"");
  }

  @Test
  void helpShowsTheOptionsOfOneTopic() {
    Stowage openVino = Stowage.run("help", "plan", "openvino").ends(0);
    assertTrue(openVino.out().startsWith("Options of single planners"), openVino.out());
    openVino.prints("kernel-sum=");
    assertFalse(openVino.out().contains("--capacity"), openVino.out());
    Stowage.line("help plan memory-maps").prints("--least-capacity");
    Stowage.run("help", "plan", "nothing").ends(2).says("its topics are planning");
  }

  /** Keys of {@code --set} are the former options of single planners, and errors name them. */
  @Test
  void optionsOfSinglePlannersAreKeysOfSet() {
    String plan = "plan models/networks/tiny.json --json --effort normal --planner ";
    JsonNode former = Stowage.line(plan + "openvino --streams 2 --no-usm").json();
    JsonNode keys = Stowage.line(plan + "openvino --set streams=2 --set=no-usm=true").json();
    assertEquals(former.get("allocations"), keys.get("allocations"));
    for (String[] wrong :
        new String[][] {
          {"openvino --set stream=2", "--set: unknown key stream; did you mean \"streams\"?"},
          {"openvino --set cores=2", "unknown key cores; known are streams, device-memory"},
          {"openvino --set streams", "--set streams should be streams=VALUE"},
          {"openvino --set", "--set needs KEY=VALUE"},
          {"vela --set streams=2", "--set streams belongs to --planner openvino"},
        }) {
      Stowage.line(plan + wrong[0]).ends(2).says(wrong[1]);
    }
    Stowage.line("list planners openvino").prints("device-memory=BYTES");
    Stowage.line("list planners ggml").prints("largest-allocation=BYTES");
    Stowage.line("list planners vela").prints("no options of its own");
    String compared = "compare models/networks/tiny.json --planner openvino --time-limit 1s --set ";
    Stowage.line(compared + "passes=in_order").ends(0);
    Stowage.line(compared + "history=-").ends(2);
  }

  @Test
  void listShowsOneByItsName() {
    Stowage.line("list chips bm1684x").prints("laneBytes");
    String recut = Stowage.run("list", "generators", "recut").out();
    assertTrue(recut.contains("--segments") && !recut.contains("guillotine"), recut);
    assertTrue(Stowage.run("list", "generators").out().lines().count() <= 50);
    Stowage.run("list", "generators", "recuts").ends(2);
  }

  @Test
  void noCommandShowsTheHelpAndASlipTheNearestName() {
    Stowage.run().ends(2).says("Plan memory:");
    Stowage.run("pln").says("did you mean \"plan\"?");
    Stowage.run("plan", "x.csv", "--treads", "2")
        .ends(2)
        .says("--treads", "did you mean \"--threads\"?");
    Stowage.run("show", "a", "b").says("unexpected argument b of stowage show");
    for (String words : List.of("plan x.csv --capacity", "fit x.json --capacity")) {
      Stowage.line(words + " 10 KB")
          .ends(2)
          .says("--capacity 10 KB: a number and its unit are one word, 10KB");
    }
    Stowage.line("check x.csv --max-peak=10 KiB").ends(2).says("one word, 10KiB");
    String help = Stowage.run("schedule", "--help").out();
    assertTrue(help.contains("A network (.json") && !help.contains("A list of buffers"), help);
  }

  @Test
  void everyCommandHasAManualPageThatNoLineBreaks() throws IOException {
    Stowage.run("man-pages", folder).ends(0);
    for (CommandSpec command : commands()) {
      String page = Files.readString(folder.resolve(ManPage.fileName(command)));
      for (String line : page.lines().toList()) {
        boolean request = line.startsWith(".") || line.startsWith("'");
        assertTrue(!request || line.matches("\\.(TH|SH|SS|PP|TP|nf|fi|nh|ad).*"), line);
      }
      for (OptionSpec option : command.options()) {
        String name = option.longestName().replace("-", "\\-");
        assertTrue(option.hidden() || page.contains(name), name);
      }
    }
    assertEquals(commands().size(), names(folder).size());
  }

  @Test
  void theShellCompletesPlannersChipsAndWords() throws Exception {
    Path bash = Path.of("/bin/bash");
    assumeTrue(Files.isExecutable(bash), "no bash: skipped");
    Path script = file("completion", Stowage.run("generate-completion").out());
    Stream<String> planners = PlannerCatalogue.known().stream().map(PlannerCatalogue.Known::name);
    assertEquals(
        planners.filter(name -> name.startsWith("t")).sorted().toList(),
        completed(bash, script, "plan", "--planner", "t"));
    Stream<String> chips = Chips.all().stream().map(chip -> chip.name());
    assertEquals(
        chips.filter(name -> name.startsWith("bm168")).sorted().toList(),
        completed(bash, script, "group", "--chip", "bm168"));
    assertEquals(List.of("views"), completed(bash, script, "plan", "--in-place", "v"));
    assertEquals(List.of("schedule"), completed(bash, script, "sched"));
    assertFalse(completed(bash, script, "").contains("train"));
  }

  private static List<String> completed(Path bash, Path script, String... words) throws Exception {
    String line = "stowage " + String.join(" ", words);
    String commands =
        ("source %s; COMP_WORDS=(stowage %s '%s'); COMP_CWORD=%s; COMP_LINE='%s'; "
                + "COMP_POINT=%s; _complete_stowage; printf '%%s\\n' \"${COMPREPLY[@]}\"")
            .formatted(
                script,
                String.join(" ", Arrays.asList(words).subList(0, words.length - 1)),
                words[words.length - 1],
                words.length,
                line,
                line.length());
    Process shell =
        new ProcessBuilder(bash.toString(), "-c", commands)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String out = new String(shell.getInputStream().readAllBytes());
    assertTrue(shell.waitFor(20, TimeUnit.SECONDS));
    return out.lines().filter(name -> !name.isBlank()).sorted().toList();
  }

  @Test
  void helpTextsHaveNoSectionOfAnUnknownCommand() {
    List<String> known =
        new ArrayList<>(
            List.of("stowage", "values", "environment", "exit codes", "summaries", "bench groups"));
    known.addAll(Stowage.commandLine().getSubcommands().keySet());
    commands().stream()
        .map(command -> command.qualifiedName().replaceFirst("^stowage ?", ""))
        .forEach(known::add);
    List<String> unknown = new ArrayList<>(HelpTexts.sections().keySet());
    unknown.removeAll(known);
    assertEquals(List.of(), unknown);
  }
}
