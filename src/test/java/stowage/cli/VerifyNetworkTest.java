package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.network.Graphs;

/** Plans of networks are run turn by turn of a loop, on streams, and side by side. */
class VerifyNetworkTest extends FolderTest {
  /** A loop whose code reads x first and then makes b; b may not have x's bytes. */
  private static final String LOOP =
      "x:8; s:8 = Loop.enter name=go.enter; a:8 = Op x s name=first; b:8 = Op a name=second;"
          + " y:8 = Loop b name=go; -> y";

  /** Two chains: out of order p may be made before q's op has read its operand. */
  private static final String CHAINS =
      "x:8; a:8 = Op x; q:8 = Op a; b:8 = Op x; p:8 = Op b; -> p q";

  private Path network(String text) throws IOException {
    return Graphs.of(text).write(folder.resolve("net.json"));
  }

  /** A plan over memories moves what each op needs once. */
  @Test
  void loopsAreNotPlacedOverMemories() throws IOException {
    Stowage.line("memories %s models/memories/stm32h7.json", network(LOOP))
        .ends(2)
        .says("without --concurrency, loops and branches");
  }

  private Path offsets(String rows) throws IOException {
    return file("plan.csv", "id,offset\n" + rows.replace(' ', '\n'));
  }

  @Test
  void offsetsWhoseEndsAreNoNumbersAreRefused() throws IOException {
    Path plan = offsets("x,0 s,8 a,16 b,9223372036854775807 y,24");
    Stowage.run("verify", network(LOOP), plan, "--alignment", 1)
        .ends(6)
        .prints("is at offset 9223372036854775807, which should be 0 or more and leave room");
  }

  @Test
  void aPlanOfStreamsIsVerifiedOnStreams() throws IOException {
    Path net = network(CHAINS);
    List<Object> words = List.of("--alignment", 1, "--concurrency", "streams=2");
    Stowage.run("plan", net, "--out", folder, words).ends(0);
    Path plan = folder.resolve("plan.json");
    Stowage.run("verify", net, plan, "--concurrency", "streams=2").ends(0);
    Stowage.run("verify", net, plan).ends(0);
    ObjectNode answer = JsonChecks.read(plan);
    ((ObjectNode) answer.at("/network/plannedAs")).remove("streams"); // as before plans had them
    Stowage.run("verify", net, file("old.json", answer))
        .ends(6)
        .prints("its order is \"streams\"; it is \"in-order\"");
  }

  @Test
  void aPlanOfStreamsWithoutOpsIsVerifiedOnStreams() throws IOException {
    Path net = network("x:8; -> x");
    Stowage.line("plan %s --concurrency streams=2 --out %s", net, folder).ends(0);
    Stowage.run("verify", net, folder.resolve("plan.json")).ends(0);
  }

  @Test
  void aLoopReadsAgainWhatItHasOverwritten() throws IOException {
    Path net = network(LOOP);
    Path wrong = offsets("x,0 s,8 a,16 b,0 y,24");
    List<Object> words = List.of("--alignment", 1, "--in-place", "none");
    Stowage.run("verify", net, wrong, words)
        .ends(6)
        .prints("op \"second\" writes \"b\" over it, and op \"first\" reads it")
        .prints("\"first\" reads it in the next turn of its loop");
    JsonNode answer = Stowage.run("verify", net, wrong, words, "--json").json();
    List<JsonNode> runs =
        answer
            .get("violations")
            .valueStream()
            .filter(violation -> violation.get("kind").asText().equals("RUN"))
            .toList();
    assertFalse(runs.isEmpty(), answer.toString());
    runs.forEach(run -> JsonChecks.holds(run, "paths/1/0=second paths/1/1=first"));
    Path right = offsets("x,0 s,8 a,16 b,24 y,32");
    Stowage.run("verify", net, right, words).ends(0);
  }

  @Test
  void opsThatRunSideBySideNeedPlacesApart() throws IOException {
    Path net = network(CHAINS);
    Path shared = offsets("x,0 a,8 b,8 q,16 p,24");
    Stowage.run("verify", net, shared, "--alignment", 1).ends(0);
    Stowage.run("verify", net, shared, "--alignment", 1, "--order", "out-of-order")
        .ends(6)
        .prints("which nothing makes come first", "share bytes, but op");
  }

  /** What a plan.csv says again of its buffers is true, or blank, or more than was asked for. */
  @ParameterizedTest
  @CsvSource({
    "tensors, 'stem', 'pool', 6",
    "tensors, 'stem', '', 0",
    "alignment, ',4096,', ',4095,', 6",
    "alignment, ',4096,', ',x,', 6",
    "alignment, ',4096,0,', ',8192,0,', 0",
  })
  void whatAPlansCsvSaysOfItsBuffersIsCompared(String column, String from, String to, int code)
      throws IOException {
    Stowage.line("plan %s --out %s", "models/networks/tiny.json", folder).ends(0);
    Path plan = folder.resolve("plan.csv");
    Files.writeString(plan, Files.readString(plan).replaceFirst("(?m)(?<!^)" + from, to));
    Stowage run = Stowage.line("verify %s %s", "models/networks/tiny.json", plan).ends(code);
    run.prints(code == 6 ? "the plan says that " + column + " of buffer " : "");
  }
}
