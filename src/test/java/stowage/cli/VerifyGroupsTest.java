package stowage.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.PublicData;

/**
 * A groups.json is verified against its network; {@code VerifyMutationsTest} changes each field.
 */
class VerifyGroupsTest extends FolderTest {
  private static final Path TINY = Path.of("models/networks/tiny.json");

  private Path grouped(Path network, String options) {
    Stowage.line("group %s --out %s " + options, network, folder).ends(0);
    return folder.resolve("groups.json");
  }

  @Test
  void everyWayOfGroupingIsVerified() {
    for (String options :
        List.of(
            "--chip bm1688 --partition cp --slicing exact --precision int4 --objective cycles",
            "--chip bm1684x --lmem today --precision bf16",
            "--chip cv181x --lmem document --objective lmem-peak")) {
      Path answer = grouped(TINY, options);
      Stowage.run("verify", TINY, answer).ends(0).prints("valid: ");
      Stowage.run("verify", TINY, answer, "--json")
          .ends(0)
          .holds("valid=true bound/value=" + bound(answer));
    }
    Path answer = folder.resolve("groups.json");
    Stowage.run("verify", TINY, answer, "--chip", "bm1688")
        .ends(6)
        .prints("chip is \"cv181x\"; it is");
  }

  private static long bound(Path answer) {
    JsonNode read = JsonChecks.read(answer);
    return read.path("lowerBound").asLong();
  }

  @Test
  void theGroupsOfACompiledFileAreVerified() throws IOException {
    Path small = Path.of("models/examples/small.mlir");
    for (String options : List.of("--partition file", "--partition dp")) {
      Stowage.run("verify", small, grouped(small, options)).ends(0).prints("valid: ");
    }
    refused(
        small,
        a -> ((ObjectNode) a.at("/baseline/gmem")).put("peak", 1),
        "its baseline.gmem.peak is 1; it is ");
    refused(small, a -> a.put("gmem", "x"), "its gmem.peak is ; it should be a whole number");
    Path real = PublicData.network("tpu-mlir/blazeface_bm1688_final.mlir");
    Path answer = grouped(real, "--partition file --lmem today");
    Stowage.run("verify", real, answer).ends(0).prints("valid: ");
  }

  private void refused(Consumer<ObjectNode> change, String... why) throws IOException {
    refused(TINY, change, why);
  }

  private void refused(Path network, Consumer<ObjectNode> change, String... why)
      throws IOException {
    ObjectNode answer = JsonChecks.read(folder.resolve("groups.json"));
    change.accept(answer);
    Path changed = Files.writeString(folder.resolve("changed.json"), answer.toString());
    Stowage.run("verify", network, changed).ends(6).prints("invalid: the answer").prints(why);
  }

  private static ObjectNode group(ObjectNode answer) {
    return (ObjectNode) answer.at("/groups/0");
  }

  private static ObjectNode buffer(ObjectNode answer, int number) {
    return (ObjectNode) answer.at("/groups/0/buffers/" + number);
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    grouped(TINY, "--chip bm1688 --precision int8");
    refused(a -> a.put("trafficBytes", 1), "its trafficBytes is 1; it is 13778");
    refused(a -> group(a).put("cycles", 1), "its groups[0].cycles is 1; it is ");
    refused(a -> group(a).put("clashBound", -1), "its groups[0].clashBound is -1; it is 0");
    refused(a -> a.put("partition", "best"), "partition is \"best\"; it should be one of [alone");
    ObjectNode gmem = JsonChecks.read(folder.resolve("groups.json")).withObject("/gmem");
    double peak = gmem.path("peak").asDouble();
    refused(a -> a.withObject("/gmem").put("peak", peak + 0.5), "gmem.peak is " + (peak + 0.5));
    refused(a -> a.withObject("/gmem").putNull("peak"), "peak and its bound make it UNKNOWN");
    refused(a -> a.withObject("/gmem").put("lowerBound", "1"), "gmem.lowerBound is \"1\"");
    refused(a -> group(a).put("last", 9), "op \"scores\" is in no group; it should be in one");
    refused(
        a -> ((ArrayNode) a.get("groups")).addObject().put("first", 3).put("last", 3),
        "is in groups 0 and 1; it should be in one");
    refused(a -> group(a).put("last", 11), "names the op 11; ops should rise within 0 to 10");
    refused(a -> group(a).put("last", Integer.MAX_VALUE), "ops should rise within 0 to 10");
    refused(a -> group(a).put("first", Integer.MIN_VALUE), "ops should rise within 0 to 10");
    refused(a -> buffer(a, 0).put("offset", 1L << 17), "ends beyond the lane of 131072 bytes");
    refused(
        a -> buffer(a, 0).put("offset", Long.MAX_VALUE - 63),
        "ends beyond the lane of 131072 bytes");
    refused(
        a -> {
          JsonNode buffers = group(a).get("buffers");
          ObjectNode named = group(a).putObject("buffers");
          buffers.forEach(one -> named.set(String.valueOf(named.size()), one));
        },
        "groups[0].buffers do not hold: ");
    refused(a -> buffer(a, 1).set("offset", buffer(a, 0).get("offset")), " overlap in step ");
    refused(a -> buffer(a, 0).put("shares", "x"), "shares is \"x\", which is no buffer");
    refused(a -> a.put("lowerBound", 13779), "its lowerBound is 13779; it is ");
    refused(a -> a.put("status", "FEASIBLE"), "its status is \"FEASIBLE\"; it is \"OPTIMAL\"");
    refused(a -> ((ArrayNode) a.at("/groups/0/table/1/compute")).removeAll(), " in no step");
    refused(
        a -> ((ObjectNode) a.get("gmem")).put("peak", 1), "its gmem.peak is 1; no plan is below");
  }

  @Test
  void whatHasNoAddressesIsSentBack() throws IOException {
    Stowage run = Stowage.line("group %s --chip bm1688 --json", TINY).ends(0);
    Path answer = file("stdout.json", run.out());
    Stowage.run("verify", TINY, answer).ends(3).says("those are in groups.json of --out DIR");
  }
}
