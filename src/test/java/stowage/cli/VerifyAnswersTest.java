package stowage.cli;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.Thorough;
import stowage.network.Graphs;

/**
 * Answers that have their plans in files of their folder; {@code VerifyMutationsTest} changes each
 * field.
 */
class VerifyAnswersTest extends FolderTest {
  private static final String TINY = "models/networks/tiny.json";
  private static final String GPT = "models/networks/gpt_block.json";
  private static final String KERNEL = "models/kernels/attention-2x5.json";

  private Path answer(String line) throws IOException {
    return file("answer.json", Stowage.line(line + " --json --out %s", folder).out());
  }

  private static Path changed(Path file, String from, String to) throws IOException {
    return Files.writeString(file, Files.readString(file).replaceFirst(from, to));
  }

  @Test
  void aScheduleIsReplayed() throws IOException {
    Path answer = answer("schedule " + TINY);
    Stowage.run("verify", TINY, answer)
        .ends(0)
        .prints("valid: load 80 KiB", "in every order: re-checked");
    Path plan = folder.resolve("plan.json");
    changed(plan, "\"offset\": 0,", "\"offset\": 64,");
    Stowage.run("verify", TINY, answer).ends(6).prints("the plan does not hold: ");
    Files.delete(plan);
    Stowage.run("verify", TINY, answer).ends(3).says("plan.json");
  }

  /** The bound is of any sharing; the plan has the best of several. */
  @Test
  void aScheduleWithTheBestSharingIsReplayed() throws IOException {
    String network = "models/networks/nasnet.json";
    String options = " --in-place optimal";
    Path answer = answer("schedule " + network + options + " --deterministic --det-limit 1");
    for (String repeated : new String[] {"", options}) {
      Stowage.line("verify %s %s" + repeated, network, answer)
          .ends(0)
          .prints("valid: load ", "in every order: re-checked");
    }
  }

  /**
   * A walk that two bounds' rules take otherwise, nothing in the memory, and a concat of tensors
   * that TFLite Micro rounds up one by one.
   */
  @Test
  void smallSchedulesAreReplayed() throws IOException {
    String walk =
        "x:12; a:12 = Relu x; b:12 = Sigmoid a; d:36 = Foo b; e:36 = Add d d; "
            + "f:24 = Concat a a axis=0; g:24 = Relu f; h:144 = Foo g; -> e h";
    String rounded =
        "format tflite; x:1x5; a:1x5 = TANH x; b:1x5 = LOGISTIC x; "
            + "c:2x5 = CONCATENATION a b axis=0; y:2x5 = TANH c; -> y";
    for (String[] one :
        new String[][] {
          {walk, "--alignment 1 --in-place optimal", "load 192"},
          {"x:4; y:4 = Foo x; -> y", "--alignment 1 --inputs caller", "load 0"},
          {rounded, "--alignment 4 --in-place views", "load 25 bytes, peak 25 "}
        }) {
      Path network = Graphs.of(one[0]).write(folder.resolve("network.json"));
      Path answer = answer("schedule " + network + " --det-limit 1 " + one[1]);
      Stowage.line("verify %s %s " + one[1], network, answer)
          .ends(0)
          .prints("valid: " + one[2], "in every order: re-checked");
    }
  }

  @Test
  void aScheduleThatCannotFitHasItsProofChecked() throws IOException {
    Path answer = answer("schedule " + TINY + " --capacity 70000");
    Stowage.run("verify", TINY, answer, "--json")
        .ends(0)
        .holds("valid=true bound/proven=true bound/value=81920 load=81920");
    String said = Files.readString(answer);
    for (String other : List.of("81920", "null", "-1", "9223372036854775808")) {
      Files.writeString(answer, said.replace("\"capacity\" : 70000", "\"capacity\" : " + other));
      Stowage.run("verify", TINY, answer).ends(6).prints("its status is \"INFEASIBLE\"");
    }
  }

  /** Bounds that cannot be are held against those that can, and are not wrapped around. */
  @Test
  void boundsThatCannotBeAreRefused() throws IOException {
    Path answer = answer("kernel " + KERNEL + " --det-limit 0.1 --deterministic");
    String said = Files.readString(answer);
    long peak = JsonChecks.read(answer).path("residency").asLong();
    for (String[] one : new String[][] {{"-1", "0"}, {"9223372036854775808", "" + peak}}) {
      Files.writeString(
          answer, said.replaceFirst("\"lowerBound\" ?: ?\\d+", "\"lowerBound\": " + one[0]));
      Stowage.run("verify", KERNEL, answer)
          .ends(6)
          .prints("its lowerBound is " + one[0] + "; it is " + one[1]);
    }
  }

  /** The order's file of an answer of {@code fit} is that of its plan. */
  @Test
  void theOrderOfAFittedNetworkIsThatOfItsPlan() throws IOException {
    Path answer = answer("fit " + TINY + " --levers sharing --capacity 90000");
    Path order = folder.resolve("order.csv");
    Stowage.run("verify", TINY, answer).ends(0);
    String said = Files.readString(order);
    Files.writeString(
        order, said.replaceFirst("2,left,left\n3,right,right", "2,right,right\n3,left,left"));
    Stowage.run("verify", TINY, answer).ends(6).prints("order.csv has another order of ops than");
    Files.writeString(order, said + "11,scores,scores\n");
    Stowage.run("verify", TINY, answer).ends(3).says("order.csv", "line 13", "\"scores\"");
    Files.writeString(order, said.replace("4,both", "5,both"));
    Stowage.run("verify", TINY, answer).ends(3).says("line 6: position 5 should be 4");
  }

  @Test
  void anAnswerThatNothingFitsNamesTheGivenNetwork() throws IOException {
    Path answer = file("none.json", Stowage.line("fit " + TINY + " --capacity 1000 --json").out());
    String said = Files.readString(answer);
    for (String field : List.of("ops", "buffers", "persistentExtra")) {
      String other = said.replaceFirst("\"" + field + "\" ?: ?(\\d+|null)", "\"" + field + "\": 7");
      Files.writeString(answer, other);
      Stowage.run("verify", TINY, answer).ends(6).prints("its " + field + " is 7; it is ");
    }
  }

  /** No order's load is proven to be above the capacity, and no plan is within it. */
  @Test
  void aScheduleWithoutAPlanIsReplayed() throws IOException {
    Path network =
        Graphs.of("x:98; a:72 = Foo x; b:144 = Concat a a; c:144 = Add b b; -> c")
            .write(folder.resolve("network.json"));
    for (String sharing : new String[] {"optimal", "bands"}) {
      String line =
          "schedule %s --alignment 1 --capacity 205 --det-limit 0.1 --in-place " + sharing;
      Path answer = answer(line.formatted(network));
      JsonChecks.holds(JsonChecks.read(answer), "status=UNKNOWN load=216 loadBound=170");
      Stowage.run("verify", network, answer, "--in-place", sharing)
          .ends(0)
          .prints("valid: load 216", "re-checked");
    }
  }

  @Test
  void theProofOfAScheduleThatIsNoOpsCutIsChecked() throws IOException {
    for (String[] one :
        new String[][] {
          {"train_mlp", "\"target\" : \\d+", "\"target\" : 74084350"},
          {"train_mlp", "layer0", "layer9"},
          {"train_mlp", "\"ops\" : \\[ \"layer0\", \"relu0\" ]", "\"ops\" : [ ]"},
          {"train_mlp", "\"kind\" : \"search\"", "\"kind\" : \"two-op-cut\""},
          {"pnasnet", "\"bytes\" : ", "\"bytes\" : 9"},
          {"pnasnet", "\"first\" : \"", "\"first\" : \"x"},
        }) {
      String network = "models/networks/" + one[0] + ".json";
      if (Files.notExists(folder.resolve(one[0]))) {
        answer("schedule " + network);
        Files.createFile(folder.resolve(one[0]));
        Stowage.run("verify", network, folder.resolve("answer.json"), "--json")
            .ends(0)
            .holds("valid=true bound/proven=true");
      }
      Path proof = folder.resolve("certificate.json");
      String right = Files.readString(proof);
      changed(proof, one[1], one[2]);
      assertFalse(right.equals(Files.readString(proof)), one[1]);
      Stowage.run("verify", network, folder.resolve("answer.json")).ends(6).prints("invalid: ");
      Files.writeString(proof, right);
    }
    Path proof = folder.resolve("certificate.json");
    Files.delete(proof);
    Stowage.run("verify", "models/networks/pnasnet.json", folder.resolve("answer.json"))
        .ends(6)
        .prints("certificate.json, is not in its folder");
  }

  @Test
  void aProofUnderMorePrecedencesIsCheckedWithThem() throws IOException {
    Path more = file("more.csv", "before,after\nleft,right\n");
    Path answer = answer("schedule " + TINY + " --precedences " + more);
    Stowage.run("verify", TINY, answer)
        .ends(0)
        .prints("it is checked with the precedences: add --precedences FILE");
    Stowage.run("verify", TINY, answer, "--precedences", more)
        .ends(0)
        .prints("in every order: re-checked");
    Path two = file("two.csv", "before,after\nleft,right\nleft,sum\n");
    Stowage.run("verify", TINY, answer, "--precedences", two)
        .ends(6)
        .prints("its precedences is 1; it is 2");
    changed(answer, "\"precedences\" : 1,", "");
    Stowage.run("verify", TINY, answer, "--precedences", more).ends(0).prints("add --precedences");
    Path network =
        Graphs.of("x:1; a:10 = Exp x; b:100 = Exp x; c:1 = Exp b; y:10 = Add a c; -> y")
            .write(folder.resolve("network.json"));
    answer = answer("schedule " + network + " --alignment 1");
    more = file("more.csv", "before,after\na,b\n");
    Stowage.run("verify", network, answer, "--precedences", more)
        .ends(6)
        .prints("op \"b\" runs before \"a\"");
    Stowage.run("verify", TINY, folder.resolve("plan.json"), "--precedences", more)
        .ends(2)
        .says("--precedences is for an answer of schedule alone");
  }

  /** What lpmf, say, is, and whether it had to be changed, follows from the network. */
  @Test
  void theOrdersOfSystemsAreTheirs() throws IOException {
    String network = "models/networks/train_mlp.json";
    Path answer = answer("schedule " + network + " --det-limit 1");
    Path orders = folder.resolve("orders");
    Path given = orders.resolve("given.csv");
    Files.copy(orders.resolve("xla-dfs.csv"), given, StandardCopyOption.REPLACE_EXISTING);
    Stowage.run("verify", network, answer)
        .ends(6)
        .prints("the answer's order \"given\" is not that system's");
  }

  @Test
  void thatNothingFitsIsProvenAgain() throws IOException {
    Path answer = answer("fit " + TINY + " --capacity 12287");
    Stowage.run("verify", TINY, answer, "--json")
        .ends(0)
        .holds("valid=true bound/proven=true bound/value=12288");
    String said = Files.readString(answer);
    changed(answer, "\"capacity\": 12287", "\"capacity\": 12288");
    Stowage.run("verify", TINY, answer).ends(6).prints("proven is only 12288");
    changed(answer, "\"capacity\": 12288", "\"capacity\": 90000");
    Stowage.run("verify", TINY, answer).ends(6).prints("its ladder has a peak of 81920");
    changed(answer, "\"capacity\": 90000,", "");
    Stowage.run("verify", TINY, answer).ends(6).prints("it names no limit");
    Files.writeString(answer, said);
    changed(answer, "\"lowerBound\": 12288", "\"lowerBound\": 12289");
    Stowage.run("verify", TINY, answer).ends(6).prints("below 12289 bytes; proven is 12288");
    changed(answer, "\"lowerBound\": 12289", "\"lowerBound\": \"12288\"");
    Stowage.run("verify", TINY, answer)
        .ends(6)
        .prints("its ladder's lowerBound is \"12288\"; it should be a whole number");
    Path orders = answer("fit " + TINY + " --capacity 75000 --levers order");
    Stowage.run("verify", TINY, orders).ends(0).prints("no plan within", "re-checked");
    changed(orders, "\"capacity\": 75000", "\"capacity\": 81921");
    changed(orders, "\"peak\": 81920", "\"peak\": 90000");
    Stowage.run("verify", TINY, orders).ends(0).prints("a proof of this kind is not checked");
  }

  @Test
  void aPlanOverMemoriesIsReplayedByTheClock() throws IOException {
    List<String> maps = List.of("esp32s3", "stm32h7", "l1-l2-dram", "imxrt1170");
    for (String map : maps) {
      String memories = "models/memories/" + map + ".json";
      List<String> both = List.of("traffic", "time");
      int turn = maps.indexOf(map) % 2;
      for (String objective : Thorough.on() ? both : both.subList(turn, turn + 1)) {
        String line =
            "memories models/networks/mobilenet_v2.json %s --deterministic --det-limit 0.1";
        Path stdout = answer(line.formatted(memories) + " --objective " + objective);
        String network = "models/networks/mobilenet_v2.json";
        Path whole = folder.resolve("memories.json");
        Stowage.run("verify", network, whole, "--memories", memories)
            .ends(0)
            .prints("valid: ", "has no certificate and is not checked");
        Stowage.run("verify", network, stdout, "--memories", memories)
            .ends(3)
            .says("has no plan; that is in memories.json");
        Stowage.run("verify", network, whole).ends(2).says("add --memories FILE");
      }
    }
  }

  @Test
  void thatMemoriesCannotHoldANetworkIsAddedUpAgain() throws IOException {
    String map = Files.readString(Path.of("models/memories/stm32h7.json"));
    Path small = file("small.json", map.replace("134217728", "70000").replace("262144", "16384"));
    Stowage none = Stowage.run("memories", TINY, small, "--json").ends(4);
    Path answer = file("none.json", none.out());
    Object[] words = {"verify", TINY, answer, "--memories", small};
    Stowage.run(words).ends(0).prints("has to hold together stem (65536), image (12288)");
    Stowage.run(words, "--json").ends(0).holds("valid=true infeasibility/proven=true");
    for (String[] change :
        new String[][] {{"sdram", "sram"}, {"65536", "65537"}, {"\"op\" : \"", "\"op\" : \"x"}}) {
      Files.writeString(answer, none.out().replace(change[0], change[1]));
      Stowage.run(words).ends(6).prints("invalid: ");
    }
    Files.writeString(answer, none.out());
    Files.writeString(small, Files.readString(small).replace("70000", "80000"));
    Stowage.run(words).ends(6).prints("each memory can hold what has to be there at once");
    String solved = "{\"map\": \"stm32h7\", \"irreducible\": [\"stem (%s)\"]}";
    Files.writeString(answer, solved.formatted("65536"));
    Stowage.run(words).ends(0).prints("has no certificate and is not checked");
    Files.writeString(answer, solved.formatted("1"));
    Stowage.run(words).ends(6).prints("no buffer of the network is stem (1)");
  }

  @Test
  void aModelsPlanOverMemoriesTakesItsRulesFromTheFile() throws IOException {
    String model = "models/examples/keywords.tflite";
    String map = "models/memories/ethosu55.json";
    answer("memories " + model + " " + map + " --in-place elementwise --time-limit 5");
    Stowage.line("verify %s %s --memories %s", model, folder.resolve("memories.json"), map)
        .ends(0)
        .prints("valid: ");
  }

  @Test
  void aFrontHasAPlanForEachPoint() throws IOException {
    String options = " --concurrency streams=2";
    answer("plan " + GPT + options + " --pareto peak,reuse --deterministic --det-limit 0.2");
    Path front = folder.resolve("front.json");
    Stowage.line("verify %s %s" + options, GPT, front).ends(0).prints("valid: ", "not checked");
    Stowage.line("verify %s %s --json" + options, GPT, front)
        .ends(0)
        .holds("valid=true bound/proven=false");
    ObjectNode fewer = JsonChecks.read(front);
    ArrayNode points = fewer.withArray("points");
    points.remove(points.size() - 1);
    Stowage.line("verify %s %s" + options, GPT, file("fewer.json", fewer.toString()))
        .ends(6)
        .prints("its status is \"OPTIMAL\"; it is \"FEASIBLE\"");
    fewer.put("schemaVersion", "1");
    Stowage.line("verify %s %s" + options, GPT, file("text.json", fewer.toString()))
        .ends(3)
        .says("\"1\" should be 1");
    changed(
        front,
        "(?s)\"lowerBound\" : (\\d+),(.*)\"peak\" : \\d+",
        "\"lowerBound\" : $1,$2\"peak\" : 1");
    Stowage.line("verify %s %s" + options, GPT, front)
        .ends(6)
        .prints("its points[0].lowerBound is");
    Files.copy(folder.resolve("front-2.csv"), folder.resolve("front-1.csv"), REPLACE_EXISTING);
    Stowage.line("verify %s %s" + options, GPT, front).ends(6).prints("no higher peak and lower");
    changed(folder.resolve("front-1.csv"), "(?m)^(.*,)0$", "$164");
    Stowage.line("verify %s %s" + options, GPT, front)
        .ends(6)
        .prints("the plan of points[0] does not hold: ");
  }

  @Test
  void aKernelsFiguresAreThoseOfItsSchedule() throws IOException {
    String options = " --minimize time --cache L1=8192 --deterministic --det-limit 0.2";
    Path answer = answer("kernel " + KERNEL + options);
    Stowage.line("verify %s %s --cache L1=8192", KERNEL, answer).ends(0).prints("not checked");
    Stowage.line("verify %s %s", KERNEL, answer).ends(6).prints("its caches.L1.capacity is 8192");
    Path schedule = folder.resolve("attention-2x5_schedule.txt");
    Files.writeString(schedule, Files.readString(schedule) + "0\n");
    Stowage.line("verify %s %s --cache L1=8192", KERNEL, answer)
        .ends(6)
        .prints("the schedule does not hold: ");
  }

  @Test
  void thePlanOfAFittedNetworkIsVerifiedWithItsAnswer() throws IOException {
    Path answer = answer("fit " + TINY + " --capacity 75000");
    Stowage.run("verify", TINY, answer, "--json")
        .ends(0)
        .holds("valid=true peak=65536 extraBound/value=0");
    changed(folder.resolve("plan.json"), "\"offset\": 0,", "\"offset\": 64,");
    Stowage.run("verify", TINY, answer)
        .ends(6)
        .prints("the plan does not hold: see stowage verify ");
    Files.delete(folder.resolve("plan.json"));
    Stowage alone = Stowage.run("verify", TINY, answer, "--json").ends(0);
    assertFalse(alone.json().has("peak"));
  }
}
