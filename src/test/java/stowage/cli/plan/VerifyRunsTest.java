package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.network.Graphs;

/** What {@code verify} says of runs of a network: its loops, and ops that run side by side. */
class VerifyRunsTest extends FolderTest {
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

  private Path plan(String rows) throws IOException {
    return file("plan.csv", "id,offset\n" + rows.replace(' ', '\n'));
  }

  @Test
  void aLoopReadsAgainWhatItHasOverwritten() throws IOException {
    Path net = network(LOOP);
    Path wrong = plan("x,0 s,8 a,16 b,0 y,24");
    Object[] words = {"verify", net, wrong, "--alignment", 1, "--in-place", "none"};
    Stowage.run(words)
        .ends(6)
        .prints("op \"second\" writes \"b\" over it, and op \"first\" reads it")
        .prints("\"first\" reads it in the next turn of its loop");
    JsonNode answer = Stowage.run(words, "--json").json();
    boolean named = false;
    for (JsonNode violation : answer.get("violations")) {
      if (violation.get("kind").asText().equals("RUN")) {
        named = true;
        JsonChecks.holds(violation, "paths/1/0=second paths/1/1=first");
      }
    }
    assertTrue(named, answer.toString());
    Path right = plan("x,0 s,8 a,16 b,24 y,32");
    Stowage.run("verify", net, right, "--alignment", 1, "--in-place", "none").ends(0);
  }

  @Test
  void opsThatRunSideBySideNeedPlacesApart() throws IOException {
    Path net = network(CHAINS);
    Path shared = plan("x,0 a,8 b,8 q,16 p,24");
    Object[] words = {"verify", net, shared, "--alignment", 1};
    Stowage.run(words).ends(0);
    Stowage.run("verify", net, shared, "--alignment", 1, "--order", "out-of-order")
        .ends(6)
        .prints("which nothing makes come first", "share bytes, but op");
  }
}
