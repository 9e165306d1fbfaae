package stowage.cli.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.plan.ScheduleCommandTest;
import stowage.cli.terminal.ExitCode;
import stowage.network.ElementType;
import stowage.network.Graphs;

class FitCommandTest extends FolderTest {
  private Path twoBranches() throws IOException {
    return ScheduleCommandTest.twoBranches(folder);
  }

  @Test
  void whatFitsByOrderAloneCostsNothingAndIsWritten() throws IOException {
    Path out = folder.resolve("out");
    Path network = twoBranches();
    Stowage.line("fit %s --alignment 1 --capacity 22 --out %s --json", network, out)
        .ends(0)
        .holds("status=OPTIMAL peak=22 load=22 extra=0 extraBound=0");
    List<String> rows = Files.readAllLines(out.resolve("order.csv"));
    assertEquals("position,op,name", rows.get(0));
    assertEquals("0,\"makeB, too\",\"makeB, too\"", rows.get(1));
    String plan = "plan %s --schedule %s --alignment 1 --json";
    Stowage.line(plan, out.resolve("network.json"), out.resolve("order.csv")).holds("peak=22");
    for (String file : List.of("plan.csv", "plan.json", "plan.svg", "plan.html")) {
      assertTrue(Files.size(out.resolve(file)) > 0, file);
    }
    String page = Files.readString(out.resolve("fit.html"));
    assertTrue(page.contains("capacity 22 bytes") && page.contains(">capacity 22 B<"), page);
    assertTrue(page.contains("Made to fit"), page);
    String asked = "fit %s --alignment 1 --levers order ";
    Stowage.line(asked + "--max-extra 0", network)
        .prints("OPTIMAL", "no plan of this peak adds less; it is the lowest found", "add --write");
    Stowage.line(asked + "--curve", network).prints("1 point of the curve, 1 proven");
  }

  @Test
  void aPlanThatIsAsGivenIsNotCalledMadeToFit() throws IOException {
    Path network =
        Graphs.of("x:8; a:8 = Conv x; b:4 = Conv a; -> b").write(folder.resolve("n.json"));
    Stowage.line("fit %s --alignment 1 --capacity 99 --out %s", network, folder).ends(0);
    String page = Files.readString(folder.resolve("fit.html"));
    assertTrue(page.contains("Fits as it is") && !page.contains("Made to fit"), page);
  }

  /** What a network file may hold although no importer writes it. */
  @Test
  void oddNamesAxesAndExtentsAreFitted() throws IOException {
    String form =
        """
        {"name": "n", "inputs": ["x"], "outputs": ["z"],
         "tensors": [{"name": "x", "shape": [1, 8, 4, 4], "type": "f32"},
          {"name": "y", "shape": %s, "type": "f32"}, {"name": "z", "shape": [1, 1], "type": "f32"}],
         "ops": [{"name": "a", "type": %s, "inputs": [%s"x"], "outputs": ["y"]},
          {"name": "b", "type": "Op", "inputs": ["y"], "outputs": ["z"]}]}
        """;
    String slice = "\"Slice\", \"attributes\": {\"starts\": [%s], \"ends\": [3], \"axes\": [3]}";
    String[][] cases = {
      {"[1, 8, 4, 4]", "\"Loop.enter\"", ""},
      {"[1, 8, 4, 2]", slice.formatted("1, 1"), ""},
      {"[1, 8, 4, 2]", slice.formatted(Long.MAX_VALUE), ""},
      {"[1, 8, 4, 2]", slice.formatted("1"), "\"\", "},
      {"[1, 8, 1099511627776, 4]", "\"Pad\", \"attributes\": {\"pads\": [0,0,1,0,0,0,2,0]}", ""}
    };
    for (String[] odd : cases) {
      Path network = file("odd.json", form.formatted((Object[]) odd));
      Stowage.line("fit %s --alignment 1 --capacity 200TiB --det-limit 0.1", network).ends(0);
    }
  }

  @Test
  void withoutTheLeverOrderTheGivenOneIsKept() throws IOException {
    Stowage run =
        Stowage.line("fit %s --alignment 1 --capacity 30 --levers sharing --json", twoBranches())
            .ends(ExitCode.INFEASIBLE)
            .holds("status=INFEASIBLE");
    String reason = run.json().get("reason").asText(); // another order has a load of 22 bytes
    assertTrue(reason.startsWith("In the given order of the ops the load is at least 31"), reason);
    Stowage.line("fit %s --alignment 1 --capacity 30 --levers sharing", twoBranches())
        .prints("it cannot be made to fit by sharing", "--levers order,sharing,split looks at");
    Stowage.line("fit %s --alignment 1 --load-limit 31 --levers sharing --json", twoBranches())
        .ends(0)
        .holds("load=31");
  }

  @Test
  void whatNothingHelpsIsRefusedWithAReason() throws IOException {
    Path out = Files.createDirectory(folder.resolve("none"));
    Files.writeString(out.resolve("plan.csv"), "of an earlier run");
    String line = "fit %s --alignment 1 --capacity 20 --levers order,sharing --out %s --json";
    Stowage run = Stowage.line(line, twoBranches(), out).ends(ExitCode.INFEASIBLE);
    assertTrue(run.json().get("reason").asText().contains("endA"), run.out());
    assertTrue(Files.notExists(out.resolve("plan.csv")));
    assertTrue(Files.exists(out.resolve("plan.csv.old")));
  }

  @Test
  void aPartOfASplitMayBeTheCallers() throws IOException {
    String text =
        "x:1; a:7 = Foo x; s:1 = Slice a axes=[0] starts=[0] ends=[1]; t:4 = Foo x; "
            + "b:1 c:3 = Split t axis=0; y:1 = Foo b; -> c y";
    Path network = Graphs.of(text).write(folder.resolve("split.json"));
    Stowage.line(
            "fit %s --alignment 1 --inputs caller --levers order,sharing --max-extra 0 --json",
            network)
        .ends(0)
        .holds("status=OPTIMAL peak=7");
  }

  @Test
  void whereTheModelCannotBeWrittenIsSaidBeforeTheSearch() throws IOException {
    Path nowhere = folder.resolve("nowhere/fitted.json");
    Stowage run = Stowage.line("fit %s --curve --write %s", twoBranches(), nowhere).ends(3);
    assertTrue(
        run.out().isEmpty() && run.err().contains("nowhere does not exist"), run.out() + run.err());
  }

  /** Two 3 x 3 convolutions over 8 x 8: a tensor of 256 bytes between two of 64. */
  private Path twoConvolutions() throws IOException {
    String text =
        "x:1x1x8x8; a:1x4x8x8 = Conv x window=3,1,1; y:1x1x8x8 = Conv a window=3,1,1; -> y";
    return Graphs.of(text).write(folder.resolve("convolutions.json"));
  }

  /** Two 3 x 3 convolutions whose rows lie next to each other: 960 bytes between 96 and 32. */
  private Path twoOfRows() throws IOException {
    String rest = "padding=VALID stride_h=1 stride_w=1 dilation_h_factor=1 dilation_w_factor=1";
    String text =
        "x:1x12x8x1; weight v:16x3x3x1; weight w:1x3x3x16; a:1x10x6x16 = CONV_2D x v REST; "
            + "y:1x8x4x1 = CONV_2D a w REST; -> y";
    return Graphs.of(text.replace("REST", rest)).write(folder.resolve("rows.json"));
  }

  @Test
  void aPriceIsProvenLeastByPaths() throws IOException {
    // 1,728 are two rows of 96 elements of 9 products.
    Stowage run =
        Stowage.line("fit %s --alignment 1 --capacity 700 --time-limit 10 --json", twoOfRows())
            .ends(0)
            .holds("status=OPTIMAL extra=1728 extraBound=1728");
    JsonNode proof = run.json().get("extraProof");
    JsonChecks.holds(proof, "kind=paths within=700 paths/0/1/op=y paths/0/1/reached=1728");
  }

  @Test
  void piecesThatTakeTurnsComputeNothingTwice() throws IOException {
    String text =
        "x:1x1x32x32; a:1x8x32x32 = Conv x window=3,1,1; b:1x8x32x32 = Conv a window=3,1,1; "
            + "y:1x1x32x32 = Conv b window=3,1,1; -> y";
    Path network = Graphs.of(text).write(folder.resolve("turns.json"));
    // Where runs are executed one after the other, it takes 25 % more.
    Stowage.line("fit %s --alignment 1 --capacity 5700 --det-limit 1 --json", network)
        .ends(0)
        .holds("status=OPTIMAL extra=0 extraBound=0");
  }

  @Test
  void aPageOfAPlanAboveTheCapacityDoesNotSayThatItFits() throws IOException {
    Path out = folder.resolve("out");
    String line = "fit %s --alignment 1 --capacity 100 --det-limit 0.1 --out %s";
    Stowage.line(line, twoConvolutions(), out).ends(ExitCode.NO_PLAN);
    String page = Files.readString(out.resolve("fit.html"));
    assertTrue(page.contains("Lowest plan found") && !page.contains("Made to fit"), page);
  }

  @Test
  void pricesAreExactUpToTheLastBitAndNeverBelow0() throws IOException {
    String text = Files.readString(twoConvolutions());
    String cost = "\"type\": \"Conv\", \"cost\": " + Long.MAX_VALUE / 2;
    Path dear = file("dear.json", text.replace("\"type\": \"Conv\"", cost));
    for (String question : List.of("--curve", "--max-extra 50%", "--capacity 255")) {
      JsonNode answer =
          Stowage.line("fit %s --alignment 1 --det-limit 0.1 --json " + question, dear).json();
      assertTrue(answer.get("extra").asLong() >= 0, answer.toPrettyString());
    }
    String huge =
        "a:16777216x16777216; weight b:16777216x16777216; c:16777216x16777216 = MatMul a b; -> c";
    Path product = Graphs.of(huge).write(folder.resolve("huge.json"));
    Stowage.line("fit %s --curve", product).ends(ExitCode.BAD_INPUT).says("2^63");
    Stowage.line("plan %s --effort fast", product).ends(0);
    Path bare = Graphs.of("x:4; -> x").write(folder.resolve("bare.json"));
    Stowage.line("fit %s --curve --det-limit 0.1", bare).ends(0);
  }

  /** A concat's buffer is there as a whole from its first operand on. */
  @Test
  void sharingThatTakesMoreThanNoneIsLeftOut() throws IOException {
    String text =
        "x:100 i:30; a:10 = Op i; t:100 = Op x; b:50 = Op t; c:60 = Concat a b axis=0; -> c";
    Path network = Graphs.of(ElementType.I8, text).write(folder.resolve("views.json"));
    String asked = "fit %s --alignment 1 --in-place views --levers order,sharing --json ";
    Stowage.line(asked + "--max-extra 0", network)
        .ends(0)
        .holds("peak=210 ladder/0/lowerBound=210 ladder/1/peak=210 ladder/1/lowerBound=210");
    Stowage.line(asked + "--capacity 209", network).ends(ExitCode.NO_PLAN).holds("peak=210");
  }

  /** What is written says by which option it has its peak, and holds by that. */
  @Test
  void plansHoldByTheSharingThatTheyName() throws IOException {
    String text =
        "x:1x6x13x1; weight w:6x6x3x1; a:1x6x13x1 = Conv x w kernel_shape=[3,1] pads=[1,0,1,0];"
            + " b:1x6x13x1 = Relu a; c:1x12x13x1 = Concat a b axis=1; d:1x6x13x1 = Add a x; -> d c";
    Path network = Graphs.of(text).write(folder.resolve("shared.json"));
    for (String named : List.of("none", "views", "elementwise", "optimal", "bands")) {
      Path out = folder.resolve(named);
      String asked = "fit %s --alignment 1 --in-place %s --max-extra 5% --det-limit 0.1 --json";
      Stowage run = Stowage.line(asked + " --out %s", network, named, out);
      Path answer = out.resolve("answer.json");
      Files.writeString(answer, run.ends(0).out());
      String verify = "verify %s %s --alignment 1 --in-place %s";
      Stowage.line(verify, network, answer, named).ends(0);
      String said = run.json().get("remarks").toString();
      String before = "network.json has this peak with --in-place ";
      int at = said.indexOf(before);
      String own = at < 0 ? "views" : said.substring(at + before.length()).split("\\W")[0];
      assertTrue(
          own.equals(named) || Set.of("optimal", "bands").containsAll(Set.of(own, named)), said);
      Path made = out.resolve("network.json");
      Stowage.line(verify, made, out.resolve("plan.csv"), own).ends(0);
      String command = ": stowage ";
      String plan = said.substring(said.indexOf(command) + command.length()).split("\"")[0];
      JsonNode planned = Stowage.line(plan + " --json").ends(0).json();
      assertTrue(planned.get("peak").asLong() <= run.json().get("peak").asLong(), said);
      assertTrue(planned.get("lowerBound").asLong() >= run.json().get("load").asLong(), said);
    }
  }

  private void assertVerified(String answer, String fault) throws IOException {
    Path file = file("answer.json", answer);
    Stowage run =
        Stowage.run("verify", twoOfRows(), file, "--alignment", 1, "--json")
            .ends(fault == null ? 0 : ExitCode.INVALID_PLAN);
    assertEquals(fault == null, run.json().get("valid").asBoolean());
    assertTrue(fault == null || run.out().contains(fault), run.out());
  }

  @Test
  void answersAreVerifiedAndForgedOnesRefused() throws IOException {
    List<Object> asked =
        List.of("fit", twoOfRows(), "--alignment", 1, "--det-limit", 0.5, "--json");
    String answer = Stowage.run(asked, "--capacity", 700).out();
    assertVerified(answer, null);
    assertVerified(answer.replaceFirst("(\"extraBound\": )1728", "$11729"), "proves only 1728");
    String above = "has a peak below 999 bytes; its own is ";
    assertVerified(answer.replaceFirst("(\"lowerBound\": )\\d+", "$1999"), above);
    String ladder = "(?s)(.*\"ladder\".*\"lowerBound\": )\\d+";
    assertVerified(answer.replaceFirst(ladder, "$1999"), above);
    assertVerified(answer.replace("\"OPTIMAL\"", "\"BEST\""), "its status is BEST; it should be");
    assertVerified(answer.replaceAll("(\"reached\": )1728", "$11729"), "reached for less than");
    assertVerified(answer.replaceFirst("(\"within\": )700", "$1699"), "about 699 bytes");
    assertVerified(answer.replaceFirst("(\"capacity\": )700", "$1900"), "up to 900");
    assertVerified(answer.replaceFirst("(\"compute\": )\\d+", "$11"), "compute is 1 macs");
    assertVerified(answer.replaceFirst("(\"extra\": )1728", "$11800"), "it is OPTIMAL");
    assertVerified(answer.replaceFirst("\"op\": \"a\"", "\"op\": \"on\""), "unknown");
    assertVerified(answer.replaceFirst("\"split\"", "\"recompute\""), "compute ops again");
    assertVerified(answer.replaceFirst("(\"peak\": )", "$10.5e"), "should be a whole number");
    assertVerified(Stowage.run(asked, "--max-extra", "50%").out(), null);
    String curve = Stowage.run(asked, "--curve").out();
    assertVerified(curve, null);
    assertVerified(curve.replaceFirst("(?s)(\"curve\".*?\"extraBound\": )0", "$11"), "proven is 0");
    String again = Stowage.run(asked, "--levers", "recompute", "--curve").out();
    assertVerified(again, null);
    assertVerified(again.replaceFirst("(\"extraBound\": )0", "$11"), "its own adds 0");
    assertVerified(again.replaceFirst("(?s)(\"curve\".*?\"peak\": )\\d+", "$10"), "proven is ");
    String none = Stowage.run(asked, "--capacity", 95).ends(4).out();
    assertVerified(none, null);
    assertVerified(none.replaceFirst("\"peak\": null", "\"peak\": 90"), "its peak is 90");
  }

  private void assertFolder(Path out, String answer, String fault) throws IOException {
    Path file = Files.writeString(out.resolve("fit.json"), answer);
    Stowage run =
        Stowage.run("verify", twoOfRows(), file, "--alignment", 1)
            .ends(fault == null ? 0 : ExitCode.INVALID_PLAN);
    assertTrue(fault == null || run.out().contains(fault), run.out());
  }

  @Test
  void whatTheFilesOfAnAnswerShowIsVerified() throws IOException {
    Path out = folder.resolve("out");
    List<Object> asked =
        List.of("fit", twoOfRows(), "--alignment", 1, "--det-limit", 0.5, "--json", "--out", out);
    String answer = Stowage.run(asked, "--capacity", 700).out();
    assertFolder(out, answer, null);
    String says = "(\"extraBytes\": )\\d+";
    assertFolder(out, answer.replaceFirst(says, "$17"), "its extraBytes is 7; it is");
    says = "(\"persistentExtra\": )\\d+";
    assertFolder(out, answer.replaceFirst(says, "$17"), "its persistentExtra is 7; it is 0");
    says = "(?s)(\"pieces\": \\[\\s*)\\d+";
    assertFolder(out, answer.replaceFirst(says, "$199"), "runs in 99 pieces");
    says = "(?s)(\"runs\": \\[\\s*\\{.*?\"ops\": \\[\\s*\")\\w+";
    assertFolder(out, answer.replaceFirst(says, "$1other"), "says of no run that it has op");
    String turned = answer.replace("top-down", "+").replace("bottom-up", "top-down");
    assertFolder(out, turned.replace("+", "bottom-up"), "; it runs in ");
    String last = "(?s)(.*\"ladder\".*\"peak\": )\\d+";
    assertFolder(out, answer.replaceFirst(last, "$1701"), "no step of its ladder does");
    Path order = out.resolve("order.csv");
    Files.writeString(order, Files.readString(order).replaceFirst("\n0,\\w+", "\n0,none"));
    assertFolder(out, answer, "comes from \"none\"");
    String curve = Stowage.run(asked, "--curve").out();
    assertFolder(out, curve, null);
    String points = Files.readString(out.resolve("curve.csv"));
    assertTrue(points.startsWith("peak,extra,extra_bound,status\n"), points);
    String picture = Files.readString(out.resolve("curve.svg"));
    assertTrue(picture.startsWith("<svg") && picture.contains(">found<"), picture);
    String point = "(?s)(.*\"curve\".*\"peak\": )\\d+";
    assertFolder(out, curve.replaceFirst(point, "$11"), "proven is 96");
  }

  @Test
  void whereNothingFitsTheLowestPlanIsWritten() throws IOException {
    Path written = folder.resolve("lowest.json");
    String line = "fit %s --alignment 1 --capacity 120 --time-limit 5 --write %s --json";
    Stowage run =
        Stowage.line(line, twoConvolutions(), written)
            .ends(ExitCode.NO_PLAN)
            .holds("status=UNKNOWN");
    assertTrue(run.number("peak") <= 208, run.out());
    assertTrue(Files.exists(written));
  }

  @Test
  void aFormatThatHasNoRoomForPiecesIsRefusedBeforeTheSearch() {
    Path target = folder.resolve("fitted.mlir");
    String model = "models/examples/small.mlir";
    Stowage run = Stowage.line("fit %s --max-extra 0 --write %s", model, target).ends(2);
    assertTrue(run.err().contains("fitted.mlir should end in .json: "), run.err());
  }

  @Test
  void anOnnxFileThatFitsHasItsPlan() {
    Path target = folder.resolve("fitted.onnx");
    String line = "fit models/examples/residual.onnx --max-extra 0 --det-limit 0.3 --write %s";
    Stowage run = Stowage.line(line, target).ends(0).prints("holds the plan");
    run.prints("In the rewritten network sizes are rounded up to multiples of 4 KiB");
    Stowage.run("verify", target).ends(0).prints("valid: ");
  }

  @Test
  void exactlyOneQuestionIsAsked() throws IOException {
    Path network = twoBranches();
    for (String options :
        List.of(
            "",
            " --capacity 5 --curve",
            " --curve --max-extra 5%",
            " --max-extra -1",
            " --max-extra much",
            " --capacity 5 --levers magic",
            " --capacity 5 --write " + network,
            " --capacity 5 --write " + folder.resolve("fitted.onnx"))) {
      Stowage.line("fit " + network + options).ends(ExitCode.USAGE);
    }
    Stowage.run("fit", network, "--curve", "--levers", "order,splt")
        .says("did you mean \"split\"?");
    Stowage.run("fit", network, "--max-extra", 5, "--levers", "order").prints("5% is a share");
    Path buffers = file("b.csv", "id,lower,upper,size\na,0,1,2\n");
    Stowage.run("fit", buffers, "--capacity", 5).ends(ExitCode.USAGE).says("stowage plan");
  }
}
