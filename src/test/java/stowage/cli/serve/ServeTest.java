package stowage.cli.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.help.JsonSchema;
import stowage.importer.own.PackingJson;
import stowage.importer.own.PlanFile;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;
import stowage.packing.Verifier;

@Timeout(120)
class ServeTest extends FolderTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final PlanServer server = server(1, 100);

  private PlanServer server(int jobs, int waiting) {
    return server(jobs, waiting, Long.MAX_VALUE);
  }

  private PlanServer server(int jobs, int waiting, long bytes) {
    return new PlanServer(
        new PlanServer.Limits(jobs, waiting, bytes, 2, Duration.ofSeconds(60)), answers::add);
  }

  private static PackingProblem random(int buffers, long seed) {
    return PackingProblem.of(
        "random", Buffers.drawn(new Random(seed), buffers, buffers, 100_000, 60));
  }

  private static String json(PackingProblem problem) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PackingJson.write(bytes, problem);
    return bytes.toString(StandardCharsets.UTF_8).replace('\n', ' ');
  }

  private static String request(Object id, PackingProblem problem, String options)
      throws IOException {
    return String.format(
        "{\"id\": %s, \"problem\": %s, \"options\": {%s}}", id, json(problem), options);
  }

  private static void accept(PlanServer server, String line) {
    server.accept(line.getBytes(StandardCharsets.UTF_8));
  }

  private JsonNode answer() throws Exception {
    String line = answers.poll(60, TimeUnit.SECONDS);
    assertFalse(line == null || line.contains("\n"), line);
    return MAPPER.readTree(line);
  }

  @Test
  void aProblemIsPlannedAndVerified() throws Exception {
    PackingProblem problem = random(50, 1);
    accept(server, request("\"a\"", problem, "\"effort\": \"fast\""));
    JsonNode answer = answer();
    assertEquals("a", answer.get("id").asText());
    Path file = file("plan.json", answer.get("result").toString());
    assertTrue(Verifier.isValid(problem, PlanFile.read(file).placement(problem)));
  }

  @Test
  void aFileIsReadByItsPath() throws Exception {
    Path file = file("in.csv", "id,lower,upper,size\na,0,3,7\n");
    accept(server, "{\"id\": 7, \"path\": " + MAPPER.writeValueAsString(file.toString()) + "}");
    JsonChecks.holds(answer(), "id=7 result/peak=7");
    accept(server, "{\"id\": 8, \"path\": \"absent.csv\"}");
    assertEquals(3, answer().get("error").get("code").asInt());
  }

  @Test
  void stdinIsNoFileOfARequest() throws Exception {
    accept(server, "{\"id\": 1, \"path\": \"-\"}");
    JsonNode error = answer().get("error");
    assertEquals(3, error.get("code").asInt());
    assertTrue(
        error.get("message").asText().contains("\"-\" is no regular file"), error.toString());
  }

  @Test
  void aPipeThatNoOneWritesToIsRefused() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "/usr/bin/mkfifo is needed");
    Path pipe = folder.resolve("pipe.csv");
    new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start().waitFor();
    accept(server, "{\"id\": 1, \"path\": " + MAPPER.writeValueAsString(pipe.toString()) + "}");
    JsonNode error = answer().get("error");
    assertEquals(3, error.get("code").asInt());
    assertTrue(error.get("message").asText().contains("no regular file"), error.toString());
  }

  @Test
  void halfASurrogatePairComesBackAsItWasGiven() throws Exception {
    String id = "\"a\\ud800b\"";
    accept(server, "{\"id\": " + id + ", \"problem\": {\"buffers\": []}}");
    String line = answers.poll(60, TimeUnit.SECONDS);
    assertTrue(line.startsWith("{\"id\":" + id + ","), line);
    accept(server, "{\"id\": \"\ud83d\ude00\", \"problem\": {\"buffers\": []}}");
    assertEquals("\ud83d\ude00", answer().get("id").asText());
  }

  @Test
  void aLineThatAsksAndCancelsIsRefused() throws Exception {
    accept(server, "{\"id\": 1, \"cancel\": 2, \"problem\": {\"buffers\": []}}");
    JsonChecks.holds(answer(), "id=1 error/code=2");
  }

  /** Peak 4 pays 1 for reuse; peak 5 pays nothing. */
  @Test
  void theProblemsObjectiveIsKeptTo() throws Exception {
    String problem =
        "{\"buffers\": [{\"id\": \"a\", \"lower\": 0, \"upper\": 2, \"size\": 4, \"gaps\":"
            + " [{\"lower\": 1, \"upper\": 2, \"window\": [0, 2]}]}, {\"id\": \"b\", \"lower\": 1,"
            + " \"upper\": 2, \"size\": 2}, {\"id\": \"c\", \"lower\": 4, \"upper\": 5, \"size\":"
            + " 1}, {\"id\": \"d\", \"lower\": 3, \"upper\": 4, \"size\": 4}], \"reuse\": [{\"a\":"
            + " \"a\", \"b\": \"b\", \"weight\": 2}, {\"a\": \"c\", \"b\": \"d\"}], \"objective\":"
            + " [\"reuse\", \"peak\"]}";
    Path file = file("in.json", problem);
    accept(server, "{\"id\": 1, \"problem\": " + problem + "}");
    accept(server, "{\"id\": 2, \"path\": " + MAPPER.writeValueAsString(file.toString()) + "}");
    for (int k = 0; k < 2; k++) {
      JsonNode result = answer().get("result");
      JsonChecks.holds(result, "peak=5 reuseCost=0 reuseBound=0 objective/0/figure=reuse");
      JsonChecks.holds(result, "lowerBound=4 memories/0/lowerBound=4"); // 5 is that of cost 0
      assertEquals(0, result.get("paid").size());
    }
  }

  @Test
  void memoriesHaveTheCapacityAskedForAndTheBoundOfEveryPlan() throws Exception {
    String problem =
        "\"problem\": {\"buffers\": [{\"id\": \"a\", \"lower\": 0, \"upper\": 3, \"size\": 7}]";
    String capacity = "\"options\": {\"capacity\": %d}}";
    accept(
        server,
        "{\"id\": 1, " + problem + ", \"objective\": [\"overflow\"]}, " + capacity.formatted(3));
    accept(server, "{\"id\": 2, " + problem + "}, " + capacity.formatted(9));
    accept(server, "{\"id\": 3, " + problem + "}, " + capacity.formatted(6));
    JsonChecks.holds(answer(), "result/memories/0/capacity=3 result/memories/0/lowerBound=7");
    JsonChecks.holds(answer(), "result/memories/0/capacity=9 result/capacity=9");
    JsonChecks.holds(answer(), "result/status=INFEASIBLE result/memories/0/lowerBound=7");
  }

  @Test
  void everyIdIsAnsweredExactlyOnce() throws Exception {
    Map<String, Integer> wanted = new HashMap<>();
    Random random = new Random(11);
    StringBuilder lines = new StringBuilder();
    for (int k = 0; k < 300; k++) {
      PackingProblem problem = random(5 + random.nextInt(40), k);
      switch (random.nextInt(6)) {
        case 0 -> lines.append("{\"id\": ").append(k).append(", \"problem\": {\"bufers\": []}}");
        case 1 -> lines.append("{\"id\": ").append(k).append("}");
        case 2 -> lines.append(request(k, problem, "\"timeLimit\": -1"));
        case 3 -> lines.append(request(k, problem, "\"engines\": [\"none\"]"));
        default -> lines.append(request(k, problem, "\"effort\": \"fast\", \"seed\": 3"));
      }
      wanted.merge(String.valueOf(k), 1, Integer::sum);
      lines.append('\n');
      if (random.nextInt(3) == 0) {
        lines.append("{\"cancel\": ").append(random.nextInt(k + 1)).append("}\n");
      }
      if (random.nextInt(10) == 0) {
        lines.append("{\"id\": [1]}\n\n{\"id\"\n");
        wanted.merge("null", 2, Integer::sum);
      }
    }
    PlanServer roomy = server(2, 1000);
    byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
    ServeCommand.serve(new ByteArrayInputStream(bytes), roomy, 1 << 20);
    roomy.finish();
    Map<String, Integer> heard = new HashMap<>();
    JsonSchema schema = JsonSchema.named("serve");
    for (String line : answers) {
      JsonNode answer = MAPPER.readTree(line);
      assertTrue(answer.has("result") != answer.has("error"), line);
      assertEquals(List.of(), schema.faults(answer), line);
      heard.merge(answer.get("id").asText(), 1, Integer::sum);
    }
    assertEquals(wanted, heard);
  }

  @Test
  void aRunThatIsCancelledAnswersItsBestPlan() throws Exception {
    accept(server, request(1, random(400, 2), "\"timeLimit\": 60, \"engines\": [\"search\"]"));
    accept(server, request(2, random(400, 2), "\"timeLimit\": 60"));
    accept(server, "{\"cancel\": 2}");
    JsonChecks.holds(answer(), "id=2 error/code=130");
    Thread.sleep(300);
    accept(server, "{\"cancel\": 1}");
    JsonNode stopped = answer();
    assertEquals(1, stopped.get("id").asInt());
    assertTrue(stopped.has("result"), stopped::toString);
    accept(server, "{\"cancel\": 1}");
    assertTrue(answers.isEmpty());
  }

  @Test
  void whatIsTooMuchIsRefused() throws Exception {
    PlanServer narrow = server(1, 1);
    String hard = request(1, random(400, 2), "\"timeLimit\": 60");
    accept(narrow, hard);
    accept(narrow, hard);
    assertTrue(answer().get("error").get("message").asText().contains("not answered yet"));
    while (narrow.isFull()) {
      Thread.sleep(5); // until the worker has taken the first
    }
    accept(narrow, "{\"id\": 2, \"path\": \"x\"}");
    accept(narrow, "{\"id\": 3, \"path\": \"x\"}");
    JsonNode refused = answer();
    assertEquals(3, refused.get("id").asInt());
    assertTrue(refused.at("/error/message").asText().contains("waiting"));
    byte[] lines = ("{\"id\": \"" + "x".repeat(500) + "\"}\n{\"id\": 4}").getBytes();
    ServeCommand.serve(new ByteArrayInputStream(lines), server, 100);
    assertTrue(answer().get("error").get("message").asText().contains("at most 100"));
    assertEquals(4, answer().get("id").asInt());
    narrow.stop();
    narrow.finish();
    assertEquals(2, answers.size());
  }

  @Test
  void requestsThatWaitTakeSoManyBytesAtMost() throws Exception {
    PlanServer narrow = server(1, 100, 100_000);
    String wide = "{\"id\": %d, \"path\": \"" + "x".repeat(60_000) + "\"}";
    accept(narrow, request(1, random(400, 2), "\"timeLimit\": 60"));
    accept(narrow, wide.formatted(2));
    accept(narrow, wide.formatted(3));
    JsonNode refused = answer();
    JsonChecks.holds(refused, "id=3 error/code=5");
    assertTrue(refused.at("/error/message").asText().contains("bytes are waiting"));
    narrow.stop();
    narrow.finish();
    assertEquals(2, answers.size());
  }

  @Test
  void anErrorOfARequestIsAnswered() throws Exception {
    PlanServer failing =
        new PlanServer(
            new PlanServer.Limits(1, 100, Long.MAX_VALUE, 2, Duration.ofSeconds(60)),
            line -> {
              if (line.startsWith("{\"id\":1,\"result\"")) {
                throw new InternalError("a fault in a mapped file");
              }
              answers.add(line);
            });
    accept(failing, request(1, random(9, 1), "\"effort\": \"fast\""));
    accept(failing, request(2, random(9, 1), "\"effort\": \"fast\""));
    JsonNode refused = answer();
    JsonChecks.holds(refused, "id=1 error/code=1");
    assertTrue(refused.at("/error/message").asText().contains("a mapped file"));
    JsonChecks.holds(answer(), "id=2 result/buffers=9");
  }

  /** The end of input right after the last answer: no thread may end with an exception. */
  @Test
  void theEndMayComeWhileTheLastAnswerIsWritten() throws Exception {
    List<String> thrown = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, fault) -> thrown.add(fault.toString()));
    try {
      for (int round = 0; round < 1000; round++) {
        PlanServer ending = server(1, 100);
        accept(ending, "{\"id\": 1, \"path\": \"absent.csv\"}");
        answer();
        ending.finish();
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertEquals(List.of(), thrown);
  }

  @Test
  void theLongestTimeLimitMayBeBelowASecond() {
    InputStream own = System.in;
    System.setIn(InputStream.nullInputStream());
    try {
      Stowage.run("serve", "--max-time", "500ms").ends(0);
    } finally {
      System.setIn(own);
    }
    Stowage.run("serve", "--max-time", "-1").ends(2).says("--max-time -1 should be 0 or more");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "probelm": {}                                | 2 | probelm
          "path": "x", "options": {"timelimit": 1}     | 2 | timelimit
          "path": "x", "options": {"effort": "slow"}   | 2 | slow
          "path": "x", "options": {"timeLimit": 61}    | 2 | 61
          "path": "x", "options": {"threads": 3}       | 2 | threads
          "path": "x", "path": "y"                     | 2 | twice
          "options": {}                                | 2 | not both
          "path": "x", "options": {"engines": ["y"]}   | 3 | x: no such file
          "problem": {"buffers": [{"di": "a"}]}        | 3 | di
          """)
  void whatIsWrongIsNamedWithTheCodeOfPlan(String fields, int code, String named) throws Exception {
    accept(server, "{\"id\": 1, " + fields + "}");
    JsonNode error = answer().get("error");
    assertEquals(code, error.get("code").asInt(), error::toString);
    assertTrue(error.get("message").asText().contains(named), error::toString);
  }

  @Test
  void aServerIsBusyUntilItsLastAnswerIsWritten() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    Semaphore writable = new Semaphore(0);
    PlanServer slow =
        new PlanServer(
            new PlanServer.Limits(1, 100, Long.MAX_VALUE, 1, Duration.ofSeconds(60)),
            line -> {
              writing.countDown();
              writable.acquireUninterruptibly();
              answers.add(line);
            });
    accept(slow, request(1, random(3, 1), ""));
    writing.await();
    boolean busy = slow.isBusy();
    writable.release();
    slow.finish();
    assertTrue(busy, "a signal that comes now would end the process without the answer");
    assertFalse(slow.isBusy());
    assertEquals(1, answer().get("id").asInt());
  }

  @Test
  void aSignalEndsItCleanly() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/kill")), "/bin/kill is needed");
    List<String> words = Stowage.process();
    words.add("serve");
    Process process = new ProcessBuilder(words).start();
    List<String> lines = new ArrayList<>();
    try (PrintStream in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        BufferedReader out = process.inputReader()) {
      in.println(request(1, random(30, 1), "\"effort\": \"fast\""));
      lines.add(out.readLine());
      in.println(request(2, random(400, 2), "\"timeLimit\": 60"));
      Thread.sleep(700);
      new ProcessBuilder("/bin/kill", "-TERM", Long.toString(process.pid())).start().waitFor();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it does not end");
      out.lines().forEach(lines::add);
    } finally {
      process.destroyForcibly();
    }
    assertEquals(143, process.exitValue());
    assertEquals(2, lines.size(), lines::toString);
    assertEquals(2, MAPPER.readTree(lines.get(1)).get("id").asInt());
  }
}
