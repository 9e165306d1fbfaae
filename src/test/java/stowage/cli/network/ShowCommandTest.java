package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.importer.tflite.TfliteSamples;

class ShowCommandTest extends FolderTest {
  /** A convolution, a slice that is a view, and an op of its own. */
  @Test
  void aNetworkIsShownWithItsPeak() throws IOException {
    Path model = file("m.tflite", TfliteSamples.all().get(0));
    List<Object> all = List.of("--alignment", 1, "--in-place", "views", "--variables", "arena");
    Stowage run = Stowage.run("show", model, all).ends(0);
    run.prints("CONV_2D", "largest tensors", "alive at the peak, step 2 (Own y):");
    JsonNode json = Stowage.run("show", model, all, "--json").json();
    JsonChecks.holds(json, "ops=3 opsByType/SLICE=1 weightBytes=64 peakStep=2");
    assertEquals(12 + 28 + 100, json.get("maxLoad").asLong());
    // As TFLite Micro has it: no views, 16 bytes, variables elsewhere.
    JsonNode micro = Stowage.run("show", model, "--json").json();
    assertEquals(16 + 32, micro.get("maxLoad").asLong());
  }

  @Test
  void oneOpIsCountedAsOne() throws IOException {
    String tensor = "{\"name\": \"%s\", \"shape\": [8], \"type\": \"i8\"}";
    String ends = "\"inputs\": [\"x\"], \"outputs\": [\"y\"]";
    String op = "{\"name\": \"r\", \"type\": \"Relu\", " + ends + "}";
    String tensors = tensor.formatted("x") + ", " + tensor.formatted("y");
    String text = "{\"name\": \"one\", %s, \"tensors\": [%s], \"ops\": [%s]}";
    Path one = file("one.json", text.formatted(ends, tensors, op));
    Stowage.run("show", one).prints("1 op, 2 tensors", "in 2 buffers");
    Stowage.run("schedule", one).prints("no order of its 1 op and");
  }

  /** At step 2 three of the four are alive, 4 + 2 + 8 bytes, one of them in a gap of its life. */
  @Test
  void aListOfBuffersIsShownWithItsPeakAndConstraints() throws IOException {
    Path buffers =
        file(
            "list.csv",
            "id,lower,upper,size,alignment,offset,gaps\na,0,3,4,4,-1,\nb,2,5,8,1,0,\n"
                + "c,0,9,2,1,-1,\nd,0,9,100,1,-1,0-9\n");
    Stowage run = Stowage.run("show", buffers).ends(0);
    assertTrue(run.out().startsWith("list: a list of buffers"), run.out());
    run.prints("alive at the peak, step 2:");
    JsonNode json = Stowage.run("show", buffers, "--json").json();
    JsonChecks.holds(
        json, "buffers=4 maxLoad=14 peakStep=2 totalBytes=114 end=9 aliveAtPeak/0/id=b");
    assertEquals(3, json.get("aliveAtPeak").size());
    assertEquals(
        "{\"aligned\":1,\"of given offset\":1,\"with gaps\":1}",
        json.get("constraints").toString());
    Path none = file("none.csv", "id,lower,upper,size\n");
    assertEquals(0, Stowage.run("show", none, "--json").json().get("maxLoad").asLong());
    Stowage.run("show", none).ends(0);
  }
}
